#pragma once
#include <ostream>

#include "replay/replay.hpp"

namespace bayplan::replay {

/// Writes the records as a scenario over time (schemas/scenario.schema.json): the instances, those that joined later as
/// events, and each placement as a RunTask request with its time, its duration and the strategies of its call or
/// service. Time 0 is the snapshot, or the first placement.
void write_recorded_scenario(std::ostream& out, const ReplayResult& result);

}  // namespace bayplan::replay
