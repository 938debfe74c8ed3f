#include "fleet/recommended/start_rank.hpp"

#include <algorithm>

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
  return {!is_distinct(workload), -task.gpu_count, -task.mps_memory - task.gpu_fraction_millionths};
}

}  // namespace bayplan::fleet
