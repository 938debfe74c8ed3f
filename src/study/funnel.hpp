#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "placement/checks.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::study {

/// One check, and the instances that it takes out: those that passed all checks before it.
struct FunnelStep {
  placement::Check check = placement::Check::kStatus;
  placement::InstanceStatus status = placement::InstanceStatus::kActive;  ///< Of kStatus: a step for each.
  std::optional<std::uint32_t>
      constraint;  ///< Of kMemberOf: the first constraint that fails, index into the workload's.
  std::int64_t removed = 0;
  std::int64_t left = 0;
  std::vector<std::uint32_t> instances;  ///< The first of those removed, at most kFunnelNames.
};

inline constexpr std::size_t kFunnelNames = 10;

/// From every instance of the cluster to the candidates, in the order of checks; only steps that remove any.
struct Funnel {
  std::int64_t instances = 0;
  std::vector<FunnelStep> steps;
  std::vector<std::uint32_t> candidates;  ///< In file order.
};

}  // namespace bayplan::study
