#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// A lint run as one HTML file: each finding at its place in the source, with what to write instead, and the fix beside
/// it where there is one. Lines of source that hold a secret are not shown.
std::unique_ptr<LintWriter> lint_page(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
