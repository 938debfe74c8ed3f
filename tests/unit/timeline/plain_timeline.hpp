#pragma once
#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// What `simulate` does, written from the rules alone (docs/timeline.md): no heap of what is due, no index; every task,
/// instance and group is looked at whenever something is asked. Slow and plain to read, which makes it the oracle.
/// Causes of events and explanations of failures are left out.
History simulate_plainly(const placement::Scenario& scenario);

}  // namespace bayplan::timeline
