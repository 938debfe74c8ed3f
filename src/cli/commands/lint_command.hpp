#pragma once
#include <memory>
#include <sstream>
#include <vector>

#include "cli/commands/lint_control.hpp"
#include "cli/commands/lint_fixes.hpp"
#include "cli/commands/show_config.hpp"
#include "cli/io/outputs.hpp"
#include "cli/options/command.hpp"
#include "cli/options/variable_options.hpp"
#include "lint/config/config.hpp"
#include "lint/lint_files.hpp"
#include "lint/run_summary.hpp"
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

/// bayplan lint [PATH...]
class LintCommand : public Command {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override { return "Check task definitions before they are registered"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<lint::Options> lint_options(const GlobalOptions& global, const lint::Tools& tools) const;
  Result<lint::FoundFiles> candidates(const Limits& limits, Streams& io) const;
  bool load_config(const lint::Tools& tools, Streams& io);
  Result<SettingFlags> setting_flags() const;
  std::optional<Error> wrong_flags(const GlobalOptions& global) const;  ///< Flags that do not go together.
  int init(const lint::Options& options, const lint::Tools& tools, const LintControl& control, Streams& io) const;
  unsigned threads() const;
  std::vector<std::string> searched_paths() const;  ///< This folder when none was named.
  lint::FoundFiles find(const std::vector<std::string>& paths, Streams& io) const;
  int show_files(Streams& io) const;
  using FixAll = std::function<void(const std::function<void(lint::FixOutcome)>& take)>;
  int show_diff(const lint::FoundFiles& found, const FixAll& fix_all, bool quiet, Streams& io) const;
  /// All that is decided before the first file is looked at.
  struct Job {
    const GlobalOptions& global;
    const lint::Tools& tools;
    const std::vector<Output>& outputs;
    const lint::Options& options;
    lint::FoundFiles& found;  ///< Fixes give standard input another text.
    LintControl& control;
    Streams& io;
  };
  int fix_and_check(const Job& job);
  int check(const Job& job, LintRun& run);    ///< After the fixes, if any. Gives the exit code.
  bool misses_all(const LintRun& run) const;  ///< PATHs were given, and hold nothing to check.
  int exit_code(const LintRun& run) const;

  std::vector<std::string> paths_;
  lint::Selection selection_;
  std::vector<std::string> severities_;
  std::vector<std::string> types_;
  std::vector<std::string> parameters_;
  VariableOptions variables_;
  std::string config_file_;
  ControlFlags control_;
  lint::Config config_;
  std::string fail_on_ = "error";
  std::string launch_type_;
  std::string kind_ = "task";
  std::string from_ = "auto";
  std::string stdin_name_ = "-";
  std::int64_t jobs_ = 0;
  bool strict_ = false;
  bool strict_unknown_ = false;
  bool exit_zero_ = false;
  bool skip_unrecognized_ = false;
  bool show_files_ = false;
  bool fix_ = false;
  bool diff_ = false;
  bool show_config_ = false;
  bool init_ = false;
};

}  // namespace bayplan::cli
