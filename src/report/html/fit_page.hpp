#pragma once
#include <ostream>

#include "capacity/fit.hpp"

namespace bayplan::report {

/// `fit` as one HTML file: for each task definition the instance types that hold it, and why the others do not.
void write_fit_page(std::ostream& out, const capacity::FitReport& report);

}  // namespace bayplan::report
