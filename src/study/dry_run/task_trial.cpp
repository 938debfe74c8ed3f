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

using placement::Scenario;

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

}  // namespace

using awscli::Verb;
using text::Value;

namespace {

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

lint::Definitions list_definitions(const placement::Scenario& scenario) {
  lint::Definitions definitions;
  for (const auto& one : scenario.task_definitions) {
    definitions.add(one.origin.file, one.family, one.revision, one.definition);
  }
  return definitions;
}

}  // namespace

void TaskTrial::try_call() {
  if (const Value mark = model::bind_task_run(root(), {}).fargate_mark())
    return start_on_fargate(fmt::format("{} {}", verb_of_mark(mark), mark.text()));
  if (!has_cluster()) return;
  if (verb() == Verb::kUpdateService && !find_service()) return;
  auto loaded = load();
  if (!loaded.scenario) return refuse_or_fail(std::move(loaded.errors));
  run_.scenario = std::move(loaded.scenario);
  if (takes_default_of_fargate()) {
    const auto& shares = run_.scenario->providers.default_strategy;
    completed_ = with_fargate(*run_.request.document);
    return start_on_fargate("the default strategy of the cluster: " + names_of(shares));
  }
  const auto definitions = list_definitions(*run_.scenario);
  if (is_refused_by_lint([&](std::string_view reference) { return definitions.find(reference, kCommandLine); })) return;
  if (run_.scenario->workloads.empty()) {
    result_.errors.push_back({"the call names no task definition", {}, 0, 0, "give it as --task-definition"});
    return;
  }
  if ((!run_.update && !check_cluster()) || !check_simulated()) return;
  run_.refusal = refusal_before_placing();
  if (run_.refusal) return;
  if (verb() == Verb::kStartTask) {
    start_on_instances();
  } else {
    place();
    simulate_rollout();
  }
}

/// What ECS says to the call before it looks for instances.
std::optional<CallRefusal> TaskTrial::refusal_before_placing() {
  const Value count = root().find("desiredCount");
  if (count && count.integer().value_or(0) < 0) return refusal_of_negative_count();
  if (run_.update) {
    settle(*run_.update, root(), *run_.scenario);
    const auto controller = run_.update->settings.controller;
    if (run_.update->is_new_deployment && controller != model::DeploymentController::kEcs)
      return refusal_of_controller(controller);
  }
  if (verb() == Verb::kCreateService) return refusal_of_service(*run_.scenario);
  if (verb() == Verb::kStartTask) return refusal_of_instances(named_instances().size());
  return std::nullopt;
}

std::vector<std::string_view> TaskTrial::named_instances() const {
  std::vector<std::string_view> named;
  for (const Value one : root().find("containerInstances").children()) named.push_back(one.text());
  return named;
}

scenario::LoadedScenario TaskTrial::load() const {
  auto request = cluster_request();
  request.written = scenario::WrittenScenario{run_.update ? run_.update->document : as_scenario(run_.request),
                                              std::string(kCommandLine)};
  request.settles_written = true;
  return load_settled(request, tools_.files, tools_.catalog, tools_.setting.limits);
}

void TaskTrial::fail_without_services() {
  result_.errors.push_back(
      {.message = "no service of the cluster is described",
       .file = tools_.setting.described.cluster.value_or(""),
       .help = "--cluster requires a folder of aws ecs describe-... output that includes describe-services"});
}

