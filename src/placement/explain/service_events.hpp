#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What the events of a service say at time 0 (describe-services `events`; names of ecs_cwe_events.html).
struct ServiceEvent {
  std::uint32_t workload = 0;
  std::string name;     ///< "SERVICE_TASK_PLACEMENT_FAILURE", "SERVICE_STEADY_STATE"
  std::string reason;   ///< Reason of a placement failure: "RESOURCE:GPU". Otherwise empty.
  std::string message;  ///< The message in the words of ECS.
};

/// Events of each service in the order of attempts: one for each reason of a failure (ECS suppresses repeated ones), or
/// that it is steady, where every task has a place. Tasks that have a place count as running; while
/// one is PROVISIONING there is neither.
std::vector<ServiceEvent> service_events(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
