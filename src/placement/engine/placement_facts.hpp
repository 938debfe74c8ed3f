#pragma once
#include <vector>

#include "placement/model/outcome.hpp"

namespace bayplan::placement {

/// What the outcome depends on, in the order of reports.
std::vector<PlacementFact> find_placement_facts(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
