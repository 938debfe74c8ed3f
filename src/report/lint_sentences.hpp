#pragma once
#include <string>

#include "lint/summary.hpp"

namespace bayplan::report {

/// "2 errors, 1 warning in 1 file; 3 rules skipped (unknown values)"
std::string summary_line(const lint::Summary& summary);

}  // namespace bayplan::report
