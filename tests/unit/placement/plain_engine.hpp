#pragma once
#include <memory>

#include "placement/engine/chooser.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What `place` does, without an index: every instance is looked at for every task. Slow and plain to read, which makes
/// it the oracle.
Outcome place_plainly(const Scenario& scenario);

/// How it chooses, over a cluster that may change.
std::unique_ptr<Chooser> plain_chooser(const Occupancy& occupancy);

}  // namespace bayplan::placement
