#pragma once
#include <ostream>
#include <string>

#include "report/place_text.hpp"
#include "study/comparison_over_time.hpp"

/// What `whatif` says of a scenario over time and its variants.
namespace bayplan::report {

/// "NO  lose-az us-east-2a at 1h leaves 3 tasks without a place: ...", "YES ..."
std::string over_time_headline(const study::ComparisonOverTime& comparison);

/// The answer, a row a run, then those that leave more undone, and deployments.
void write_whatif_over_time_text(std::ostream& out, const study::ComparisonOverTime& comparison,
                                 const PlaceTextOptions& options);

/// The answer as a heading, the rest as it is printed.
void write_whatif_over_time_markdown(std::ostream& out, const study::ComparisonOverTime& comparison);

/// schemas/whatif-timeline-report.schema.json, streamed.
void write_whatif_over_time_json(std::ostream& out, const study::ComparisonOverTime& comparison);

}  // namespace bayplan::report
