#pragma once
#include <memory>

#include "placement/engine/index_engine.hpp"

namespace bayplan::placement {

/// The chooser of the scenario: by Scenario::policy, else by the strategies of each workload. Both make the same
/// checks.
std::unique_ptr<IndexChooser> make_chooser(const Occupancy& occupancy);

}  // namespace bayplan::placement
