#pragma once
#include <cstdint>
#include <vector>

#include "base/optional_index.hpp"
#include "base/percent.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// Tasks of one workload that may all go to the same instances.
struct TaskGroup {
  std::uint32_t workload = 0;       ///< Index into Scenario::workloads.
  OptionalIndex capacity_provider;  ///< Position in the workload's providers; nothing = any instance.
  std::int64_t count = 0;
};

/// So many percent more tasks, rounded up.
std::int64_t with_headroom(std::int64_t count, Percent percent);

/// All tasks but those of daemon services, in the order of workloads; those of a workload with capacity providers as
/// ECS deals them out.
std::vector<TaskGroup> group_tasks(const placement::Scenario& scenario, Percent headroom_percent);

}  // namespace bayplan::fleet
