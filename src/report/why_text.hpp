#pragma once
#include <ostream>
#include <vector>

#include "base/assumption.hpp"
#include "report/text_options.hpp"
#include "study/why.hpp"

namespace bayplan::report {

/// The answer, the funnel, why there or why nowhere instance by instance, and what would help.
void write_why_text(std::ostream& out, const study::Why& why, const TextOptions& options);

/// Of the scenario, then of the placing.
std::vector<Assumption> assumptions_of(const study::Why& why);

}  // namespace bayplan::report
