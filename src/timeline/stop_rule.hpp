#pragma once
#include <cstdint>
#include <vector>

#include "timeline/cluster.hpp"

namespace bayplan::timeline {

/// Which of a service's tasks ECS stops first (ECS developer guide, task-placement-strategies; UpdateService): binpack
/// where most of the field is left, spread where the group has most tasks, without a strategy in the zone with most and
/// there on the instance with most. Among equals the latest arrival.
///
/// `candidates`: placed tasks, at least one. `tasks`: all tasks of the service that count in its group. `workload`:
/// whose strategies decide.
std::uint32_t task_to_stop(const Cluster& cluster, std::vector<std::uint32_t> candidates,
                           const std::vector<std::uint32_t>& tasks, std::uint32_t workload);

}  // namespace bayplan::timeline
