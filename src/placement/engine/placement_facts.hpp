#pragma once
#include <vector>

#include "placement/model/outcome.hpp"

namespace bayplan::placement {

/// What the outcome rests on, in the order in which reports tell it.
std::vector<PlacementFact> find_placement_facts(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
