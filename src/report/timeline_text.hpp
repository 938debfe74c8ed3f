#pragma once
#include <ostream>

#include "report/place_text.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// The answer, what it costs, when each task ran, the run as a chart, what happened and why, and the cluster at the
/// end.
void write_timeline_text(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

}  // namespace bayplan::report
