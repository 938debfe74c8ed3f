#include "placement/redeploy.hpp"

#include <algorithm>

namespace bayplan::placement {

Seconds stop_delay_of(const TaskDefinition& definition, Seconds usual) {
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
  timing.stop_delay = stop_delay_of(scenario.task_definitions[definition], timetable.timing.stop_timeout);
  timetable.tasks.push_back(timing);
  scenario.workloads.push_back(with_definition(scenario, scenario.workloads[service], definition));
  return static_cast<std::uint32_t>(scenario.workloads.size() - 1);
}

}  // namespace bayplan::placement
