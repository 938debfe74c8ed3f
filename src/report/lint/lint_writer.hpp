#pragma once
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "lint/run_summary.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

/// What a report of a lint run leaves out and adds.
struct LintView {
  Style style{false};
  bool quiet = false;    ///< Text: only findings at or above `fail_on`, no summary.
  bool verbose = false;  ///< Text: skipped rules too, each with its reason.
  Severity fail_on = Severity::kError;
  /// Text: findings that a screen does not hold are counted. On a terminal, where they would scroll away;
  /// what goes to a file, a hook or a job log is complete.
  bool first_screen = false;
  std::string command_line = {};  ///< Page: what made it.
  std::string folder = {};        ///< Page: where it was made; files below it are named from there.
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

using LintWriterMaker = std::unique_ptr<LintWriter>(std::ostream& out, const Lazy<rules::RuleData>& data,
                                                    const LintView& view);

/// Every finding with its source line, what to write instead and related places; then one line that sums it up.
LintWriterMaker lint_text;
/// "file:line:column severity CODE id: message", a line a finding and nothing else.
LintWriterMaker lint_oneline;
/// The report `bayplan/lint-report/1` (schemas/lint-report.schema.json).
LintWriterMaker lint_json;
/// SARIF 2.1.0 with safe fixes, fingerprints and suppressions.
LintWriterMaker lint_sarif;
/// Workflow commands of GitHub Actions, which become annotations. GitHub shows ten errors, ten warnings and ten notices
/// a step: the most severe come first, and the last notice says how many more there are.
LintWriterMaker lint_github;
/// The Code Quality report of GitLab: a list of issues (https://docs.gitlab.com/ci/testing/code_quality/).
LintWriterMaker lint_gitlab;
/// JUnit XML, a suite a file and a case a finding: a finding at or above `fail_on` fails, one below it is printed as
/// the case's output, and a file without findings is a case that passes.
LintWriterMaker lint_junit;
/// One HTML file: each finding at its place in the source, with what to write instead, and the fix next to it where
/// there is one. Lines of source that hold a secret are not shown.
LintWriterMaker lint_page;
/// Writes a summary for a pull request or a job: a heading that sums up, then a table, most severe first. At most 50
/// rows, since a comment on GitHub holds 65,536 characters; the last line says how many more.
LintWriterMaker lint_markdown;
/// A row a finding, suppressed ones too. Columns are members of the JSON report.
LintWriterMaker lint_csv;

/// The formats of `bayplan lint`, the default first.
std::vector<std::string_view> lint_formats();

/// A writer of one of `lint_formats()`. `data` and `out` must outlive it.
std::unique_ptr<LintWriter> lint_writer(std::string_view format, std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& view = {});

std::string severity_count(std::int64_t count, Severity severity);  ///< "2 errors", "3 info".
/// "2 errors, 1 warning in 1 file; 3 rules skipped (unknown values)"
std::string summary_line(const lint::Summary& summary);

/// Whether folders were searched and something in them was passed over.
bool is_search_told(const lint::SearchSummary& search);
/// "41 files checked, 3 recognized; skipped: 38 unrecognized, 2 gitignored (-v lists them)"
std::string search_line(const lint::SearchSummary& search, bool is_verbose);

}  // namespace bayplan::report
