#pragma once
#include <ostream>

#include "report/place_report.hpp"
#include "report/timeline_report.hpp"

/// The map of the cluster as a picture (`cluster_svg.hpp`).
namespace bayplan::report {

void write_place_svg(std::ostream& out, const PlaceReport& report);

/// The cluster as it stands when the run ends.
void write_timeline_svg(std::ostream& out, const TimelineReport& report);

}  // namespace bayplan::report
