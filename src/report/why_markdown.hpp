#pragma once
#include <ostream>

#include "study/why.hpp"

namespace bayplan::report {

/// The answer, the funnel, why there or what would help; each instance's reasons folded.
void write_why_markdown(std::ostream& out, const study::Why& why);

}  // namespace bayplan::report
