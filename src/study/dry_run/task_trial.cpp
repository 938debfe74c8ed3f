#include "study/dry_run/task_trial.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "awscli/emit.hpp"
#include "base/strings.hpp"
#include "placement/engine/checks.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/explain/subnet_addresses.hpp"
#include "placement/model/scenario.hpp"
#include "placement/model/service_terms.hpp"
#include "placement/verify/verify.hpp"
#include "study/dry_run/call_failures.hpp"
#include "study/in_flight.hpp"
#include "text/location.hpp"

namespace bayplan::study {

namespace {

using awscli::Verb;
using placement::Scenario;
using text::Value;

std::string_view id_of(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

/// Finds an instance by the ID of the container instance, not of the EC2 instance, where ARNs are described.
std::optional<std::uint32_t> instance_called(const Scenario& scenario, std::string_view name) {
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    if (id_of(instance_name(scenario, i)) == id_of(name)) return i;
  }
  return std::nullopt;
}

/// Leaves of the cluster the instances that are named: none of the others counts for anything.
void keep_only(Scenario& scenario, const std::vector<std::uint32_t>& kept) {
  std::vector<placement::ContainerInstance> instances;
  std::vector<placement::InstanceUse> in_use;
  std::vector<placement::RunningTask> running;
  for (const auto index : kept) {
    const auto* use = scenario.use_of(index);
    in_use.push_back(use == nullptr ? placement::InstanceUse() : *use);
    for (auto task : scenario.running_on(index)) {
      task.instance = static_cast<std::uint32_t>(instances.size());
      running.push_back(std::move(task));
    }
    instances.push_back(scenario.instances[index]);
  }
  scenario.instances = std::move(instances);
  scenario.in_use = std::move(in_use);
  scenario.running = std::move(running);
}

/// What StartTask answers of the instances that it names: nothing is ranked.
struct StartedTasks {
  std::vector<CallFailure> failed;       ///< Instances that fail at once, whatever the task needs.
  std::vector<std::uint32_t> instances;  ///< Instance of each workload.
};

/// The instance alone has its profile, which the workload then names.
std::uint32_t separate_profile(Scenario& scenario, std::uint32_t instance) {
  scenario.profiles.push_back(scenario.profiles[scenario.instances[instance].profile]);
  const auto own = static_cast<std::uint32_t>(scenario.profiles.size() - 1);
  scenario.instances[instance].profile = own;
  return own;
}

/// Leaves of the scenario the instances that the call names (ids or ARNs of container instances) and makes of its only
/// workload one for each, in their order, that no other instance takes. What is unknown or INACTIVE fails at once.
StartedTasks start_tasks(Scenario& scenario, const std::vector<std::string_view>& named) {
  StartedTasks started;
  std::vector<std::uint32_t> kept;
  for (const auto name : named) {
    const auto instance = instance_called(scenario, name);
    if (!instance) {
      started.failed.push_back({std::string(name), "MISSING"});
    } else if (scenario.profiles[scenario.instances[*instance].profile].status ==
               placement::InstanceStatus::kInactive) {
      started.failed.push_back({std::string(instance_name(scenario, *instance)), "INACTIVE"});
    } else {
      const auto known = std::find(kept.begin(), kept.end(), *instance);
      started.instances.push_back(static_cast<std::uint32_t>(known - kept.begin()));
      if (known == kept.end()) kept.push_back(*instance);
    }
  }
  keep_only(scenario, kept);
  std::vector<std::uint32_t> profiles;
  for (std::uint32_t i = 0; i < kept.size(); ++i) profiles.push_back(separate_profile(scenario, i));

  placement::Workload workload = std::move(scenario.workloads.front());
  workload.count = 1;
  workload.capacity_providers.clear();
  scenario.workloads.clear();
  scenario.calls.clear();
  for (const auto instance : started.instances) {
    workload.only_profile = profiles[instance];
    scenario.calls.push_back({static_cast<std::uint32_t>(scenario.workloads.size()), 1});
    scenario.workloads.push_back(workload);
  }
  return started;
}

/// The failures in the order of the call: those at once, then what the placement says of each named instance.
std::vector<CallFailure> failures_of(const StartedTasks& started, const Scenario& scenario,
                                     const placement::Outcome& outcome) {
  auto failures = started.failed;
  for (const auto& failure : outcome.failures) {
    const std::uint32_t instance = started.instances[failure.attempt.workload];
    const auto* rejection = placement::find_rejection(placement::explained(outcome, failure), instance);
    if (rejection == nullptr) continue;
    const auto status = scenario.profiles[scenario.instances[instance].profile].status;
    failures.push_back(
        {std::string(instance_name(scenario, instance)), placement::reason_text(rejection->failed.first(), status)});
  }
  return failures;
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

/// An error in the request's text, with the name of the option or file.
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

/// The container that the loading of the overrides did not find.
std::optional<std::string> unknown_override(const std::vector<Error>& errors) {
  for (const auto& error : errors) {
    if (error.id == "container-unknown") return error.subject;
  }
  return std::nullopt;
}

/// "launchType", or "capacity provider" for an element of capacityProviderStrategy.
std::string_view verb_of_mark(const Value& mark) {
  return mark.key() == "launchType" ? "launchType" : "capacity provider";
}

std::string names_of(const std::vector<placement::ProviderShare>& shares) {
  std::vector<std::string> names;
  for (const auto& share : shares) names.push_back(share.capacity_provider);
  return join(names, ", ");
}

/// The request as one that says launchType FARGATE, at the place of the request itself: rules read it as ECS does.
std::shared_ptr<const text::Document> with_fargate(const text::Document& request) {
  const Value root = request.root();
  const Span at = root.opening();
  text::Builder builder(request.shared_source(), request.format());
  builder.open(text::Kind::kObject, at);
  for (const Value member : root.children()) {
    builder.key(builder.keep(std::string(member.key())), member.key_span());
    awscli::emit_copy(builder, member, 0);
  }
  builder.key("launchType", at);
  builder.scalar(text::Kind::kString, text::Style::kPlain, "FARGATE", at);
  builder.close(root.span().end);
  return std::move(builder).finish();
}

lint::Definitions list_definitions(const Scenario& scenario) {
  lint::Definitions definitions;
  for (const auto& one : scenario.task_definitions) {
    definitions.add(one.origin.file, one.family, one.revision, one.definition);
  }
  return definitions;
}

Error no_services_described(const TrialTools& tools) {
  return {.message = "no service of the cluster is described",
          .file = tools.setting.described.cluster.value_or(""),
          .help = "--cluster requires a folder of aws ecs describe-... output that includes describe-services"};
}

/// The service that the call names; null where the cluster does not have it.
const placement::RunningService* find_service(const Scenario& scenario, Value request) {
  const Value named = request.find("service");
  const auto& services = scenario.services;
  const auto found = std::find_if(services.begin(), services.end(),
                                  [&](const auto& one) { return named && one.name == id_of(named.text()); });
  return found == services.end() ? nullptr : &*found;
}

bool runs_on_fargate(const placement::RunningService& service) {
  return placement::runs_elsewhere(service) && (service.launch_type.empty() || service.launch_type == "FARGATE");
}

/// What is no question of instances, or of a count, is not tried. Empty where it is.
std::string why_not_replaced(const placement::RunningService& service) {
  std::string why = why_not_on_instances(service);
  if (why.empty() && service.kind == placement::WorkloadKind::kDaemon)
    why = fmt::format("service '{}' is a DAEMON service", service.name);
  return why;
}

std::vector<std::string_view> named_instances(Value request) {
  std::vector<std::string_view> named;
  for (const Value one : request.find("containerInstances").children()) named.push_back(one.text());
  return named;
}

/// CreateService of a REPLICA service that does not say how many.
bool lacks_count(const DryRun& run) {
  if (verb_of(run) != Verb::kCreateService || root_of(run).find("desiredCount")) return false;
  const Value scheduling = root_of(run).find("schedulingStrategy");
  return !scheduling || scheduling.text() != "DAEMON";
}

/// RunTask and CreateService that name neither launch type nor capacity providers (API_RunTask, API_CreateService).
bool takes_default_of_fargate(const DryRun& run) {
  const auto& shares = run.scenario->providers.default_strategy;
  const bool is_silent = !root_of(run).find("launchType") && !root_of(run).find("capacityProviderStrategy");
  const Value scheduling = root_of(run).find("schedulingStrategy");
  const bool is_daemon = scheduling && scheduling.text() == "DAEMON";
  const Verb verb = verb_of(run);
  if (verb != Verb::kRunTask && (verb != Verb::kCreateService || is_daemon)) return false;
  return is_silent && !shares.empty() && std::all_of(shares.begin(), shares.end(), [](const auto& share) {
           return share.capacity_provider.starts_with("FARGATE");
         });
}

/// The cluster, with the call as the only thing that is asked of it.
scenario::LoadedScenario load_with_call(const DryRun& run, const TrialTools& tools) {
  auto request = cluster_request(tools);
  request.written = scenario::WrittenScenario{run.update ? run.update->document : as_scenario(run.request),
                                              std::string(kCommandLine)};
  request.settles_written = true;
  return load_settled(request, tools.files, tools.catalog, tools.setting.limits);
}

/// What ECS would refuse is no fault of the description.
DryRunResult refuse_or_fail(DryRun run, const TrialTools& tools, std::vector<Error> errors) {
  if (is_refused_by_lint(run, tools)) return done(std::move(run));
  if (lacks_count(run)) return refused(std::move(run), refusal_without_count());
  if (const auto container = unknown_override(errors)) return refused(std::move(run), refusal_of_override(*container));
  for (auto& error : errors) {
    const bool lacks_definition = error.id == "definition-unknown";
    error = placed(std::move(error), run.request);
    if (lacks_definition) {
      error.help = run.update && !root_of(run).find("taskDefinition")
                       ? "add what aws ecs describe-task-definition says of it"
                       : "give its file: --definition FILE before the --";
    }
  }
  return failed(std::move(errors));
}

std::vector<Error> not_simulated(const DryRun& run) {
  std::vector<Error> errors;
  for (const auto& error : run.scenario->not_simulated) errors.push_back(placed(error, run.request));
  for (const auto& error : placement::refuse_over_time(*run.scenario, "dry-run"))
    errors.push_back(placed(error, run.request));
  return errors;
}

bool has_negative_count(const DryRun& run) {
  const Value count = root_of(run).find("desiredCount");
  return count && count.integer().value_or(0) < 0;
}

/// What ECS says to the call before it looks for instances.
std::optional<CallRefusal> refusal_before_placing(const DryRun& run) {
  if (run.update) {
    const auto controller = run.update->settings.controller;
    if (run.update->is_new_deployment && controller != model::DeploymentController::kEcs)
      return refusal_of_controller(controller);
  }
  if (verb_of(run) == Verb::kCreateService) return refusal_of_service(*run.scenario);
  if (verb_of(run) == Verb::kStartTask) return refusal_of_instances(named_instances(root_of(run)).size());
  return std::nullopt;
}

/// `service`: that of UpdateService; null where the cluster does not have it.
std::optional<CallRefusal> refusal_of_fargate_call(const DryRun& run, const placement::RunningService* service) {
  if (lacks_count(run)) return refusal_without_count();
  if (has_negative_count(run)) return refusal_of_negative_count();
  if (verb_of(run) != Verb::kUpdateService) return std::nullopt;
  if (service == nullptr) return refusal_of_unknown_service();
  const auto controller = service->settings.controller;
  const bool deploys_itself = controller == model::DeploymentController::kEcs;
  if (deploys_itself || !starts_deployment(root_of(run), service->task_definition)) return std::nullopt;
  return refusal_of_controller(controller);
}

/// Tasks on Fargate use no container instance, so only the request is checked. `by`: the launch type, capacity provider
/// or default strategy because of which they run there. `completed`: as for `lint_call`.
DryRunResult try_on_fargate(DryRun run, const TrialTools& tools, std::string by,
                            const std::shared_ptr<const text::Document>& completed = nullptr) {
  if (!run.scenario) {
    auto loaded = load_described(tools);
    if (!loaded.scenario) return failed(std::move(loaded.errors));
    run.scenario = std::move(loaded.scenario);
  }
  if (auto other = other_cluster(run)) return failed(*std::move(other));
  const auto definitions = list_definitions(*run.scenario);
  const auto find = [&](std::string_view reference) { return definitions.find(reference, kCommandLine); };
  if (is_refused_by_lint(run, tools, find, completed)) return done(std::move(run));
  const bool is_update = verb_of(run) == Verb::kUpdateService;
  if (is_update && run.scenario->services.empty()) return failed(no_services_described(tools));
  const auto* service = find_service(*run.scenario, root_of(run));
  if (auto refusal = refusal_of_fargate_call(run, service)) return refused(std::move(run), *std::move(refusal));

  const Value definition = root_of(run).find("taskDefinition");
  if (definition && find(definition.text()).task == nullptr) {
    assume(run, "definition-not-described", std::string(definition.text()),
           "it is not described: whether it can run on Fargate is unknown");
  }
  const bool runs_task = verb_of(run) == Verb::kRunTask;
  const Value written = root_of(run).find(runs_task ? "count" : "desiredCount");
  const std::int64_t unsaid = service != nullptr ? service->desired_count : 1;
  const std::int64_t wanted = written ? written.integer().value_or(unsaid) : unsaid;
  const bool replaces = service == nullptr || starts_deployment(root_of(run), service->task_definition);
  const std::int64_t starts = replaces ? wanted : std::max<std::int64_t>(0, wanted - service->running_count);
  const std::int64_t stops = replaces ? 0 : std::max<std::int64_t>(0, service->running_count - wanted);
  const std::string what =
      stops > 0 ? fmt::format("ECS stops {} on Fargate", count_of(stops, "task"))
                : fmt::format("{} on Fargate", starts == 1 ? "1 task starts" : fmt::format("{} tasks start", starts));
  run.on_fargate = starts;
  add_effect(run, "fargate", runs_task ? "tasks" : "service",
             fmt::format("{} ({}): no container instance of the cluster is used", what, by));
  return done(std::move(run));
}

/// Places the tasks of the call. Returns internal errors: then the run has no outcome.
std::vector<std::string> place_tasks(DryRun& run) {
  auto outcome = placement::place(*run.scenario);
  auto mistakes = placement::verify(*run.scenario, outcome);
  if (!mistakes.empty()) return mistakes;
  if (verb_of(run) == Verb::kRunTask) {
    run.refusal = find_refusal(*run.scenario, outcome);
    run.failures = call_failures(*run.scenario, outcome);
  }
  for (auto& finding : placement::short_subnets(*run.scenario, outcome))
    run.scenario->findings.push_back(std::move(finding));
  run.outcome = std::move(outcome);
  const bool has_arns = std::all_of(run.scenario->profiles.begin(), run.scenario->profiles.end(),
                                    [](const auto& profile) { return !profile.arn.empty(); });
  if (!has_arns) assume(run, "ids-for-arns", "containerInstanceArn", "instances without a known ARN have bayplan's ID");
  return {};
}

DryRunResult start_on_instances(DryRun run) {
  const auto started = start_tasks(*run.scenario, named_instances(root_of(run)));
  if (auto mistakes = place_tasks(run); !mistakes.empty()) return withdrawn(std::move(mistakes));
  run.failures = failures_of(started, *run.scenario, *run.outcome);
  using Kind = placement::PlacementFact::Kind;
  std::erase_if(run.outcome->facts, [](const auto& fact) {  // nothing was ranked
    return fact.kind == Kind::kRandomSeed || fact.kind == Kind::kClosestInstance || fact.kind == Kind::kTieDrawn ||
           fact.kind == Kind::kTieOfScores || fact.kind == Kind::kTieFileOrder;
  });
  return done(std::move(run));
}

/// A deployment among the other services of the cluster.
struct AskedRollout {
  Scenario cluster;  ///< With the service set as the call leaves it.
  Variant variant;   ///< The deployment.
};

/// The deployment that UpdateService starts; nothing where it is not known well enough to be simulated.
std::optional<AskedRollout> find_rollout(const DryRun& run, const TrialTools& tools) {
  const auto& update = *run.update;
  // In which order ECS scales and replaces is not documented.
  if (update.desired != update.running || update.desired != update.before.desired_count) return std::nullopt;
  auto request = cluster_request(tools);
  request.takes_services = true;
  request.may_be_idle = true;
  auto loaded = load_settled(request, tools.files, tools.catalog, tools.setting.limits);
  if (!loaded.scenario) return std::nullopt;
  Scenario cluster = *std::move(loaded.scenario);
  auto& services = cluster.timetable.services;
  const auto plan = std::find_if(services.begin(), services.end(), [&](const auto& one) {
    return cluster.workloads[one.workload].name == update.before.name;
  });
  const auto& updated = run.scenario->workloads.front();
  const auto& wanted = run.scenario->task_definitions[updated.task_definition].name;
  const auto& definitions = cluster.task_definitions;
  const auto definition =
      std::find_if(definitions.begin(), definitions.end(), [&](const auto& one) { return one.name == wanted; });
  if (plan == services.end() || definition == definitions.end()) return std::nullopt;

  auto& workload = cluster.workloads[plan->workload];
  workload.minimum_healthy_percent = updated.minimum_healthy_percent;
  workload.maximum_percent = updated.maximum_percent;
  workload.strategies = updated.strategies;
  workload.constraints = updated.constraints;
  plan->settings = update.settings;
  const Value configuration = root_of(run).find("deploymentConfiguration");
  if (configuration && configuration.find("deploymentCircuitBreaker"))
    plan->circuit_breaker = run.scenario->timetable.services.front().circuit_breaker;
  Variant variant;
  variant.deployments.push_back({plan->workload, static_cast<std::uint32_t>(definition - definitions.begin())});
  return AskedRollout{std::move(cluster), std::move(variant)};
}

DryRunResult without_rollout(DryRun run) {
  const auto& settings = run.update->settings;
  const std::string service = run.update->before.name;
  if (settings.runs_both()) {
    assume(run, "rollout-not-simulated", service,
           fmt::format("{}: all new tasks are placed next to the old ones, which run until CLEAN_UP; its stages are "
                       "simulated by whatif --deploy",
                       settings.name()));
  } else {
    assume(run, "rollout-not-simulated", service,
           "only what may start at once is placed; the old tasks keep what they have until ECS stops them");
  }
  return done(std::move(run));
}

/// Lets the deployment run to its end: what may start at once is a part of it, and old tasks make room for the rest.
DryRunResult with_rollout(DryRun run, const TrialTools& tools) {
  const auto asked = find_rollout(run, tools);
  if (!asked) return without_rollout(std::move(run));
  auto rollout = deploy(asked->cluster, asked->variant);
  if (!rollout.mistakes.empty()) {
    DryRunResult result = done(std::move(run));
    result.withdrawn = std::move(rollout.mistakes);
    return result;
  }
  if (rollout.deployments.empty()) return without_rollout(std::move(run));
  run.rollout = std::move(rollout);
  return done(std::move(run));
}

}  // namespace

DryRunResult try_task_call(awscli::Request request, const TrialTools& tools) {
  DryRun run = begin_run(std::move(request), tools);
  const Verb verb = verb_of(run);
  if (const Value mark = model::bind_task_run(root_of(run), {}).fargate_mark())
    return try_on_fargate(std::move(run), tools, fmt::format("{} {}", verb_of_mark(mark), mark.text()));
  if (auto missing = missing_cluster(tools)) return failed(*std::move(missing));

  if (verb == Verb::kUpdateService) {
    if (is_refused_by_lint(run, tools)) return done(std::move(run));
    auto described = load_described(tools);
    if (!described.scenario) return failed(std::move(described.errors));
    run.scenario = std::move(described.scenario);
    if (auto other = other_cluster(run)) return failed(*std::move(other));
    if (run.scenario->services.empty()) return failed(no_services_described(tools));
    const auto* service = find_service(*run.scenario, root_of(run));
    if (service == nullptr) return refused(std::move(run), refusal_of_unknown_service());
    if (runs_on_fargate(*service)) return try_on_fargate(std::move(run), tools, "where the service runs");
    if (auto why = why_not_replaced(*service); !why.empty())
      return failed(objection(run, root_of(run).find("service"), std::move(why),
                              "bayplan simulates update-service for REPLICA services on EC2 only"));
    run.update = updated(*service, *run.request.document);
  }

  auto loaded = load_with_call(run, tools);
  if (!loaded.scenario) return refuse_or_fail(std::move(run), tools, std::move(loaded.errors));
  run.scenario = std::move(loaded.scenario);
  if (takes_default_of_fargate(run)) {
    const auto by = "the default strategy of the cluster: " + names_of(run.scenario->providers.default_strategy);
    const auto completed = with_fargate(*run.request.document);
    return try_on_fargate(std::move(run), tools, by, completed);
  }
  const auto definitions = list_definitions(*run.scenario);
  const auto find = [&](std::string_view reference) { return definitions.find(reference, kCommandLine); };
  if (is_refused_by_lint(run, tools, find)) return done(std::move(run));
  if (run.scenario->workloads.empty())
    return failed({"the call names no task definition", {}, 0, 0, "give it as --task-definition"});
  if (!run.update) {
    if (auto other = other_cluster(run)) return failed(*std::move(other));
  }
  if (auto errors = not_simulated(run); !errors.empty()) return failed(std::move(errors));
  if (has_negative_count(run)) return refused(std::move(run), refusal_of_negative_count());
  if (run.update) settle(*run.update, root_of(run), *run.scenario);
  if (auto refusal = refusal_before_placing(run)) return refused(std::move(run), *std::move(refusal));

  if (verb == Verb::kStartTask) return start_on_instances(std::move(run));
  if (auto mistakes = place_tasks(run); !mistakes.empty()) return withdrawn(std::move(mistakes));
  if (run.update && run.update->is_new_deployment) return with_rollout(std::move(run), tools);
  return done(std::move(run));
}

}  // namespace bayplan::study
