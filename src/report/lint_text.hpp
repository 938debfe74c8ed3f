#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "lint/lint.hpp"
#include "report/style.hpp"

namespace bayplan::report {

/// "file:line:column severity CODE id: message", a line a finding and nothing else.
void write_lint_oneline(std::ostream& out, const lint::FileReport& report, const rules::RuleData& data,
                        const Style& style);

}  // namespace bayplan::report
