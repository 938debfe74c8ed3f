#pragma once
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// One finding for each container and instance type whose GPUs are not what the container is said to need. ECS does
/// not look at the kind of GPU.
std::vector<ClusterFinding> unmet_gpu_needs(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
