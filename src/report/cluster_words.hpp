#pragma once
#include <string>

#include "placement/summary.hpp"

namespace bayplan::report {

/// "4 instances, CPU 12%, memory 4%, 8 of 16 GPUs in use, 2 stranded, $26.40/h"
std::string cluster_totals(const placement::Summary& summary);

}  // namespace bayplan::report
