#include "study/dry_run.hpp"

#include <algorithm>

#include "awscli/emit.hpp"
#include "base/fill.hpp"
#include "base/strings.hpp"
#include "placement/engine.hpp"
#include "placement/over_time.hpp"
#include "placement/verify.hpp"
#include "study/start_task.hpp"
#include "text/location.hpp"

namespace bayplan::study {

using awscli::Verb;
using text::Value;

namespace {

constexpr std::string_view kCommandLine = "command line";

rules::FileKind kind_of(Verb verb) {
  if (verb == Verb::kRegisterTaskDefinition) return rules::FileKind::kTaskDefinition;
  const bool is_run = verb == Verb::kRunTask || verb == Verb::kStartTask;
  return is_run ? rules::FileKind::kRunTask : rules::FileKind::kService;
}

lint::Options as_aws_cli() {
  lint::Options options;
  options.rules.deploy_with = rules::DeployClient::kAwsCli;
  return options;
}

/// The request as a scenario's only call.
std::shared_ptr<const text::Document> as_scenario(const awscli::Request& request) {
  text::Builder builder(request.document->shared_source(), request.document->format());
  const Value root = request.document->root();
  const bool is_service = kind_of(request.operation->verb) == rules::FileKind::kService;
  builder.open(text::Kind::kObject, root.opening());
  builder.key(is_service ? "services" : "tasks", {});
  builder.open(text::Kind::kArray, root.opening());
  awscli::emit_copy(builder, root, 0);
  builder.close(root.span().end);
  builder.close(root.span().end);
  return std::move(builder).finish();
}

/// An error in the request's text, told by the name of the option or file.
Error placed(Error error, const awscli::Request& request) {
  if (error.file != kCommandLine || error.line == 0) return error;
  const text::LineIndex lines(request.document->source());
  std::uint32_t at = lines.line_start(error.line);
  const std::string_view text = request.document->source();
  for (std::uint32_t column = 1; column < error.column && at < text.size(); ++column) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  }
  Error moved = request.place_of(at);
  moved.message = std::move(error.message);
  moved.help = std::move(error.help);
  return moved;
}

class Trial {
 public:
  Trial(const awscli::CommandLine& line, awscli::Request request, const DryRunSetting& setting, const Files& files,
        catalog::Catalog& catalog, const lint::Tools& tools)
      : line_(line), setting_(setting), files_(files), catalog_(catalog), tools_(tools) {
    run_.request = std::move(request);
    run_.assumptions = line.notes;
  }

  DriedRun run() {
    if (verb() == Verb::kRegisterTaskDefinition) {
      register_definition();
    } else {
      start_tasks();
    }
    if (!result_.errors.empty() || !result_.mistakes.empty()) return std::move(result_);
    result_.run = std::move(run_);
    return std::move(result_);
  }

 private:
  Verb verb() const { return run_.request.operation->verb; }
  Value root() const { return run_.request.document->root(); }

  void assume(std::string id, std::string subject, std::string text) {
    run_.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
  }

  lint::FileReport lint(const lint::Options& options, const lint::FindDefinition& find = {}) const {
    lint::FileReport report{.file = std::string(kCommandLine)};
    report.document = run_.request.document;
    report.kind = kind_of(verb());
    lint::check_report(report, options, tools_, find);
    return report;
  }

  bool has_errors(const lint::FileReport& report) const {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [](const auto& finding) { return finding.severity == Severity::kError; });
  }

  void register_definition() {
    run_.lint = lint(as_aws_cli());
    run_.refusal = refusal_of(run_.lint, *run_.request.operation);
    if (run_.refusal) return note_first_of_many();
    find_compatibilities();
    find_revision();
    note_options_without_effect();
    assume("attributes-worked-out", "requiresAttributes",
           "they follow from the definition's members; the Docker API versions that ECS adds are left out");
  }

