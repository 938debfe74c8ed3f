#pragma once
#include <ostream>

#include "report/text_options.hpp"
#include "study/comparison.hpp"

namespace bayplan::report {

/// The answer, then baseline and variants side by side. One variant is told in detail; of many each has a row, single
/// failures the worst first, and those that leave more without a place say why and what would help.
void write_whatif_text(std::ostream& out, const placement::Scenario& scenario, const study::Comparison& comparison,
                       const TextOptions& options);

}  // namespace bayplan::report
