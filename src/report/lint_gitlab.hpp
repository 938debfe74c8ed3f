#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// The Code Quality report of GitLab: a list of issues (https://docs.gitlab.com/ci/testing/code_quality/).
std::unique_ptr<LintWriter> lint_gitlab(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
