#pragma once
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// Places every task of the scenario at time 0, one after another: daemon services, services, tasks, in the order of
/// `Scenario::workloads` (RunTask calls sorted under `largestFirst`). Looks at every instance for every task: slow on
/// large clusters and plain to read, which makes it the oracle of any faster engine.
///
/// Every workload must have a count. Nothing is retried: at time 0 no task ends, so a second try gives the same answer.
Outcome place(const Scenario& scenario);

/// The order in which the workloads take their turns: indices into Scenario::workloads.
std::vector<std::uint32_t> placement_order(const Scenario& scenario);

}  // namespace bayplan::placement
