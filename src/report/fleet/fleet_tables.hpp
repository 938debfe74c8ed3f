#pragma once
#include "report/document/table.hpp"
#include "report/fleet/fleet_report.hpp"

namespace bayplan::report {

/// What to buy, a row a type, and the sums: the recommended fleet, else the ideal one.
Table fleet_table(const FleetReport& report);

/// The cheapest fleets of one type, but for the one that is told already.
Table single_type_table(const FleetReport& report);

/// What is cheapest when one of its types cannot be had.
Table without_type_table(const FleetReport& report);

/// How much gets done per USD. One family.
Table rate_table(const study::FamilyRate& family);

}  // namespace bayplan::report
