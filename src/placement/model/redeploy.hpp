#pragma once
#include <cstdint>
#include <vector>

#include "placement/model/scenario.hpp"

/// New deployments of services that the scenario has.
namespace bayplan::placement {

/// The containers of a task stop side by side: the slowest decides. `usual`: of those that state no stopTimeout.
Seconds compute_stop_delay(const TaskDefinition& definition, Seconds usual);

/// Returns the time from RUNNING to healthy for a task of a service: the longest `interval` (30 s when absent) of its
/// essential containers with a health check, each of which passes the first time, and the time that its load balancer
/// takes; Timing::healthy_after where it has neither. Source: API_HealthCheck, API_DeploymentConfiguration
/// (minimumHealthyPercent). `workload`: index into Scenario::workloads.
Seconds compute_health_delay(const Scenario& scenario, std::uint32_t workload);

/// What is assumed of the health checks of the scenario's services where time passes: one for each service that has
/// some.
std::vector<Assumption> health_check_assumptions(const Scenario& scenario);

/// Lists what is assumed of the deployments of the scenario's services where time passes: one assumption for each
/// service and setting that a document leaves open.
std::vector<Assumption> deployment_assumptions(const Scenario& scenario);

/// Tasks of the service with another definition: all but what the definition says is as it was.
Workload with_definition(const Scenario& scenario, const Workload& service, std::uint32_t definition);

/// The same, behind the other workloads; its index. It is not attempted before an event of the timetable names it.
std::uint32_t add_deployment(Scenario& scenario, std::uint32_t service, std::uint32_t definition);

}  // namespace bayplan::placement
