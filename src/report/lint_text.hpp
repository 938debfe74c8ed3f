#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// Every finding with its source line, what to write instead and related places; then one line that sums it up.
std::unique_ptr<LintWriter> lint_text(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view);

/// "file:line:column severity CODE id: message", a line a finding and nothing else.
std::unique_ptr<LintWriter> lint_oneline(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view);

}  // namespace bayplan::report
