#pragma once
#include <ostream>
#include <vector>

#include "report/explain.hpp"

namespace bayplan::report {

/// A page of rules: a heading each, whose anchor is the code in small letters (`#bay113`). `with_contents`: an index by
/// group first, as docs/checks.md has it.
void write_explain_markdown(std::ostream& out, const std::vector<ExplainedRule>& rules, bool with_contents);

}  // namespace bayplan::report
