#pragma once
#include <string>
#include <vector>

#include "report/fleet_report.hpp"

namespace bayplan::report {

/// `aws ecs start-task` lines that put the standalone tasks of the ideal fleet where it has them; instances are named
/// as reports name them, to be replaced by the ids of those that were bought. Services cannot be told where to go.
std::vector<std::string> start_task_lines(const FleetReport& report);

/// The ideal fleet bin by bin: instances, and how many tasks of each workload each of them holds.
struct AssignedBins {
  std::vector<std::string> instances;                             ///< "g4dn.12xlarge#1" ...
  std::vector<std::pair<std::uint32_t, std::int64_t>> workloads;  ///< Index into Scenario::workloads, tasks on each.
};
std::vector<AssignedBins> assigned_bins(const FleetReport& report);

}  // namespace bayplan::report
