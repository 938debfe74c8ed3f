#include "placement/explain/service_events.hpp"

#include "placement/explain/ecs_words.hpp"

namespace bayplan::placement {

std::vector<ServiceEvent> service_events(const Scenario& scenario, const Outcome& outcome) {
  std::vector<std::vector<const Failure*>> failures(scenario.workloads.size());
  std::vector<bool> waits(scenario.workloads.size());
  for (const auto& failure : outcome.failures) {
    if (failure.same_as) continue;
    if (is_provisioning(scenario, failure)) {
      waits[failure.attempt.workload] = true;
    } else {
      failures[failure.attempt.workload].push_back(&failure);
    }
  }
  std::vector<ServiceEvent> events;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    if (workload.kind == WorkloadKind::kTasks) continue;
    std::string last;
    for (const Failure* failure : failures[i]) {
      std::string message = placement_event(scenario, *failure);
      if (message == last) continue;
      last = message;
      events.push_back({i, "SERVICE_TASK_PLACEMENT_FAILURE", failure_reason(scenario, *failure), std::move(message)});
    }
    if (failures[i].empty() && !waits[i])
      events.push_back({i, "SERVICE_STEADY_STATE", {}, steady_state_event(workload)});
  }
  return events;
}

}  // namespace bayplan::placement
