#pragma once
#include <memory>
#include <sstream>
#include <vector>

#include "cli/outputs.hpp"
#include "lint/lint_files.hpp"
#include "lint/summary.hpp"
#include "report/lint/lint_writer.hpp"

namespace bayplan::cli {

/// The end of a lint run that goes on file by file: writes each outcome into every report, and counts.
class LintRun {
 public:
  LintRun(const std::vector<Output>& outputs, const report::LintView& view, const GlobalOptions& global,
          const lint::Tools& tools, Streams& io);

  void start(const lint::FoundFiles& found);  ///< What could not be searched, and what was left out.
  void count_fixed(std::size_t findings) {    ///< --fix has had its turn.
    summary_.fixed = findings;
    summary_.was_fixed = true;
  }
  void take(lint::Outcome outcome);  ///< In order.
  /// Ends the reports, then tells what was not checked; `tells_unrecognized`: named files without a definition too.
  /// Gives kUnusable when a report could not be written.
  int finish(bool tells_unrecognized);

  const lint::Summary& summary() const { return summary_; }
  bool has_errors() const { return !errors_.empty(); }
  bool has_told() const { return has_errors() || !unrecognized_.empty(); }  ///< Why something was not checked.
  std::size_t excluded() const { return excluded_; }

 private:
  void add_writer(std::string_view format, std::ostream& out, const report::LintView& view);
  void pass_over(const lint::FileReport& report);
  void take_error(Error error);

  Streams& io_;
  const lint::Tools& tools_;
  OpenOutputs outputs_;
  std::unique_ptr<std::ostringstream> job_summary_;  ///< With the format github.
  std::vector<std::unique_ptr<report::LintWriter>> writers_;
  lint::Summary summary_;
  std::size_t excluded_ = 0;
  std::vector<Error> errors_;
  std::vector<Error> unrecognized_;
};

}  // namespace bayplan::cli
