#pragma once
#include <cstdint>
#include <vector>

#include "study/repack/repack_drains.hpp"

namespace bayplan::study {

/// Steps in order, each of instances that drain at the same time.
using DrainSteps = std::vector<std::vector<std::uint32_t>>;

struct DrainChoice {
  DrainSteps steps;
  std::int64_t weight = 0;
  std::int64_t moves = 0;
};

/// Looks for the plan that saves most, of those with the fewest moves. First greedily, by several orders; then by
/// changing the best order: what stays goes first, what goes stays. Every plan that is looked at is simulated; the
/// search stops by counted effort. `most`: no plan weighs more.
DrainChoice find_drains(Drains& drains, const RepackRequest& request, std::int64_t most, std::uint64_t seed);

}  // namespace bayplan::study
