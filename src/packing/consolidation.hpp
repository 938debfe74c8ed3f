#pragma once
#include "packing/effort.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Betters a packing of all tasks bin by bin: each bin becomes one of the cheapest type that holds its tasks, and two
/// become one where that costs no more. So of equal costs the one with fewer bins is left, and of equal types the
/// first.
void consolidate(const PackingProblem& problem, Packing& packing, Effort& effort);

}  // namespace bayplan::packing
