#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// JUnit XML, a suite a file and a case a finding: a finding at or above `fail_on` fails, one below it is printed as
/// the case's output, and a file without findings is a case that passes.
std::unique_ptr<LintWriter> lint_junit(std::ostream& out, const Lazy<rules::RuleData>& data, Severity fail_on);

}  // namespace bayplan::report
