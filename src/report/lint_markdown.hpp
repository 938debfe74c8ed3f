#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// For a pull request or a job summary: a heading that sums up, then a table, most severe first. At most 50 rows, since
/// a comment on GitHub holds 65,536 characters; the last line says how many more.
std::unique_ptr<LintWriter> lint_markdown(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
