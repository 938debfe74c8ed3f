#pragma once
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Replays a result attempt by attempt with resource accounting of its own and says every mistake that it finds: a task
/// where it may not be, resources, ports or GPUs given twice, a better candidate passed over, a failure on an instance
/// that would have taken the task, a reason that is not true, totals that do not add up. Shares no code with the
/// engine. Empty = the result is right. A mistake is a fault of the program, never of the input.
std::vector<std::string> verify(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
