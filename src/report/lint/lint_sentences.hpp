#pragma once
#include <string>

#include "lint/summary.hpp"

namespace bayplan::report {

/// "2 errors, 1 warning in 1 file; 3 rules skipped (unknown values)"
std::string summary_line(const lint::Summary& summary);

/// Whether folders were searched and something in them was passed over.
bool is_search_told(const lint::SearchSummary& search);
/// "41 files looked at, 3 recognized; passed over: 38 unrecognized, 2 gitignored (-v lists them)"
std::string search_line(const lint::SearchSummary& search, bool is_verbose);

}  // namespace bayplan::report
