#pragma once
#include <string>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/fleet/fleet_report.hpp"

/// What one pays over all hours: the load, the commitments, the extras. Everything is empty where none is stated.
namespace bayplan::report {

/// "Commit to a Compute Savings Plan of $0.33/h (28% off) and scale the fleet with the load: $0.4526/h in the mean of
/// 24 hours, ... Lower bound: ..."; ends with a period.
std::string payment_headline(const FleetReport& report);

/// What it costs over the load, with and without the commitments and extras; a page has a chart.
void add_payment(ReportDocument& document, const FleetReport& report);

/// The member "payment" of the object that is open.
void write_payment_json(JsonWriter& json, const FleetReport& report);

}  // namespace bayplan::report
