#pragma once
#include <string>

#include "report/place_report.hpp"

namespace bayplan::report {

/// "4 instances, CPU 12%, memory 4%, 8 of 16 GPUs in use, 2 stranded, $26.40/h"
std::string cluster_totals(const PlaceReport& report);

}  // namespace bayplan::report
