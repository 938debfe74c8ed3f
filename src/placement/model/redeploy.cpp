#include "placement/model/redeploy.hpp"

#include <algorithm>
#include <optional>

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
  return slowest_check(scenario, scenario.workloads[workload]).value_or(scenario.timetable.timing.healthy_after);
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
  timing.stop_delay = compute_stop_delay(scenario.task_definitions[definition], timetable.timing.stop_timeout);
  timetable.tasks.push_back(timing);
  scenario.workloads.push_back(with_definition(scenario, scenario.workloads[service], definition));
  return static_cast<std::uint32_t>(scenario.workloads.size() - 1);
}

}  // namespace bayplan::placement
