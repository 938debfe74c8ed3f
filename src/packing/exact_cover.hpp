#pragma once
#include <vector>

#include "packing/effort.hpp"
#include "packing/remaining_demand.hpp"

namespace bayplan::packing {

/// The result of a search for a packing of a few tasks.
struct ExactCover {
  Packing packing;          ///< Empty when none was found.
  bool is_decided = false;  ///< False when the search ended before it had found a packing or seen that there is none.
};

/// Packs the rest, of a problem with one type, into this many bins at most: lists every filling that loses no more of
/// `worth` than all bins together may, and looks for some that take each task once. `worth`: NanoUsd a task, one entry
/// a shape, such that no bin holds more than its price. Undecided for more tasks than about 64, and for too many
/// fillings.
ExactCover cover_exactly(const PackingProblem& problem, const RemainingDemand& rest, const std::vector<NanoUsd>& worth,
                         std::int64_t bins, Effort& effort);

}  // namespace bayplan::packing
