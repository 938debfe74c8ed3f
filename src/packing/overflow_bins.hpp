#pragma once
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Adds for each shape a type of bin for one task of it, dearer than any real bins: so every problem has a packing, and
/// what is in such a bin is left over. None when every shape fits an unlimited type.
void add_overflow_bins(PackingProblem& problem);

/// How far the cost of a packing may stay above the bound and still count as proven. Where tasks are in overflow bins
/// no bound is reported, and their price drowns the last digits of the search's: a little then, else nothing.
MicroUsd compute_slack(const PackingProblem& problem, const Packing& packing);

/// Takes the overflow bins out of the packing: the tasks that stood there, one number a shape.
std::vector<std::int64_t> take_left_over(const PackingProblem& problem, Packing& packing);

}  // namespace bayplan::packing
