#pragma once
#include <ostream>
#include <string>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/whatif/whatif_report.hpp"

/// The parts of the reports of `whatif` whose figures are those of a run over time.
namespace bayplan::report {

/// "NO  lose-az us-east-2a at 1h leaves 3 tasks without a place: ...", "YES ..."
std::string over_time_headline(const study::Comparison& comparison);

void write_runs_json(std::ostream& out, const study::Comparison& comparison);
void write_runs_csv(std::ostream& out, const study::Comparison& comparison);
ReportDocument runs_document(const study::Comparison& comparison);

/// "each": the zone or instance of a single failure, null of other variants.
void write_each(JsonWriter& json, const study::AskedVariant& asked);

}  // namespace bayplan::report