/// The service that runs, and what becomes of it.
bool TaskTrial::find_service() {
  if (is_refused_by_lint()) return false;
  auto loaded = load_described();
  if (!loaded.scenario) {
    result_.errors = std::move(loaded.errors);
    return false;
  }
  run_.scenario = std::move(loaded.scenario);
  if (!check_cluster()) return false;
  const auto& services = run_.scenario->services;
  if (services.empty()) {
    fail_without_services();
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
  if (placement::runs_elsewhere(*found) && (found->launch_type.empty() || found->launch_type == "FARGATE")) {
    start_on_fargate("where the service runs");
    return false;
  }
  if (!check_replaceable(*found)) return false;
  run_.update = updated(*found, *run_.request.document);
  return true;
}

/// What is no question of instances, or of a count, is not tried.
bool TaskTrial::check_replaceable(const placement::RunningService& service) {
  std::string why = why_not_on_instances(service);
  if (why.empty() && service.kind == placement::WorkloadKind::kDaemon)
    why = fmt::format("service '{}' is a DAEMON service", service.name);
  if (why.empty()) return true;
  object_to(root().find("service"), std::move(why),
            "bayplan simulates update-service for REPLICA services on EC2 only");
  return false;
}

void TaskTrial::note_rollout_not_simulated() {
  const auto& settings = run_.update->settings;
  if (settings.runs_both()) {
    return assume(
        "rollout-not-simulated", run_.update->before.name,
        fmt::format("{}: all new tasks are placed next to the old ones, which run until CLEAN_UP; its stages are "
                    "simulated by whatif --deploy",
                    settings.name()));
  }
  assume("rollout-not-simulated", run_.update->before.name,
         "only what may start at once is placed; the old tasks keep what they have until ECS stops them");
}

std::optional<Scenario> TaskTrial::scenario_of_rollout() const {
  const auto& update = *run_.update;
  // In which order ECS scales and replaces is not documented.
  if (update.desired != update.running || update.desired != update.before.desired_count) return std::nullopt;
  auto request = cluster_request();
  request.takes_services = true;
  request.may_be_idle = true;
  auto loaded = load_settled(request, tools_.files, tools_.catalog, tools_.setting.limits);
  if (!loaded.scenario) return std::nullopt;
  auto& services = loaded.scenario->timetable.services;
  const auto plan = std::find_if(services.begin(), services.end(), [&](const auto& one) {
    return loaded.scenario->workloads[one.workload].name == update.before.name;
  });
  if (plan == services.end()) return std::nullopt;
  const auto& updated = run_.scenario->workloads.front();
  auto& workload = loaded.scenario->workloads[plan->workload];
  workload.minimum_healthy_percent = updated.minimum_healthy_percent;
  workload.maximum_percent = updated.maximum_percent;
  workload.strategies = updated.strategies;
  workload.constraints = updated.constraints;
  plan->settings = update.settings;
  const Value configuration = root().find("deploymentConfiguration");
  if (configuration && configuration.find("deploymentCircuitBreaker"))
    plan->circuit_breaker = run_.scenario->timetable.services.front().circuit_breaker;
  return std::move(loaded.scenario);
}

/// Lets the deployment run to its end: what may start at once is a part of it, and old tasks make room for the rest.
void TaskTrial::simulate_rollout() {
  if (!run_.update || !run_.update->is_new_deployment || !run_.outcome) return;
  const auto cluster = scenario_of_rollout();
  const auto& own = run_.scenario->workloads.front();
  const auto& wanted = run_.scenario->task_definitions[own.task_definition].name;
  if (!cluster) return note_rollout_not_simulated();
  const auto& definitions = cluster->task_definitions;
  const auto definition =
      std::find_if(definitions.begin(), definitions.end(), [&](const auto& one) { return one.name == wanted; });
  const auto service = std::find_if(cluster->workloads.begin(), cluster->workloads.end(),
                                    [&](const auto& one) { return one.name == run_.update->before.name; });
  if (definition == definitions.end() || service == cluster->workloads.end()) return note_rollout_not_simulated();
  Variant variant;
  variant.deployments.push_back({static_cast<std::uint32_t>(service - cluster->workloads.begin()),
                                 static_cast<std::uint32_t>(definition - definitions.begin())});
  auto rollout = deploy(*cluster, variant);
  result_.withdrawn = std::move(rollout.mistakes);
  if (!result_.withdrawn.empty()) return;
  if (rollout.deployments.empty()) return note_rollout_not_simulated();
  run_.rollout = std::move(rollout);
}

bool TaskTrial::check_simulated() {
  for (const auto& error : run_.scenario->not_simulated) {
    result_.errors.push_back(placed(error, run_.request));
  }
  for (const auto& error : placement::refuse_over_time(*run_.scenario, "dry-run")) {
    result_.errors.push_back(placed(error, run_.request));
  }
  return result_.errors.empty();
}

/// What ECS would refuse is no fault of the description.
void TaskTrial::refuse_or_fail(std::vector<Error> errors) {
  if (is_refused_by_lint()) return;
  if (lacks_count()) {
    run_.refusal = refusal_without_count();
    return;
  }
  if (const auto container = unknown_override(errors)) {
    run_.refusal = refusal_of_override(*container);
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

/// RunTask and CreateService that name neither launch type nor capacity providers (API_RunTask, API_CreateService).
bool TaskTrial::takes_default_of_fargate() {
  const auto& shares = run_.scenario->providers.default_strategy;
  const bool is_silent = !root().find("launchType") && !root().find("capacityProviderStrategy");
  const Value scheduling = root().find("schedulingStrategy");
  const bool is_daemon = scheduling && scheduling.text() == "DAEMON";
  if (verb() != Verb::kRunTask && (verb() != Verb::kCreateService || is_daemon)) return false;
  return is_silent && !shares.empty() && std::all_of(shares.begin(), shares.end(), [](const auto& share) {
           return share.capacity_provider.starts_with("FARGATE");
         });
}

/// `service`: that of UpdateService.
std::optional<CallRefusal> TaskTrial::refusal_of_fargate_call(const placement::RunningService* service) const {
  const Value count = root().find("desiredCount");
  if (lacks_count()) return refusal_without_count();
  if (count && count.integer().value_or(0) < 0) return refusal_of_negative_count();
  if (verb() != Verb::kUpdateService) return std::nullopt;
  if (service == nullptr) return refusal_of_unknown_service();
  const auto controller = service->settings.controller;
  const bool deploys_itself = controller == model::DeploymentController::kEcs;
  if (deploys_itself || !starts_deployment(root(), service->task_definition)) return std::nullopt;
  return refusal_of_controller(controller);
}

/// Tasks on Fargate use no container instance, so only the request is checked. `by`: the launch type, capacity provider
/// or default strategy because of which they run there.
void TaskTrial::start_on_fargate(std::string by) {
  if (!run_.scenario) {
    auto loaded = load_described();
    if (!loaded.scenario) {
      result_.errors = std::move(loaded.errors);
      return;
    }
    run_.scenario = std::move(loaded.scenario);
  }
  if (!check_cluster()) return;
  const auto definitions = list_definitions(*run_.scenario);
  const auto find = [&](std::string_view reference) { return definitions.find(reference, kCommandLine); };
  if (is_refused_by_lint(find)) return;
  const auto& services = run_.scenario->services;
  const Value named = root().find("service");
  const auto service = std::find_if(services.begin(), services.end(),
                                    [&](const auto& one) { return named && one.name == id_of(named.text()); });
  const auto* updated = service == services.end() ? nullptr : &*service;
  if (verb() == Verb::kUpdateService && services.empty()) return fail_without_services();
  run_.refusal = refusal_of_fargate_call(updated);
  if (run_.refusal) return;

  const Value definition = root().find("taskDefinition");
  if (definition && find(definition.text()).task == nullptr) {
    assume("definition-not-described", std::string(definition.text()),
           "it is not described: whether it can run on Fargate is unknown");
  }
  const Value written = root().find(verb() == Verb::kRunTask ? "count" : "desiredCount");
  const std::int64_t unsaid = updated != nullptr ? updated->desired_count : 1;
  const std::int64_t wanted = written ? written.integer().value_or(unsaid) : unsaid;
  const bool replaces = updated == nullptr || starts_deployment(root(), updated->task_definition);
  const std::int64_t starts = replaces ? wanted : std::max<std::int64_t>(0, wanted - updated->running_count);
  run_.on_fargate = starts;
  const std::int64_t stops = replaces ? 0 : std::max<std::int64_t>(0, updated->running_count - wanted);
  const std::string what =
      stops > 0 ? fmt::format("ECS stops {} on Fargate", count_of(stops, "task"))
                : fmt::format("{} on Fargate", starts == 1 ? "1 task starts" : fmt::format("{} tasks start", starts));
  run_.effects.push_back({"fargate", verb() == Verb::kRunTask ? "tasks" : "service",
                          fmt::format("{} ({}): no container instance of the cluster is used", what, by)});
}

bool TaskTrial::lacks_count() const {
  if (verb() != Verb::kCreateService || root().find("desiredCount")) return false;
  const Value scheduling = root().find("schedulingStrategy");
  return !scheduling || scheduling.text() != "DAEMON";
}

void TaskTrial::start_on_instances() {
  const auto started = start_tasks(*run_.scenario, named_instances());
  place();
  if (!run_.outcome) return;
  run_.failures = failures_of(started, *run_.scenario, *run_.outcome);
  using Kind = placement::PlacementFact::Kind;
  std::erase_if(run_.outcome->facts, [](const auto& fact) {  // nothing was ranked
    return fact.kind == Kind::kRandomSeed || fact.kind == Kind::kClosestInstance || fact.kind == Kind::kTieDrawn ||
           fact.kind == Kind::kTieOfScores || fact.kind == Kind::kTieFileOrder;
  });
}

void TaskTrial::place() {
  auto outcome = placement::place(*run_.scenario);
  result_.mistakes = placement::verify(*run_.scenario, outcome);
  if (!result_.mistakes.empty()) return;
  if (verb() == Verb::kRunTask) {
    run_.refusal = find_refusal(*run_.scenario, outcome);
    run_.failures = call_failures(*run_.scenario, outcome);
  }
  for (auto& finding : placement::short_subnets(*run_.scenario, outcome))
    run_.scenario->findings.push_back(std::move(finding));
  run_.outcome = std::move(outcome);
  const bool has_arns = std::all_of(run_.scenario->profiles.begin(), run_.scenario->profiles.end(),
                                    [](const auto& profile) { return !profile.arn.empty(); });
  if (!has_arns) assume("ids-for-arns", "containerInstanceArn", "instances without a known ARN have bayplan's ID");
}

}  // namespace bayplan::study
