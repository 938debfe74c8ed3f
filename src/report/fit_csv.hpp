#pragma once
#include <ostream>

#include "capacity/fit.hpp"

namespace bayplan::report {

/// A row a task definition and instance type. Columns and units are those of the JSON report.
void write_fit_csv(std::ostream& out, const capacity::FitReport& report);

}  // namespace bayplan::report
