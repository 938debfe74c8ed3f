#pragma once
#include <ostream>
#include <string>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/document/terminal.hpp"
#include "study/whatif/comparison.hpp"
#include "study/whatif/comparison_over_time.hpp"

namespace bayplan::report {

/// What the reports of `whatif` are about; refers to what it is made of.
struct WhatIfReport {
  const placement::Scenario& scenario;
  const study::Comparison& comparison;
};

/// The answer, then baseline and variants side by side. One variant is told in detail; of many each has a row, single
/// failures the worst first, and those that leave more without a place say why and what would help.
void write_whatif_text(std::ostream& out, const WhatIfReport& report, const TextOptions& options);

/// schemas/whatif-report.schema.json, streamed.
void write_whatif_json(std::ostream& out, const WhatIfReport& report);

/// A row a variant, the baseline first. Columns and units are those of the JSON report.
void write_whatif_csv(std::ostream& out, const WhatIfReport& report);

/// Baseline and variants side by side, what they leave without a place, and what would help.
ReportDocument whatif_document(const WhatIfReport& report, Medium medium);

/// The answer, a row a run, then those that leave more undone, and deployments.
void write_whatif_over_time_text(std::ostream& out, const study::ComparisonOverTime& comparison,
                                 const TextOptions& options);

/// schemas/whatif-timeline-report.schema.json, streamed.
void write_whatif_over_time_json(std::ostream& out, const study::ComparisonOverTime& comparison);

/// Writes a comparison over time as CSV; times are in seconds.
void write_whatif_over_time_csv(std::ostream& out, const study::ComparisonOverTime& comparison);

/// The answer as a heading, the rest as it is printed.
ReportDocument whatif_over_time_document(const study::ComparisonOverTime& comparison, Medium medium);

/// "NO  lose-az us-east-2a at 1h leaves 3 tasks without a place: ...", "YES ..."
std::string over_time_headline(const study::ComparisonOverTime& comparison);

/// "each": the zone or instance of a single failure, null of other variants.
void write_each(JsonWriter& json, study::EachOf each, const std::string& lost);

}  // namespace bayplan::report
