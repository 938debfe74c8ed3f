#pragma once
#include "report/document/document.hpp"
#include "report/place_report.hpp"
#include "report/timeline_report.hpp"

namespace bayplan::report {

/// Where the tasks of a scenario are placed and which are not; a page draws the cluster. The report must outlive the
/// document.
Document place_document(const PlaceReport& report, Medium medium);

/// The same of a run over time: waits, deployments, what was cut off, and the cluster at its end.
Document timeline_document(const TimelineReport& report, Medium medium);

}  // namespace bayplan::report
