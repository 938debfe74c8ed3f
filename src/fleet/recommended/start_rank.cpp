#include "fleet/recommended/start_rank.hpp"

#include <algorithm>
#include <limits>

namespace bayplan::fleet {

using placement::Constraint;
using placement::Workload;

bool is_distinct(const Workload& workload) {
  return std::any_of(workload.constraints.begin(), workload.constraints.end(), [](const Constraint& constraint) {
    return constraint.type == placement::ConstraintType::kDistinctInstance;
  });
}

std::tuple<bool, std::int64_t, std::int64_t> start_rank(const Workload& workload) {
  const auto& task = workload.requirement;
  const std::int64_t devices = task.wants_neuron() ? std::numeric_limits<std::int32_t>::max() : task.gpu_count;
  return {!is_distinct(workload), -devices, -task.mps_memory - task.gpu_fraction_millionths};
}

}  // namespace bayplan::fleet
