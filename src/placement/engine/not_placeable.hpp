#pragma once
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Why the scenario cannot be placed: what this release does not simulate, and tasks of which there is no end; every
/// place of it.
std::vector<Error> not_placeable(const Scenario& scenario);

}  // namespace bayplan::placement
