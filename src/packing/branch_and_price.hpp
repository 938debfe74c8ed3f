#pragma once
#include "packing/effort.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Whether there are few enough tasks.
bool can_branch_and_price(const PackingProblem& problem);

/// Decides how many bins of each type there are, then which tasks share one, cheapest bound first, until nothing can
/// better `best`. Raises `lower_bound` to what is proven; does nothing where there are too many tasks.
void branch_and_price(const PackingProblem& problem, Effort& effort, Packing& best, MicroUsd& lower_bound);

}  // namespace bayplan::packing
