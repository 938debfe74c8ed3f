#pragma once
#include <ostream>

#include "lint/lint_files.hpp"
#include "report/style.hpp"

namespace bayplan::report {

/// What a text report of a lint run leaves out and adds.
struct LintTextOptions {
  Style style{false};
  bool quiet = false;    ///< Only findings at or above `fail_on`, no summary.
  bool verbose = false;  ///< Skipped rules too, each with its reason.
  Severity fail_on = Severity::kError;
};

/// Every finding with its source line, what to write instead and related places; then one line that sums it up.
void write_lint_text(std::ostream& out, const lint::Run& run, const Lazy<rules::RuleData>& data,
                     const LintTextOptions& options);

/// "file:line:column severity CODE id: message", a line a finding and nothing else.
void write_lint_oneline(std::ostream& out, const lint::FileReport& report, const Lazy<rules::RuleData>& data,
                        const LintTextOptions& options = {});

}  // namespace bayplan::report
