#pragma once
#include "study/whatif/comparison.hpp"

namespace bayplan::study {

/// `compare` for a scenario over time.
Comparison compare_over_time(const placement::Scenario& scenario, const ComparisonRequest& request);

}  // namespace bayplan::study
