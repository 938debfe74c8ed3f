#pragma once
#include <ostream>
#include <vector>

#include "base/assumption.hpp"
#include "report/style.hpp"
#include "study/why.hpp"

namespace bayplan::report {

struct WhyTextOptions {
  Style style{false};
  bool quiet = false;    ///< The answer only.
  bool verbose = false;  ///< Every instance, every assumption.
};

/// The answer, the funnel, why there or why nowhere instance by instance, and what would help.
void write_why_text(std::ostream& out, const study::Why& why, const WhyTextOptions& options);

/// Of the scenario, then of the placing.
std::vector<Assumption> assumptions_of(const study::Why& why);

}  // namespace bayplan::report
