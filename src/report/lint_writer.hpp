#pragma once
#include <memory>
#include <ostream>
#include <string_view>
#include <vector>

#include "lint/summary.hpp"
#include "report/style.hpp"

namespace bayplan::report {

/// What a report of a lint run leaves out and adds.
struct LintView {
  Style style{false};
  bool quiet = false;    ///< Text: only findings at or above `fail_on`, no summary.
  bool verbose = false;  ///< Text: skipped rules too, each with its reason.
  Severity fail_on = Severity::kError;
};

/// Writes one format of a lint run while it goes on: of a file that is done, nothing is kept but what the end needs.
class LintWriter {
 public:
  LintWriter() = default;
  LintWriter(const LintWriter&) = delete;
  LintWriter& operator=(const LintWriter&) = delete;
  virtual ~LintWriter() = default;

  /// Called in order; a file that was named but holds nothing to lint comes too.
  virtual void file(const lint::FileReport& report) = 0;
  /// A path that could not be read.
  virtual void unreadable(const Error& /*error*/) {}
  /// Called once, after the last file.
  virtual void finish(const lint::Summary& summary) = 0;
};

/// The formats of `bayplan lint`, the default first.
std::vector<std::string_view> lint_formats();

/// A writer of one of `lint_formats()`. `data` and `out` must outlive it.
std::unique_ptr<LintWriter> lint_writer(std::string_view format, std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& view = {});

}  // namespace bayplan::report
