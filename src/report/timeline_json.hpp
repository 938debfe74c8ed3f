#pragma once
#include <ostream>

#include "base/json_writer.hpp"
#include "report/place_json.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// schemas/place-report.schema.json with "timeline", streamed.
void write_timeline_json(std::ostream& out, const TimelineReport& report, const PlaceJsonOptions& options);

/// The members of "timeline" that sum a run up, from "end" to "groups".
void write_timeline_figures(JsonWriter& json, const TimelineReport& report);

}  // namespace bayplan::report
