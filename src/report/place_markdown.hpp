#pragma once
#include <ostream>

#include "report/place_report.hpp"
#include "report/timeline_report.hpp"

/// What `place` says, as a comment on a pull request: the answer, a row a service or call, what has no place and why;
/// the instances and what is taken for granted folded.
namespace bayplan::report {

void write_place_markdown(std::ostream& out, const PlaceReport& report);
void write_timeline_markdown(std::ostream& out, const TimelineReport& report);

}  // namespace bayplan::report
