#pragma once
#include <ostream>

#include "lint/lint_files.hpp"

namespace bayplan::report {

/// The report `bayplan/lint-report/1` (schemas/lint-report.schema.json).
void write_lint_json(std::ostream& out, const lint::Run& run, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::report