  void note_first_of_many() {
    const auto errors = std::count_if(run_.lint.findings.begin(), run_.lint.findings.end(),
                                      [](const auto& finding) { return finding.severity == Severity::kError; });
    if (errors < 2 || run_.refusal->by != RefusedBy::kEcs) return;
    assume("first-of-several-errors", std::string(run_.request.operation->api_name),
           fill("ECS answers with one of the {} errors; which one is not documented", {errors}));
  }

  /// What the definition says, and what it would be fit for too: ECS tries them all.
  void find_compatibilities() {
    const auto task = model::bind_task_definition(root(), {});
    const std::vector<std::pair<std::string_view, model::Compatibility>> tried = {
        {"EC2", model::Compatibility::kEc2}, {"FARGATE", model::Compatibility::kFargate}};
    for (const auto& [name, compatibility] : tried) {
      lint::Options options = as_aws_cli();
      options.rules.launch_type = compatibility;
      const bool is_listed = task.requires_compatibilities.present() && task.targets(compatibility);
      if (is_listed || (!task.requires_compatibilities.present() && !has_errors(lint(options)))) {
        run_.compatibilities.emplace_back(name);
      }
    }
    for (const auto& name : task.requires_compatibilities) {
      if (name && (*name == "EXTERNAL" || *name == "MANAGED_INSTANCES")) run_.compatibilities.emplace_back(*name);
    }
    if (task.requires_compatibilities.present()) return;
    assume("compatibilities-worked-out", "compatibilities",
           "EC2 and FARGATE are listed where no rule speaks against them; ECS looks at the others too");
  }

  void find_revision() {
    const auto& described = setting_.described;
    if (!described.cluster && described.definitions.empty())
      assume("revision-unknown", "revision", "1 is that of a new family; one that is registered counts on");
    auto loaded = load_described();
    if (!loaded.scenario) {
      result_.errors = std::move(loaded.errors);
      return;
    }
    const Value family = root().find("family");
    for (const auto& definition : loaded.scenario->task_definitions) {
      const auto& given = described.definitions;
      const bool counts =
          definition.is_registered || std::find(given.begin(), given.end(), definition.origin.file) != given.end();
      if (!counts || !family || definition.family != family.text()) continue;
      run_.revision = std::max(run_.revision.value_or(0), definition.revision + 1);
    }
  }

  /// What is there, whatever the call asks for.
  placement::LoadedScenario load_described() {
    auto request = cluster_request();
    request.may_be_idle = true;
    return placement::load_scenario(request, files_, catalog_, setting_.limits);
  }

  void note_options_without_effect() {
    std::vector<std::string> without_effect;
    if (!setting_.described.instances.empty()) without_effect.emplace_back("--instances");
    if (setting_.described.seed) without_effect.emplace_back("--seed");
    if (without_effect.empty()) return;
    assume("option-without-effect", join(without_effect, ", "), "a definition that is registered is not placed");
  }

  void start_tasks() {
    if (!setting_.described.cluster && setting_.described.instances.empty()) {
      result_.errors.push_back(
          {"no cluster to try the call on", {}, 0, 0, "give --cluster PATH or --instances TYPE=N@AZ before the --"});
      return;
    }
    if (verb() == Verb::kUpdateService && !find_service()) return;
    auto loaded = load();
    if (!loaded.scenario) return refuse_or_fail(std::move(loaded.errors));
    run_.scenario = std::move(loaded.scenario);
    run_.lint = lint(as_aws_cli(), definitions_of(*run_.scenario));
    run_.refusal = refusal_of(run_.lint, *run_.request.operation);
    if (run_.refusal) return note_first_of_many();
    if (run_.scenario->workloads.empty()) {
      result_.errors.push_back({"the call names no task definition", {}, 0, 0, "give it as --task-definition"});
      return;
    }
    if ((!run_.update && !check_cluster()) || !check_simulated()) return;
    const Value count = root().find("desiredCount");
    if (count && count.integer().value_or(0) < 0) run_.refusal = refusal_of_negative_count();
    if (run_.refusal) return;
    if (run_.update) settle_update();
    if (verb() == Verb::kCreateService) run_.refusal = refusal_of_service(*run_.scenario);
    if (run_.refusal) return;
    if (verb() == Verb::kStartTask) {
      start_on_instances();
    } else {
      place();
    }
  }

