#pragma once
#include "report/lint_writer.hpp"

namespace bayplan::report {

/// The report `bayplan/lint-report/1` (schemas/lint-report.schema.json).
std::unique_ptr<LintWriter> lint_json(std::ostream& out, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
