#pragma once
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// What `place` does, without an index: every instance is looked at for every task. Slow and plain to read, which makes
/// it the oracle.
Outcome place_plainly(const Scenario& scenario);

}  // namespace bayplan::placement