  placement::ScenarioRequest cluster_request() const {
    auto request = setting_.described;
    request.region = line_.region;
    return request;
  }

  placement::LoadedScenario load() {
    auto request = cluster_request();
    request.written = placement::WrittenScenario{run_.update ? run_.update->document : as_scenario(run_.request),
                                                 std::string(kCommandLine)};
    return placement::load_scenario(request, files_, catalog_, setting_.limits);
  }

  /// The service that runs, and what becomes of it.
  bool find_service() {
    run_.lint = lint(as_aws_cli());
    run_.refusal = refusal_of(run_.lint, *run_.request.operation);
    if (run_.refusal) {
      note_first_of_many();
      return false;
    }
    auto loaded = load_described();
    if (!loaded.scenario) {
      result_.errors = std::move(loaded.errors);
      return false;
    }
    run_.scenario = std::move(loaded.scenario);
    if (!check_cluster()) return false;
    const auto& services = run_.scenario->services;
    if (services.empty()) {
      result_.errors.push_back(
          {.message = "no service of the cluster is described",
           .help = "--cluster wants a folder of aws ecs describe-... output with that of describe-services in it"});
      return false;
    }
    const std::string_view named = root().find("service").text();
    const auto found = std::find_if(services.begin(), services.end(), [&](const auto& service) {
      return service.name == named.substr(named.rfind('/') + 1);
    });
    if (found == services.end()) {
      run_.refusal = refusal_of_unknown_service();
      return false;
    }
    if (!check_replaceable(*found)) return false;
    run_.update = updated(*found, *run_.request.document);
    return true;
  }

  /// What is no question of instances, or of a count, is not tried.
  bool check_replaceable(const placement::RunningService& service) {
    const auto& shares = service.capacity_providers;
    const bool on_fargate = service.launch_type == "FARGATE" ||
                            (!shares.empty() && shares.front().capacity_provider.starts_with("FARGATE"));
    const bool is_daemon = service.kind == placement::WorkloadKind::kDaemon;
    if (!on_fargate && !is_daemon) return true;
    Error error = run_.request.place_of(root().find("service").span().begin);
    error.message = on_fargate ? fill("service '{}' runs on Fargate and has no container instances", {service.name})
                               : fill("service '{}' is a DAEMON service", {service.name});
    error.help = "bayplan tries update-service for REPLICA services on EC2 only";
    result_.errors.push_back(std::move(error));
    return false;
  }

  void settle_update() {
    settle(*run_.update, root(), *run_.scenario);
    if (!run_.update->is_new_deployment) return;
    assume("rollout-not-simulated", run_.update->before.name,
           "only what may start at once is placed; the old tasks keep what they have until ECS stops them");
  }

  /// What ECS would refuse is no fault of the description.
  void refuse_or_fail(std::vector<Error> errors) {
    run_.lint = lint(as_aws_cli());
    run_.refusal = refusal_of(run_.lint, *run_.request.operation);
    if (run_.refusal) return note_first_of_many();
    if (lacks_count()) {
      run_.refusal = refusal_without_count();
      return;
    }
    if (const auto container = unknown_override(errors)) {
      run_.refusal = refusal_of_override(*container);
      return;
    }
    if (const Value mark = model::bind_task_run(root(), {}).fargate_mark()) {
      Error error = run_.request.place_of(mark.span().begin);
      error.message = "tasks on Fargate have no container instances to be placed on";
      error.help = "bayplan tries calls for EC2 only";
      result_.errors.push_back(std::move(error));
      return;
    }
    for (auto& error : errors) {
      const bool lacks_definition = error.id == "definition-unknown";
      error = placed(std::move(error), run_.request);
      if (lacks_definition) {
        error.help = run_.update && !root().find("taskDefinition")
                         ? "add what aws ecs describe-task-definition says of it"
                         : "give its file: --definition FILE before the --";
      }
      result_.errors.push_back(std::move(error));
    }
  }

