#pragma once
#include <string>
#include <vector>

#include "report/fleet_report.hpp"

namespace bayplan::report {

/// `aws ecs start-task` lines that put the standalone tasks of the ideal fleet where it has them; instances are named
/// as reports name them, to be replaced by the ids of those that were bought. Services cannot be told where to go.
std::vector<std::string> start_task_lines(const FleetReport& report);

}  // namespace bayplan::report
