#pragma once
#include <ostream>

#include "capacity/fit.hpp"

namespace bayplan::report {

/// Of each definition the answer and the types that hold it; why others do not, folded.
void write_fit_markdown(std::ostream& out, const capacity::FitReport& report);

}  // namespace bayplan::report