  /// The container that the loading of the overrides did not find.
  static std::optional<std::string> unknown_override(const std::vector<Error>& errors) {
    for (const auto& error : errors) {
      if (error.id == "container-unknown") return error.subject;
    }
    return std::nullopt;
  }

  bool lacks_count() const {
    if (verb() != Verb::kCreateService || root().find("desiredCount")) return false;
    const Value scheduling = root().find("schedulingStrategy");
    return !scheduling || scheduling.text() != "DAEMON";
  }

  lint::FindDefinition definitions_of(const placement::Scenario& scenario) {
    for (const auto& one : scenario.task_definitions) {
      definitions_.add(one.origin.file, one.family, one.revision, one.definition);
    }
    return [this](std::string_view reference) { return definitions_.find(reference, kCommandLine); };
  }

  /// The call names the cluster that is described, or none.
  bool check_cluster() {
    const std::string& described = run_.scenario->cluster_name;
    const Value written = root().find("cluster");
    const std::string_view named = written ? written.text() : "default";
    const std::string_view name = named.substr(named.rfind('/') + 1);
    if (described.empty() || name == described) return true;
    if (!written) {
      assume("cluster-not-named", described,
             fill("the call names no cluster and goes to 'default'; it is tried on '{}'", {described}));
      return true;
    }
    Error error = run_.request.place_of(written.span().begin);
    error.message = fill("the call goes to cluster '{}', and '{}' is described", {name, described});
    result_.errors.push_back(std::move(error));
    return false;
  }

  bool check_simulated() {
    for (const auto& error : run_.scenario->not_simulated) {
      result_.errors.push_back(placed(error, run_.request));
    }
    for (const auto& error : placement::refuse_over_time(*run_.scenario, "dry-run")) {
      result_.errors.push_back(placed(error, run_.request));
    }
    return result_.errors.empty();
  }

  void start_on_instances() {
    std::vector<std::string_view> named;
    for (const Value one : root().find("containerInstances").children()) named.push_back(one.text());
    run_.refusal = refusal_of_instances(named.size());
    if (run_.refusal) return;
    const StartTask start(*run_.scenario, named);
    place();
    if (!run_.outcome) return;
    run_.failures = start.failures(*run_.scenario, *run_.outcome);
    std::erase_if(run_.outcome->assumptions, [](const Assumption& one) {  // nothing was ranked
      return one.id == "random-seed" || one.id == "closest-instance" || one.id.starts_with("tie-");
    });
  }

  void place() {
    auto outcome = placement::place(*run_.scenario);
    result_.mistakes = placement::verify(*run_.scenario, outcome);
    if (!result_.mistakes.empty()) return;
    if (verb() == Verb::kRunTask) {
      run_.refusal = refusal_of(*run_.scenario, outcome);
      run_.failures = call_failures(*run_.scenario, outcome);
    }
    run_.outcome = std::move(outcome);
    const bool has_arns = std::all_of(run_.scenario->profiles.begin(), run_.scenario->profiles.end(),
                                      [](const auto& profile) { return !profile.arn.empty(); });
    if (!has_arns)
      assume("ids-for-arns", "containerInstanceArn", "instances that no ARN is known of stand by bayplan's id");
  }

  const awscli::CommandLine& line_;
  const DryRunSetting& setting_;
  const Files& files_;
  catalog::Catalog& catalog_;
  const lint::Tools& tools_;
  lint::Definitions definitions_;
  DryRun run_;
  DriedRun result_;
};

}  // namespace

DriedRun dry_run(const awscli::CommandLine& line, awscli::Request request, const DryRunSetting& setting,
                 const Files& files, catalog::Catalog& catalog, const lint::Tools& tools) {
  return Trial(line, std::move(request), setting, files, catalog, tools).run();
}

}  // namespace bayplan::study
