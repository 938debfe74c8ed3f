#pragma once
#include <ostream>

#include "report/whatif_text.hpp"
#include "study/comparison_over_time.hpp"

namespace bayplan::report {

/// `whatif` as one HTML file: the answer, before and after side by side, what each variant leaves without a place and
/// what would help.
void write_whatif_page(std::ostream& out, const placement::Scenario& scenario, const study::Comparison& comparison);
void write_whatif_over_time_page(std::ostream& out, const study::ComparisonOverTime& comparison);

}  // namespace bayplan::report
