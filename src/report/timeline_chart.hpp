#pragma once
#include <ostream>

#include "report/place_text.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// Utilisation, tasks without a place, instances and cost over time, a line each, with a time axis.
void write_timeline_chart(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

}  // namespace bayplan::report
