#pragma once
#include <string>

#include "base/json_writer.hpp"
#include "report/document/csv.hpp"
#include "report/document/report_document.hpp"
#include "report/fleet/fleet_report.hpp"

/// The part of the fleet that runs on Spot Instances. Everything is empty without `fleet --spot`.
namespace bayplan::report {

/// "Run 28 of 40 tasks (70%) on Spot Instances in 4 pools: $0.21/h; with the On-Demand part $0.62/h, ... The loss of
/// one pool stops at most 7 tasks (18%); all fit on the rest of the fleet."
std::string spot_headline(const FleetReport& report);

/// What to buy in which pool, and the capacity provider strategies that deal the tasks to the parts.
void add_spot(ReportDocument& document, const FleetReport& report);

/// The member "spot" of the object that is open.
void write_spot_json(JsonWriter& json, const FleetReport& report);

/// A row a pool.
void write_spot_csv(CsvWriter& csv, const FleetReport& report);

}  // namespace bayplan::report
