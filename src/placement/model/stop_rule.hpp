#pragma once
#include <cstdint>
#include <vector>

#include "placement/engine/occupancy.hpp"

namespace bayplan::placement {

/// A task of a service as the rule looks at it.
struct StoppableTask {
  std::uint32_t task = 0;  ///< The later it came, the larger.
  std::uint32_t instance = 0;
  const capacity::TaskRequirement* requirement = nullptr;
};

/// Which of a service's tasks ECS stops first (ECS developer guide, task-placement-strategies; UpdateService): binpack
/// where most of the field is left, spread where the group has most tasks, without a strategy in the zone with most and
/// there on the instance with most. Among equals the latest arrival.
///
/// `candidates`: at least one. `tasks`: all tasks of the service that count in its group. `workload`: whose strategies
/// decide. Returns `StoppableTask::task`.
std::uint32_t task_to_stop(const Occupancy& occupancy, std::vector<StoppableTask> candidates,
                           const std::vector<StoppableTask>& tasks, std::uint32_t workload);

}  // namespace bayplan::placement
