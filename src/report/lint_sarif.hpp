#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// SARIF 2.1.0 with safe fixes, fingerprints and suppressions.
std::unique_ptr<LintWriter> lint_sarif(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
