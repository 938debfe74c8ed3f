#pragma once
#include <ostream>

#include "study/comparison.hpp"
#include "study/comparison_over_time.hpp"

namespace bayplan::report {

/// A row a variant, the baseline first. Columns and units are those of the JSON report.
void write_whatif_csv(std::ostream& out, const study::Comparison& comparison);

/// The same of a scenario over time; times in seconds.
void write_whatif_over_time_csv(std::ostream& out, const study::ComparisonOverTime& comparison);

}  // namespace bayplan::report
