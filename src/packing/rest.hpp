#pragma once
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// What is still to pack, and what may still be bought for it.
struct Rest {
  std::vector<std::int64_t> counts;   ///< Tasks: one a shape.
  std::vector<std::int64_t> limits;   ///< Bins: one a type.
  std::vector<std::int64_t> budgets;  ///< One a budget.

  bool operator==(const Rest&) const = default;
};

/// All of the problem.
Rest all_of(const PackingProblem& problem);

bool is_packed(const Rest& rest);

/// How many more bins of the type may be bought.
std::int64_t bins_left(const PackingProblem& problem, const Rest& rest, std::size_t type);

/// How often the pattern can be packed as it is.
std::int64_t repeats(const PackingProblem& problem, const Rest& rest, const Pattern& pattern);

/// Packs so many bins of the pattern; less than 0 undoes it.
void pack(const PackingProblem& problem, const Pattern& pattern, std::int64_t bins, Rest& rest);

}  // namespace bayplan::packing
