#pragma once
#include <vector>

#include "base/assumption.hpp"
#include "placement/model/outcome.hpp"

namespace bayplan::report {

/// The words for what a placement rests on; ids are listed in docs/placement.md.
std::vector<Assumption> placement_assumptions(const std::vector<placement::PlacementFact>& facts);

}  // namespace bayplan::report
