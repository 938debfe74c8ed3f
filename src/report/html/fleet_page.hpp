#pragma once
#include <ostream>

#include "report/fleet_report.hpp"

namespace bayplan::report {

/// `fleet` as one HTML file: the answer, what to buy, recommended against bound, ideal and alternatives, and the rest
/// of the report.
void write_fleet_page(std::ostream& out, const FleetReport& report);

}  // namespace bayplan::report
