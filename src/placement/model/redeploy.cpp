#include "placement/model/redeploy.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::placement {

namespace {

// API_HealthCheck: interval.
constexpr Seconds kUsualInterval = 30;
constexpr Seconds kLeastInterval = 5;
constexpr Seconds kMaxInterval = 300;

/// Returns the time from the start of the container to its first health check; nothing if it has none that counts.
std::optional<Seconds> first_check(const model::ContainerDefinition& container) {
  const text::Value command = container.health_check ? container.health_check.find("command") : text::Value();
  if (!container.essential.value.value_or(true) || !command || command.size() == 0) return std::nullopt;
  if ((*command.children().begin()).text() == "NONE") return std::nullopt;
  const text::Value interval = container.health_check.find("interval");
  const Seconds written = interval ? interval.integer().value_or(kUsualInterval) : kUsualInterval;
  return std::clamp(written, kLeastInterval, kMaxInterval);
}

/// The slowest of the task's; nothing where no essential container has a health check.
std::optional<Seconds> slowest_check(const Scenario& scenario, const Workload& workload) {
  std::optional<Seconds> slowest;
  if (workload.task_definition >= scenario.task_definitions.size()) return slowest;
  const auto& definition = scenario.task_definitions[workload.task_definition].definition;
  for (const auto& container : definition.container_definitions) {
    if (const auto delay = first_check(container)) slowest = std::max(slowest.value_or(0), *delay);
  }
  return slowest;
}

}  // namespace

Seconds compute_health_delay(const Scenario& scenario, std::uint32_t workload) {
  const auto check = slowest_check(scenario, scenario.workloads[workload]);
  const auto& tasks = scenario.timetable.tasks;
  const auto target = workload < tasks.size() ? tasks[workload].target_healthy_after : std::nullopt;
  if (!check && !target) return scenario.timetable.timing.healthy_after;
  return std::max(check.value_or(0), target.value_or(0));
}

std::vector<Assumption> health_check_assumptions(const Scenario& scenario) {
  std::vector<Assumption> all;
  for (const auto& workload : scenario.workloads) {
    const bool is_reported =
        std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.subject == workload.name; });
    if (workload.kind == WorkloadKind::kTasks || is_reported || !slowest_check(scenario, workload)) continue;
    all.push_back(
        {"health-check-passes", workload.name,
         "every container health check passes the first time, one interval after RUNNING; timeout, retries and "
         "startPeriod make no difference"});
  }
  return all;
}

namespace {

/// Says what is assumed of one service.
class AssumptionsOfService {
 public:
  AssumptionsOfService(const Scenario& scenario, const ServicePlan& plan, std::vector<Assumption>& all)
      : timing_(scenario.timetable.timing),
        plan_(plan),
        workload_(scenario.workloads[plan.workload]),
        breaker_(plan.circuit_breaker),
        settings_(plan.settings),
        all_(all) {}

  void add_all() {
    if (!plan_.conflicts.empty()) {  // one assumption for each service, distinguished by its subject
      add("deployment-settings-conflict",
          fmt::format("{}; it is simulated with {}", join(plan_.conflicts, "; "),
                      workload_.kind == WorkloadKind::kDaemon ? "ROLLING" : settings_.name()));
    }
    if (workload_.kind == WorkloadKind::kDaemon) return;
    add_load_balancer();
    add_both_revisions();
    add_controller();
    if (!settings_.hooks.empty() && settings_.controller == model::DeploymentController::kEcs) {
      add("lifecycle-hooks-pass",
          fmt::format("every stage with lifecycle hooks passes after {}", duration_text(timing_.lifecycle_hook)));
    }
    if (settings_.alarms.enabled) add_alarms();
    if (settings_.early_success.enabled && !settings_.runs_both()) {
      add("early-success-bounds",
          "maximumPercent bounds old and new tasks together after an early success, too, and the remaining new tasks "
          "start within it");
    }
  }

 private:
  void add(std::string id, std::string text) { all_.push_back({std::move(id), workload_.name, std::move(text)}); }

