#pragma once
#include <ostream>

#include "report/place_report.hpp"

namespace bayplan::report {

/// A row a task, in order of turns: where it is, or why it has no place.
void write_place_csv(std::ostream& out, const PlaceReport& report);

}  // namespace bayplan::report
