#pragma once
#include <cstdint>

#include "placement/scenario.hpp"

/// New deployments of services that the scenario has.
namespace bayplan::placement {

/// The containers of a task stop side by side: the slowest decides. `usual`: of those that state no stopTimeout.
Seconds stop_delay_of(const TaskDefinition& definition, Seconds usual);

/// Tasks of the service with another definition: all but what the definition says is as it was.
Workload with_definition(const Scenario& scenario, const Workload& service, std::uint32_t definition);

/// The same, behind the other workloads; its index. It has no turn before an event of the timetable names it.
std::uint32_t add_deployment(Scenario& scenario, std::uint32_t service, std::uint32_t definition);

}  // namespace bayplan::placement
