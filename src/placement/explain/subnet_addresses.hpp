#pragma once
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Subnets with fewer free addresses than tasks that are placed and can start in no other subnets: ECS does not check
/// this before it places them, and those without an address stop (`InsufficientFreeAddressesInSubnet`, as in
/// https://github.com/paradisec-archive/nabu/pull/1259). At time 0 only: over time, tasks that stop give addresses
/// back.
std::vector<ClusterFinding> short_subnets(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
