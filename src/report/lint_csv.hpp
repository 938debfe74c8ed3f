#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// A row a finding, suppressed ones too. Columns are members of the JSON report.
std::unique_ptr<LintWriter> lint_csv(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
