#pragma once
#include <vector>

#include "fleet/market.hpp"
#include "fleet/question.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::fleet {

/// Limits the types of the problem, which are `bins`: those of one offer by themselves where it has but one, else, as
/// those of one instance type and of a vCPU quota, together.
void add_limits(const Market& market, const std::vector<BinOrigin>& bins, packing::PackingProblem& problem);

}  // namespace bayplan::fleet
