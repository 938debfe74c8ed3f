#pragma once
#include <ostream>

#include "report/glyphs.hpp"
#include "report/style.hpp"
#include "study/comparison.hpp"

namespace bayplan::report {

struct WhatIfTextOptions {
  Style style{false};
  Glyphs glyphs;
  bool quiet = false;    ///< The answer only.
  bool verbose = false;  ///< Every variant, service, instance and assumption.
};

/// The answer, then baseline and variants side by side. One variant is told in detail; of many each has a row, single
/// failures the worst first, and those that leave more without a place say why and what would help.
void write_whatif_text(std::ostream& out, const placement::Scenario& scenario, const study::Comparison& comparison,
                       const WhatIfTextOptions& options);

}  // namespace bayplan::report
