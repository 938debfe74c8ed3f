#pragma once
#include <ostream>

#include "timeline/figures.hpp"

namespace bayplan::report {

/// The run as RFC 4180: a row of names, then one a bucket; numbers with a point, times in seconds.
void write_timeline_csv(std::ostream& out, const timeline::Series& series);

}  // namespace bayplan::report
