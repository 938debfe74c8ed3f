#pragma once
#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/place/place_report.hpp"

/// The section "A better scheduler" of the reports of `place`.
namespace bayplan::report {

/// What a scheduler with a policy of the literature gains, and how ECS comes near to it; nothing where nothing is
/// gained. Where the cluster is too large to try one, tasks that are not placed get a line that says so under `-v`.
void add_better_scheduler(ReportDocument& document, const PlaceReport& report);

/// Member "betterScheduler": absent where nothing is gained, null where nothing was tried.
void write_better_scheduler_json(JsonWriter& json, const PlaceReport& report, const PlaceJsonOptions& options);

}  // namespace bayplan::report
