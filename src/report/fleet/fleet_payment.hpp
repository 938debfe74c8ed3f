#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "report/fleet/fleet_report.hpp"

/// What one pays over all hours: the load, the commitments, the extras. Everything is empty where none is stated.
namespace bayplan::report {

/// "Commit to a Compute Savings Plan of $0.33/h (28% off) and scale the fleet with the load: $0.4526/h in the mean of
/// 24 hours, ... Lower bound: ..."; ends with a period.
std::string payment_headline(const FleetReport& report);

/// What it costs with and without the commitments, and at the peak all the time.
Table payment_table(const FleetReport& report);

/// The hours of the curve that have the same tasks, or some of many.
Table load_table(const FleetReport& report);

/// What each commitment covers: "Compute Savings Plan: 97% used, covers 81% of the On-Demand cost, saves 20%".
std::vector<std::string> commitment_words(const FleetReport& report);

/// "root volumes (30 GiB gp3): 5.5 x $0.0033/h, $0.0181/h (2026-09-28)", and prices that are not known.
std::vector<std::string> extra_words(const FleetReport& report);

/// How the fleets of the hours were found.
std::string evidence_words(const FleetReport& report);

void write_payment_text(std::ostream& out, const FleetReport& report, const TextOptions& options);

/// The same as a section; a page has a chart.
void add_payment(ReportDocument& document, const FleetReport& report);

/// The member "payment" of the object that is open.
void write_payment_json(JsonWriter& json, const FleetReport& report);

}  // namespace bayplan::report
