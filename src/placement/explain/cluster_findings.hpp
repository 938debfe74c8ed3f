#pragma once
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What a reader should know of the cluster, whether or not everything was placed:
///   gpu-not-registered        a type with GPUs registers none
///   cpu-tasks-on-gpu-instances  CPU-only tasks run on GPU instances, and the GPUs that they keep others from
///   service-not-kept-off-gpus   nothing keeps a CPU-only service off the GPU instances
///   unavailable-gpus          GPUs on instances that take no tasks
///   gpu-need-not-met          a task runs on a GPU that is not what its `needs` or labels ask for
///   subnet-addresses-short    tasks that get no address in their subnets
///   runtime-platform-not-filtered  what keeps a task off instances of another architecture or operating system, or
///   nothing does
std::vector<ClusterFinding> cluster_findings(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
