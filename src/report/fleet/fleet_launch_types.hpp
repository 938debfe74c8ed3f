#pragma once
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/fleet/fleet_report.hpp"

/// Where else the workload of a fleet could run, and at which cost.
namespace bayplan::report {

/// What the costs take for granted.
std::vector<Assumption> launch_type_assumptions(const FleetReport& report);

/// What the same tasks cost on each launch type, and what they require there. A first screen has it where
/// `are_compared`, by --compare; else `add_launch_type_lines`.
void add_launch_types(ReportDocument& document, const FleetReport& report, bool are_compared);

/// First screen: one line for all.
void add_launch_type_lines(ReportDocument& document, const FleetReport& report);

/// The members "launchTypes" and "arm64" of the object that is open.
void write_launch_types_json(JsonWriter& json, const FleetReport& report);

}  // namespace bayplan::report
