#pragma once
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Places every task of the scenario at time 0, one after another: daemon services, services, tasks, in the order of
/// `Scenario::calls` (RunTask calls sorted under `largestFirst`). The cost of a task hardly depends on the number of
/// instances.
///
/// Every workload must have a count. Nothing is retried: at time 0 no task ends, so a second try gives the same answer.
/// `observer` may be null; what it reads of the outcome stays in place when the outcome is returned.
Outcome place(const Scenario& scenario, PlacementObserver* observer = nullptr);

}  // namespace bayplan::placement
