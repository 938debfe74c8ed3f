#pragma once
#include <cstdint>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Whether ECS would move tasks of a service between zones when availabilityZoneRebalancing is ENABLED: replica
/// services that spread over zones first, or state no strategy, with a maximumPercent above 100 and without a
/// constraint on the zone (ECS developer guide, service-rebalancing; aws/aws-cdk 32259, 32263).
bool may_rebalance(const Workload& workload, std::int64_t maximum_percent);

}  // namespace bayplan::placement
