#pragma once
#include <string>

#include "base/json_writer.hpp"
#include "report/document/csv.hpp"
#include "report/document/report_document.hpp"
#include "report/fleet/fleet_report.hpp"

/// The part of the fleet that ECS launches for capacity providers of Managed Instances. Everything is empty if no task
/// uses one.
namespace bayplan::report {

/// "Capacity provider managed launches 3 m6g.large: $0.2587/h, about $189/month at 730 h (simulated)."
std::string managed_headline(const FleetReport& report);

/// The launched instances, a row for each type of a provider.
void add_managed(ReportDocument& document, const FleetReport& report);

/// The member "managedInstances" of the object that is open.
void write_managed_json(JsonWriter& json, const FleetReport& report);

/// A row for each type and zone.
void write_managed_csv(CsvWriter& csv, const FleetReport& report);

}  // namespace bayplan::report
