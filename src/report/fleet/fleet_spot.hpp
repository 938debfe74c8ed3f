#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/csv.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "report/fleet/fleet_report.hpp"

/// The part of the fleet that runs on Spot Instances. Everything is empty without `fleet --spot`.
namespace bayplan::report {

/// "Run 28 of 40 tasks (70%) on Spot Instances in 4 pools: $0.21/h; with the On-Demand part $0.62/h, ... The loss of
/// one pool stops at most 7 tasks (18%); all fit on the rest of the fleet."
std::string spot_headline(const FleetReport& report);

/// What to buy, a row a pool, and the sums of both parts.
Table spot_table(const FleetReport& report);

/// Capacity provider strategies that deal the tasks to the parts: "web: capacityProvider=on-demand,base=12,weight=0
/// capacityProvider=spot-1,weight=1 ...".
std::vector<std::string> spot_strategies(const FleetReport& report);

void write_spot_text(std::ostream& out, const FleetReport& report, const TextOptions& options);

void add_spot(ReportDocument& document, const FleetReport& report);

/// The member "spot" of the object that is open.
void write_spot_json(JsonWriter& json, const FleetReport& report);

/// A row a pool.
void write_spot_csv(CsvWriter& csv, const FleetReport& report);

}  // namespace bayplan::report
