#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/percent.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// Tasks of one workload that may all go to the same instances.
struct TaskGroup {
  std::uint32_t workload = 0;          ///< Index into Scenario::workloads.
  std::string_view capacity_provider;  ///< Empty = any instance. Views the scenario.
  std::int64_t count = 0;
};

/// All tasks but those of daemon services, in the order of workloads; those of a workload with capacity providers as
/// ECS deals them out.
std::vector<TaskGroup> group_tasks(const placement::Scenario& scenario, Percent headroom_percent);

}  // namespace bayplan::fleet
