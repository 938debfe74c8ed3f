#pragma once
#include <ostream>

#include "report/place_text.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// What happened, and why: one line for all events of an instant that are alike. The first thirty, or all of them with
/// `verbose`; of a continued run only what came after.
void write_timeline_log(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options);

}  // namespace bayplan::report
