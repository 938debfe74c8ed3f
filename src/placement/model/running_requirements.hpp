#pragma once
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What each of Scenario::running takes, as far as the scenario knows its definition.
std::vector<capacity::TaskRequirement> requirements_of_running(const Scenario& scenario);

}  // namespace bayplan::placement
