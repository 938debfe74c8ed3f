#pragma once
#include <ostream>

#include "report/place_json.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// schemas/place-report.schema.json with "timeline", streamed.
void write_timeline_json(std::ostream& out, const TimelineReport& report, const PlaceJsonOptions& options);

}  // namespace bayplan::report
