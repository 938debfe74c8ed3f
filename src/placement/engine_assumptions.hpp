#pragma once
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// Adds what the placement rested on where ECS is silent; ids are listed in docs/placement.md.
void add_engine_assumptions(const Scenario& scenario, Outcome& outcome);

}  // namespace bayplan::placement
