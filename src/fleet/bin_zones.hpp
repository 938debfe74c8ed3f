#pragma once
#include <string>
#include <vector>

#include "placement/scenario.hpp"

namespace bayplan::fleet {

/// The zones that instances are to be told apart by, as some workload cares: sorted; empty when none does. `stated`:
/// where the fleet may stand; empty = in any zone that the scenario names.
std::vector<std::string> zones_to_tell_apart(const placement::Scenario& scenario,
                                             const std::vector<std::string>& stated);

}  // namespace bayplan::fleet
