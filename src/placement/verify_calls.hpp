#pragma once
#include <string>
#include <vector>

#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// Part of `verify`: calls that are placed as a whole or not at all, and are not; workloads without a count that end
/// for no reason.
std::vector<std::string> mistakes_in_calls(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
