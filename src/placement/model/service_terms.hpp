#pragma once
#include <cstdint>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Whether no task of the service is ever placed on container instances of EC2: it has another launch type, or all its
/// capacity providers are those of Fargate.
bool runs_elsewhere(const RunningService& service);

/// Makes the workload's tasks go where those of the service go. The constraints of its task definition are there
/// already; those of the service come behind them.
void take_terms(const RunningService& service, Workload& workload);

/// Whether ECS would move tasks of a service between zones when availabilityZoneRebalancing is ENABLED: replica
/// services that spread over zones first, or state no strategy, with a maximumPercent above 100 and without a
/// constraint on the zone (ECS developer guide, service-rebalancing; aws/aws-cdk 32259, 32263).
bool may_rebalance(const Workload& workload, std::int64_t maximum_percent);

}  // namespace bayplan::placement
