#pragma once
#include <ostream>

#include "study/comparison.hpp"

namespace bayplan::report {

/// The answer as a heading, the table of figures, what lacks a place, and what would help: a comment or a page.
void write_whatif_markdown(std::ostream& out, const study::Comparison& comparison);

}  // namespace bayplan::report
