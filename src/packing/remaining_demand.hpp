#pragma once
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// What is still to pack, and what may still be bought for it.
struct RemainingDemand {
  std::vector<std::int64_t> counts;   ///< Tasks: one a shape.
  std::vector<std::int64_t> limits;   ///< Bins: one a type.
  std::vector<std::int64_t> budgets;  ///< One a budget.

  bool operator==(const RemainingDemand&) const = default;
};

/// All of the problem.
RemainingDemand all_of(const PackingProblem& problem);

std::int64_t tasks_of(const RemainingDemand& rest);

bool is_packed(const RemainingDemand& rest);

/// How many more bins of the type may be bought.
std::int64_t bins_left(const PackingProblem& problem, const RemainingDemand& rest, std::size_t type);

/// How often the pattern can be packed as it is.
std::int64_t repeats(const PackingProblem& problem, const RemainingDemand& rest, const Pattern& pattern);

/// Packs this many bins of the pattern; less than 0 undoes it.
void pack(const PackingProblem& problem, const Pattern& pattern, std::int64_t bins, RemainingDemand& rest);

}  // namespace bayplan::packing