  void add_load_balancer() {
    if (!settings_.has_load_balancer) return;
    const auto grace = settings_.grace_seconds;
    const bool is_short = grace > 0 && grace < timing_.target_healthy_after;
    add("load-balancer-timing",
        fmt::format("a target is healthy {} after RUNNING{}, and a task that stops is deregistered for {} first",
                    duration_text(timing_.target_healthy_after),
                    is_short
                        ? fmt::format(" (healthCheckGracePeriodSeconds {} is shorter: ECS may stop it before)", grace)
                        : std::string(),
                    duration_text(timing_.deregistration_delay)));
  }

  void add_both_revisions() {
    if (!settings_.runs_both()) return;
    add("both-revisions-kept",
        fmt::format("{}: until the old tasks are removed, both revisions are kept at desiredCount, lost tasks are "
                    "replaced in their own revision, and maximumPercent does not bound them",
                    settings_.name()));
    if (settings_.controller == model::DeploymentController::kEcs && breaker_.enabled) {
      add("circuit-breaker-strategy",
          fmt::format("the circuit breaker counts failed tasks with strategy {}, too (AWS documents both)",
                      settings_.name()));
    }
  }

  void add_controller() {
    if (settings_.controller == model::DeploymentController::kCodeDeploy) {
      add("code-deploy-settings", fmt::format("CodeDeploy moves all traffic at once and lets the old tasks run for {} "
                                              "more: its deployment group is not "
                                              "part of the service",
                                              duration_text(timing_.code_deploy_termination)));
    } else if (settings_.controller == model::DeploymentController::kExternal) {
      add("external-task-set",
          "the external controller creates a task set with a scale of 100 % and deletes the old one as soon as all of "
          "its tasks are healthy");
    }
  }

  void add_alarms() {
    const bool bakes = !settings_.runs_both();
    add("alarms-stay-ok", fmt::format("no deployment alarm goes into ALARM unless an event says so{}",
                                      bakes ? "; a ROLLING deployment watches them for " +
                                                  duration_text(timing_.alarm_bake_time) + " at its end"
                                            : std::string()));
  }

  const Timing& timing_;
  const ServicePlan& plan_;
  const Workload& workload_;
  const CircuitBreaker& breaker_;
  const model::DeploymentSettings& settings_;
  std::vector<Assumption>& all_;
};

}  // namespace

std::vector<Assumption> deployment_assumptions(const Scenario& scenario) {
  std::vector<Assumption> all;
  for (const auto& plan : scenario.timetable.services) AssumptionsOfService(scenario, plan, all).add_all();
  return all;
}

Seconds compute_stop_delay(const TaskDefinition& definition, Seconds usual) {
  Seconds longest = 0;
  for (const auto& container : definition.definition.container_definitions)
    longest = std::max(longest, container.stop_timeout.value.value_or(usual));
  return definition.container_names.empty() ? usual : longest;
}

Workload with_definition(const Scenario& scenario, const Workload& service, std::uint32_t definition) {
  const auto& before = scenario.task_definitions[service.task_definition];
  const auto& after = scenario.task_definitions[definition];
  Workload workload = service;
  workload.task_definition = definition;
  workload.requirement = after.requirement;
  // Those of the definition come first.
  workload.constraints.erase(workload.constraints.begin(),
                             workload.constraints.begin() + static_cast<std::ptrdiff_t>(before.constraints.size()));
  workload.constraints.insert(workload.constraints.begin(), after.constraints.begin(), after.constraints.end());
  if (workload.requirement.network_interfaces == 0) workload.availability_zones.reset();
  return workload;
}

std::uint32_t add_deployment(Scenario& scenario, std::uint32_t service, std::uint32_t definition) {
  auto& timetable = scenario.timetable;
  TaskTiming timing = timetable.tasks[service];
  timing.stop_delay = compute_stop_delay(scenario.task_definitions[definition], timetable.timing.stop_timeout) +
                      timing.deregistration_delay;
  timetable.tasks.push_back(timing);
  scenario.workloads.push_back(with_definition(scenario, scenario.workloads[service], definition));
  return static_cast<std::uint32_t>(scenario.workloads.size() - 1);
}

}  // namespace bayplan::placement
