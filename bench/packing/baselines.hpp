#pragma once
#include <optional>

#include "packing/packing_problem.hpp"

/// Simple planners without a bound, for comparison with the search.
namespace bayplan::bench {

/// First fit decreasing: tasks by falling sum of their shares, each into the first bin that takes it; a bin stays of
/// every type that holds its tasks, and becomes the cheapest of these at the end (as Karpenter does). With one type it
/// is the plain rule. Nothing when a task fits no type.
std::optional<MicroUsd> first_fit_decreasing(const packing::PackingProblem& problem);

/// The cheapest type alone, filled first fit decreasing; one type for each kind of tasks that the same types take (the
/// architectures). Nothing when no type takes all tasks of a kind.
std::optional<MicroUsd> best_single_type(const packing::PackingProblem& problem);

}  // namespace bayplan::bench
