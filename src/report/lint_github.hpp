#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// Workflow commands of GitHub Actions, which become annotations. GitHub shows ten errors, ten warnings and ten notices
/// a step: the most severe come first, and the last notice says how many more there are.
std::unique_ptr<LintWriter> lint_github(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
