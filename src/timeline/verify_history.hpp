#pragma once
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// Walks through a log with resource accounting of its own (placement/verify/resource_usage.hpp) and says every mistake
/// that it finds: a task where it may not be, resources, ports or GPUs given twice, a task that overtakes the queue or
/// fails next to an instance that would have taken it, times and causes out of order, tasks that the log and their
/// record describe differently. Shares no code with the simulation. Linear in the log. Empty = no mistake; a mistake
/// is a fault of the program, never of the input.
std::vector<std::string> verify(const placement::Scenario& scenario, const History& history);

}  // namespace bayplan::timeline
