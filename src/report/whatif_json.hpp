#pragma once
#include <ostream>

#include "study/comparison.hpp"

namespace bayplan::report {

/// schemas/whatif-report.schema.json, streamed.
void write_whatif_json(std::ostream& out, const placement::Scenario& scenario, const study::Comparison& comparison);

}  // namespace bayplan::report
