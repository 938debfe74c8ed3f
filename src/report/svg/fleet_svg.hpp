#pragma once
#include <ostream>

#include "report/fleet_report.hpp"

namespace bayplan::report {

/// The recommended fleet as a cluster, filled as ECS fills it in the order that the scenario writes.
void write_fleet_svg(std::ostream& out, const FleetReport& report);

}  // namespace bayplan::report
