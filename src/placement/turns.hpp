#pragma once
#include <cstdint>
#include <vector>

#include "placement/chooser.hpp"
#include "placement/progress.hpp"

namespace bayplan::placement {

/// The order in which the workloads take their turns; under `largestFirst` RunTask calls are sorted.
std::vector<Call> placement_order(const Scenario& scenario);

/// Gives every task of the scenario its turn, one after another. A task like one that just failed is not looked at
/// again while nothing has been placed: at time 0 nothing is ever freed.
///
/// A workload without a count has turns until one fails. A call of `all_or_nothing` is tried task by task; when one has
/// no place, the others give theirs back. Ends early when the chooser wants no more.
void take_turns(Progress& progress, Chooser& chooser);

}  // namespace bayplan::placement
