#pragma once
#include <ostream>

#include "report/place_report.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// `place` as one HTML file: the answer, the map of the cluster, its instances, how broken up its room is, what has no
/// place and why; of a run over time charts and a slider that moves the map.
void write_place_page(std::ostream& out, const PlaceReport& report);
void write_timeline_page(std::ostream& out, const TimelineReport& report);

}  // namespace bayplan::report
