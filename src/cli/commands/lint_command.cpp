#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "base/threads.hpp"
#include "base/utf8.hpp"
#include "cli/application.hpp"
#include "cli/commands/changed_files.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/init_config.hpp"
#include "cli/commands/lint_control.hpp"
#include "cli/commands/lint_fixes.hpp"
#include "cli/commands/show_config.hpp"
#include "cli/io/guarded_files.hpp"
#include "cli/io/guarded_stream.hpp"
#include "cli/io/load.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/read_input.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/jobs_option.hpp"
#include "cli/options/load_config.hpp"
#include "cli/options/template_parameters.hpp"
#include "cli/options/unknown_types.hpp"
#include "cli/options/variable_options.hpp"
#include "lint/config/config.hpp"
#include "lint/config/config_options.hpp"
#include "lint/files/file_patterns.hpp"
#include "lint/files/foreign_kind.hpp"
#include "lint/files/kind_reasons.hpp"
#include "lint/fix/add_ignores.hpp"
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
  void omit_empty_summary() { summary_.omits_empty = true; }
  void count_rules() { counts_rules_ = true; }
  void count_fixed(std::size_t findings) {  ///< --fix has had its turn.
    summary_.fixed = findings;
    summary_.was_fixed = true;
  }
  void take(lint::Outcome outcome);  ///< The outcomes arrive in order.
  /// Ends the reports, then says what was not checked; `tells_unrecognized`: named files without a definition too.
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
  void write_counts() const;

  Streams& io_;
  const lint::Tools& tools_;
  OpenOutputs outputs_;
  std::unique_ptr<std::ostringstream> job_summary_;  ///< It is set for the format github.
  std::vector<std::unique_ptr<report::LintWriter>> writers_;
  lint::Summary summary_;
  std::size_t excluded_ = 0;
  std::vector<Error> errors_;
  std::vector<Error> unrecognized_;
  bool counts_rules_ = false;
  std::map<std::string_view, std::size_t> rule_counts_;  ///< Findings that count, by code.
};

/// bayplan lint [PATH...]
class LintCommand : public Command {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override { return "Check task definitions before they are registered"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;
  bool watches() const override { return watch_; }

 private:
  Result<lint::Options> lint_options(const GlobalOptions& global, const lint::Tools& tools) const;
  Result<lint::FoundFiles> candidates(const Limits& limits, Streams& io) const;
  bool load_config(const lint::Tools& tools, Streams& io);
  Result<SettingFlags> setting_flags() const;
  std::optional<Error> wrong_flags(const GlobalOptions& global) const;  ///< Flags that do not go together.
  int init(const lint::Options& options, const lint::Tools& tools, const LintControl& control, Streams& io) const;
  Severity fail_on() const;
  unsigned threads() const;
  std::vector<std::string> searched_paths() const;  ///< This folder when none was named.
  lint::FoundFiles find(const std::vector<std::string>& paths, Streams& io) const;
  int test_rules(bool quiet, const lint::Tools& tools, Streams& io) const;
  int show_files(const GlobalOptions& global, const lint::Tools& tools, Streams& io) const;
  int show_kinds(const lint::FoundFiles& found, const GlobalOptions& global, const lint::Tools& tools,
                 Streams& io) const;  ///< The files, with the reasons for their kinds.
  using FixAll = std::function<void(const std::function<void(lint::FixOutcome)>& take)>;
  Error no_definition(std::string_view flag) const;
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
  int add_ignores(const Job& job, const FixAll& make_all) const;  ///< `make_all` adds the comments.
  int check(const Job& job, LintRun& run);  ///< Lints after the fixes, if any, and returns the exit code.
  bool only_changed() const { return changed_ || !changed_since_.empty(); }
  /// Asks git for the changed files; false if git fails, which is reported.
  bool ask_git(Streams& io);
  bool is_chosen(const std::string& path, const Files& files) const;
  bool with_unsafe_fixes() const { return unsafe_fixes_ || config_.unsafe_fixes.value_or(false); }
  bool may_find_none() const { return skip_unrecognized_ || only_changed(); }
  bool misses_all(const LintRun& run) const;  ///< PATHs were given, and hold nothing to check.
  int exit_code(const LintRun& run) const;

  std::vector<std::string> paths_;
  lint::Selection selection_;
  std::vector<std::string> severities_;
  std::vector<std::string> types_;
  std::vector<std::string> excludes_;
  std::vector<std::string> parameters_;
  VariableOptions variables_;
  std::string config_file_;
  ControlFlags control_;
  lint::Config config_;
  std::string fail_on_;
  std::string launch_type_;
  std::string kind_;
  std::string from_ = "auto";
  std::string stdin_name_ = "-";
  std::int64_t jobs_ = 0;
  bool strict_ = false;
  bool strict_unknown_ = false;
  bool exit_zero_ = false;
  bool skip_unrecognized_ = false;
  bool show_files_ = false;
  bool fix_ = false;
  bool unsafe_fixes_ = false;
  bool add_ignores_ = false;
  bool changed_ = false;
  std::string changed_since_;
  std::optional<std::set<std::string, std::less<>>> changed_files_;  ///< Paths from the root.
  bool watch_ = false;
  bool statistics_ = false;
  bool diff_ = false;
  bool show_config_ = false;
  bool init_ = false;
  bool test_rules_ = false;
};

namespace {

constexpr std::size_t kLargest = 1024 * 1024;  ///< GitHub takes 1 MiB a step.

/// Adds Markdown to the summary page of a GitHub Actions job, the file that GITHUB_STEP_SUMMARY names; nothing happens
/// where it names none. Gives kClean or kUnusable.
int add_to_job_summary(std::string_view markdown, Streams& io) {
  const char* const path = io.environment == nullptr ? nullptr : io.environment("GITHUB_STEP_SUMMARY");
  if (path == nullptr || *path == '\0') return kClean;
  std::string page;
  if (io.files.exists(path)) {
    auto before = io.files.read(path, kLargest);
    if (!before) return fail(io, {"cannot add to the job summary: " + before.error().message, path});
    page = std::move(*before);
  }
  if (!page.empty() && !page.ends_with('\n')) page += '\n';
  std::ostringstream shown;
  GuardedStream(shown, choose_guard("markdown", false)) << markdown;
  page += shown.str();
  const auto written = rewrite(io, path, page);
  return written ? kClean : fail(io, {"cannot add to the job summary: " + written.error().message, path});
}

/// "an AWS Copilot manifest", "a Helm chart", "an npm package"
std::string with_article(std::string_view name) {
  const bool is_spelled_out = name.starts_with("npm") || name.starts_with("MkDocs");
  const bool has_vowel = std::string_view("AEIOaeio").find(name.front()) != std::string_view::npos;
  return (is_spelled_out || has_vowel ? "an " : "a ") + std::string(name);
}

/// Why a file that the user named was not checked.
std::string reason_for(const lint::FileReport& report) {
  if (report.document && report.document->format() == text::Format::kHcl)
    return "is Terraform code without ECS task definitions or services";
  if (lint::is_terraform_code(report.file)) {
    return "is Terraform code; lint its plan: terraform show -json PLAN > plan.json";
  }
  if (lint::second_json_line(*report.document) > 0)
    return "second document of newline-delimited JSON; lint reads one document per file";
  if (const auto* foreign = lint::foreign_kind(*report.document)) {
    const std::string advice(foreign->advice);
    return "is " + with_article(foreign->name) + (advice.empty() ? "" : "; " + advice);
  }
  switch (report.kind) {
    case rules::FileKind::kCloudFormation:
    case rules::FileKind::kCdk:
      if (auto why = importers::why_definitions_are_left_out(report.document->root()); !why.empty()) return why;
      return "is a template without ECS task definitions or services; name the one with AWS::ECS::TaskDefinition";
    case rules::FileKind::kTerraform:
      return "is a Terraform plan or state without ECS task definitions or services";
    default:
      return "is not a task definition, service or run-task input";
  }
}

std::string help_for_unknown(const lint::FileReport& report) {
  auto command = command_for(report.file, *report.document);
  return command.empty() ? "A task definition has containerDefinitions; --from task-definition treats it as one."
                         : command;
}

}  // namespace

LintRun::LintRun(const std::vector<Output>& outputs, const report::LintView& view, const GlobalOptions& global,
                 const lint::Tools& tools, Streams& io)
    : io_(io), tools_(tools), outputs_(outputs, io) {
  for (const auto& output : outputs_.all()) {
    auto own = view;
    own.style = choose_style(global, io, output.is_standard_output);
    own.first_screen = output.is_standard_output && io.out_is_terminal;
    own.command_line = io.command_line;
    own.folder = io.folder;
    add_writer(output.format, output.out, own);
    if (output.format != "github") continue;
    job_summary_ = std::make_unique<std::ostringstream>();
    add_writer("markdown", *job_summary_, {});
  }
}

void LintRun::add_writer(std::string_view format, std::ostream& out, const report::LintView& view) {
  writers_.push_back(report::lint_writer(format, out, tools_.rule_data, view));
}

void LintRun::start(const lint::FoundFiles& found) {
  excluded_ = found.excluded;
  summary_.search.has_folders = found.has_folders;
  summary_.search.passed_over = found.passed_over;
  for (const auto& error : found.errors) take_error(error);
}

void LintRun::take(lint::Outcome outcome) {
  if (outcome.error) return take_error(std::move(*outcome.error));
  const auto& report = outcome.report;
  if (!outcome.is_named) ++summary_.search.looked_at;
  if (!outcome.is_checked() && !outcome.is_named) return pass_over(report);
  if (outcome.is_checked()) {
    if (!outcome.is_named) ++summary_.search.recognized;
    summary_.add(report);
  } else {
    const bool is_foreign = lint::foreign_kind(*report.document) != nullptr;
    const bool is_unknown = report.kind == rules::FileKind::kUnrecognized && !lint::is_terraform_code(report.file);
    const std::uint32_t line = report.document ? lint::second_json_line(*report.document) : 0;
    unrecognized_.push_back({.message = reason_for(report),
                             .file = report.file,
                             .line = line,
                             .column = line > 0 ? 1U : 0U,
                             .help = is_unknown && !is_foreign ? help_for_unknown(report) : ""});
  }
  if (counts_rules_) {
    for (const auto& finding : report.findings) rule_counts_[finding.code] += finding.suppression ? 0 : 1;
  }
  for (const auto& writer : writers_) writer->file(report);
}

void LintRun::pass_over(const lint::FileReport& report) {
  summary_.search.passed_over.push_back(
      {report.file, lint::PassReason::kUnrecognized, std::string(lint::what_it_is(report))});
  may_be_replaced(io_, report.file);
}

void LintRun::take_error(Error error) {
  for (const auto& writer : writers_) writer->unreadable(error);
  errors_.push_back(std::move(error));
}

/// The most frequent rule first, as in `ruff check --statistics`.
void LintRun::write_counts() const {
  std::vector<std::pair<std::string_view, std::size_t>> counts(rule_counts_.begin(), rule_counts_.end());
  std::erase_if(counts, [](const auto& one) { return one.second == 0; });
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const auto width = counts.empty() ? 0 : std::to_string(counts.front().second).size();
  for (const auto& [code, count] : counts) {
    const auto& row = tools_.rule_data.get().row(code);
    const std::string number = std::to_string(count);
    io_.out << std::string(width - number.size(), ' ') << number << "  " << row.name() << ": " << row.summary << '\n';
  }
  io_.out << report::summary_line(summary_) << '\n';
}

int LintRun::finish(bool tells_unrecognized) {
  if (counts_rules_) write_counts();
  lint::sort_by_path(summary_.search.passed_over);
  for (const auto& writer : writers_) writer->finish(summary_);
  const int written = outputs_.commit();
  const int added = job_summary_ ? add_to_job_summary(job_summary_->str(), io_) : kClean;
  for (const auto& error : errors_) fail(io_, error);
  if (tells_unrecognized) {
    for (const auto& error : unrecognized_) fail(io_, error);
  }
  return written != kClean ? written : added;
}

namespace {

std::optional<rules::FileKind> kind_named(std::string_view from) {
  using rules::FileKind;
  for (const auto kind : {FileKind::kTaskDefinition, FileKind::kDescribe, FileKind::kCloudFormation,
                          FileKind::kTerraform, FileKind::kService}) {
    if (rules::name_of(kind) == from) return kind;
  }
  return std::nullopt;
}

std::string_view name_in_folder(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// "compose.yaml (Compose file), package.json and 3 more"
std::string passed_over_words(const std::vector<lint::PassedOver>& passed_over, bool is_read) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> words;
  std::size_t more = 0;
  for (const auto& one : passed_over) {
    if ((one.reason == lint::PassReason::kUnrecognized) != is_read) continue;
    if (words.size() == kShown) {
      ++more;
    } else {
      words.push_back(one.path + (one.message.empty() ? "" : " (" + one.message + ")"));
    }
  }
  return join(words, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

/// Where was searched, what was passed over and why, and what to do next.
Error nothing_found(const std::vector<std::string>& paths, const lint::Summary& summary) {
  const auto& search = summary.search;
  std::string help = search.looked_at == 0 ? "It has no JSON, YAML or template files."
                                           : "Read " + count_of(static_cast<std::int64_t>(search.looked_at), "file");
  if (const auto read = passed_over_words(search.passed_over, true); !read.empty()) help += ": " + read + ".";
  if (const auto skipped = passed_over_words(search.passed_over, false); !skipped.empty())
    help += " Skipped: " + skipped + ".";
  if (!help.ends_with('.')) help += '.';
  return {.message = "no task definition found in '" + join(paths, "', '") + "'",
          .help = help + " Name a file: bayplan lint task-definition.json"};
}

/// A report that would take the place of a definition.
std::optional<Error> output_over_input(const std::vector<Output>& outputs, const lint::FoundFiles& found,
                                       const Files& files) {
  for (const auto& output : outputs) {
    if (output.file.empty()) continue;
    for (const auto& candidate : found.candidates) {
      if (name_in_folder(candidate.path) != name_in_folder(output.file) || candidate.content) continue;
      if (candidate.search != lint::Search::kNamed) continue;  // the report of the last run may lie in the folder
      if (files.absolute(candidate.path) != files.absolute(output.file)) continue;
      return GuardedFiles::report_over_input(output.file);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> LintCommand::formats() const {
  return report::lint_formats();
}

void LintCommand::describe(OptionSet& options) {
  options.positional("PATH", paths_, "Files, folders (searched) or - for standard input (default: this folder)", false);
  options.group("Rules");
  options.repeated("--select", selection_.select, "RULE",
                   "Check only these rules: codes, BAY4, groups such as gpu, ALL", true);
  options.repeated("--extend-select", selection_.extend_select, "RULE",
                   "Check these rules in addition to the default ones", true);
  options.repeated("--ignore", selection_.ignore, "RULE", "Skip these rules", true);
  options.repeated("--severity", severities_, "CODE=LEVEL", "Change the severity of a rule", true);
  options.group("Settings");
  options.option("--config", config_file_, "FILE",
                 "Settings (default: the nearest .bayplan.yaml in this folder or above)");
  options.flag("--init", init_, "Write a .bayplan.yaml for the files found, and exit");
  options.flag("--show-config", show_config_, "Print the settings in effect and where each comes from, and exit");
  options.flag("--test-rules", test_rules_, "Check the good and bad examples of house rules in the config, and exit");
  options.group("Known findings");
  options.option("--baseline", control_.baseline, "FILE", "Known findings to ignore");
  options.option("--create-baseline", control_.create_baseline, "FILE",
                 "Write all findings to FILE, for use with --baseline");
  options.flag("--no-ignores", control_.no_ignores,
               "Report findings that comments, perFileIgnores or a baseline suppress");
  options.flag("--add-ignores", add_ignores_,
               "Add comments that suppress what is found; for files without comments, print entries of perFileIgnores");
  options.flag("--statistics", statistics_, "Print the number of findings of each rule instead of the findings");
  options.group("Exit code");
  options.choice("--fail-on", fail_on_, {"error", "warning", "info", "style"},
                 "Lowest severity that gives exit code 1 (default error)");
  options.group("Rules");
  options.flag("--strict", strict_, "Treat documented rejections as errors, even without a recorded one");
  options.flag("--strict-unknown", strict_unknown_, "Report unresolved placeholders");
  options.group("Exit code");
  options.flag("--exit-zero", exit_zero_, "Exit with 0 even with findings");
  options.group("Fixes");
  options.flag("--fix", fix_, "Apply safe fixes in place; with -, print the fixed text");
  options.flag("--diff", diff_, "Print what --fix would change, without writing; exit with 1 if anything would");
  options.flag("--unsafe-fixes", unsafe_fixes_, "With --fix or --diff: also fixes that may change what a task does");
  options.group("Files");
  options.repeated("--exclude", excludes_, "PATTERN",
                   "Files not to lint, in .gitignore syntax, in addition to the config", true);
  options.flag("--changed", changed_, "Report only files that differ from the last commit, according to git");
  options.option("--changed-since", changed_since_, "REV",
                 "The same for files changed since the last common commit with REV, such as origin/main");
  options.flag("--watch", watch_, "Run again when a file changes, until Ctrl-C");
  options.flag("--skip-unrecognized", skip_unrecognized_,
               "Skip other files silently, and exit with 0 if no task definition is left (for hooks)");
  options.flag("--show-files", show_files_, "Print the files that would be checked, and exit");
  options.group("What the files leave open");
  options.choice("--launch-type", launch_type_, {"EC2", "FARGATE", "EXTERNAL", "MANAGED_INSTANCES"},
                 "Launch type of files that do not state one");
  options.choice("--kind", kind_, {"task", "daemon"}, "Register as a task or as a daemon, which allows fewer keys");
  options.group("Files");
  options.choice("--from", from_, {"auto", "task-definition", "describe", "cloudformation", "terraform", "service"},
                 "Format of the named files (default: detected by content)");
  options.group("What the files leave open");
  options.repeated("--types", types_, "GLOB", "Instance types that tasks run on; warn when a task fits none of them",
                   true);
  describe_parameters(options, parameters_);
  variables_.describe(options);
  options.group("Files");
  options.option("--stdin-filename", stdin_name_, "NAME",
                 "File name to report for standard input; its extension sets the format");
  options.option("-j,--jobs", jobs_, "N", "Threads (default: one per core)");
  options.examples(
      "  bayplan lint                             # every definition below this folder\n"
      "  bayplan lint examples/broken-gpu/train.json\n"
      "  bayplan lint --diff examples/broken-gpu  # what --fix would change: a patch\n"
      "  bayplan lint --select BAY4,gpu-on-fargate --fail-on warning examples\n"
      "  bayplan lint --types 'g4dn.*,g5.*' examples/lose-a-zone/infer.json\n"
      "  bayplan lint --strict --output text --output sarif=lint.sarif examples\n"
      "  bayplan lint --create-baseline .bayplan-baseline.json examples\n"
      "  bayplan lint --baseline .bayplan-baseline.json examples\n"
      "  cat examples/broken-gpu/train.json |\n"
      "    bayplan lint --stdin-filename train.json -");
}

Result<SettingFlags> LintCommand::setting_flags() const {
  SettingFlags flags{.selection = selection_, .types = types_, .launch_type = launch_type_};
  for (const auto& text : severities_) {
    auto severity = lint::parse_severity_override(text);
    if (!severity) return severity.error();
    flags.severities.push_back(std::move(*severity));
  }
  flags.fail_on = fail_on_;
  flags.baseline = control_.baseline;
  flags.strict = strict_;
  flags.strict_unknown = strict_unknown_;
  flags.kind = kind_;
  flags.unsafe_fixes = unsafe_fixes_;
  if (from_ != "auto") flags.others.push_back("--from " + from_);
  flags.parameters = parameters_;
  flags.variables = variables_.texts();
  for (auto& flag : variables_.file_flags()) flags.others.push_back(std::move(flag));
  if (control_.no_ignores) flags.others.emplace_back("--no-ignores");
  if (exit_zero_) flags.others.emplace_back("--exit-zero");
  if (skip_unrecognized_) flags.others.emplace_back("--skip-unrecognized");
  return flags;
}

std::vector<std::string> LintCommand::searched_paths() const {
  return paths_.empty() ? std::vector<std::string>{"."} : paths_;
}

bool LintCommand::load_config(const lint::Tools& tools, Streams& io) {
  auto config = cli::load_config(config_file_, tools, io);
  if (config) config_ = std::move(*config);
  return config.has_value();
}

lint::FoundFiles LintCommand::find(const std::vector<std::string>& paths, Streams& io) const {
  lint::SearchOptions options;
  if (config_.include) options.include = &*config_.include;
  if (config_.exclude) options.exclude = &*config_.exclude;
  const auto by_flag = lint::FilePatterns::of(io.files.absolute("."), excludes_);
  if (!excludes_.empty()) options.exclude_by_flag = &by_flag;
  return lint::find_files(paths, io.files, options);
}

Result<lint::Options> LintCommand::lint_options(const GlobalOptions& global, const lint::Tools& tools) const {
  const auto flags = setting_flags();
  if (!flags) return flags.error();
  lint::Settings settings{.selection = selection_,
                          .severities = flags->severities,
                          .types = types_,
                          .from = kind_named(from_),
                          .strict = strict_,
                          .strict_unknown = strict_unknown_,
                          .daemon = kind_.empty() ? std::nullopt : std::optional(kind_ == "daemon")};
  if (!launch_type_.empty()) settings.launch_type = lint::compatibility_named(launch_type_);
  auto options = lint::options_of(config_, settings, tools);
  if (!options) return options;
  auto parameters = parse_parameters(parameters_);
  if (!parameters) return parameters.error();
  for (auto& [name, value] : *parameters) options->parameters[name] = value;
  if (global.max_input > 0) options->limits.definition_bytes = static_cast<std::size_t>(global.max_input);
  return options;
}

Result<lint::FoundFiles> LintCommand::candidates(const Limits& limits, Streams& io) const {
  std::vector<std::string> paths = searched_paths();
  const bool reads_stdin = std::erase(paths, "-") > 0;
  auto found = reads_stdin && paths.empty() ? lint::FoundFiles{} : find(paths, io);
  // A hook names every JSON and YAML file of a commit: only what holds container definitions is meant.
  if (skip_unrecognized_) {
    for (auto& candidate : found.candidates) candidate.search = lint::Search::kFound;
  }
  if (reads_stdin) {
    auto text = read_standard_input(io.in, std::max(limits.definition_bytes, limits.snapshot_bytes));
    if (!text) return text.error();
    const auto search = skip_unrecognized_ ? lint::Search::kFound : lint::Search::kNamed;
    found.candidates.insert(found.candidates.begin(), {stdin_name_, search, std::move(*text)});
  }
  return found;
}

/// The flag, else the config.
Severity LintCommand::fail_on() const {
  return severity_named(fail_on_).value_or(config_.fail_on.value_or(Severity::kError));
}

unsigned LintCommand::threads() const {
  return *parse_jobs(jobs_);  // `wrong_flags` has refused all others
}

int LintCommand::init(const lint::Options& options, const lint::Tools& tools, const LintControl& control,
                      Streams& io) const {
  const std::string above = config_file_.empty() ? lint::find_config(io.files).value_or("") : "";
  const std::string path = !config_file_.empty()         ? config_file_
                           : lint::is_config_name(above) ? above
                                                         : std::string(lint::kConfigName);
  if (io.files.exists(path)) {
    return fail(
        io, {.message = "already exists", .file = path, .help = "'bayplan lint --show-config' prints its settings."});
  }
  const auto found = candidates(options.limits, io);
  if (!found) return fail(io, found.error());
  for (const auto& error : found->errors) fail(io, error);
  Inventory inventory;
  lint::lint_each(
      found->candidates, options, tools, io.files, threads(),
      [&](const lint::Outcome& outcome) { inventory.take(outcome); },
      [&](lint::FileReport& report) { control.amend(report); });
  if (const auto written = io.files.write(path, inventory.config(above)); !written) {
    return fail(io, cannot_write(written.error(), path));
  }
  io.out << "wrote " << path << " for " << inventory.definitions() << '\n';
  if (inventory.summary().at_or_above(Severity::kStyle) > 0) {
    io.out << report::summary_line(inventory.summary())
           << "; 'bayplan lint' shows them, 'bayplan lint --create-baseline " << kBaselineName
           << "' makes new ones stand out\n";
  }
  return found->errors.empty() ? kClean : kUnusable;
}

int LintCommand::test_rules(bool quiet, const lint::Tools& tools, Streams& io) const {
  if (config_.house_rules.empty())
    return fail(
        io, {.message = "--test-rules: the config has no rules", .help = "Add them under rules: in .bayplan.yaml."});
  std::size_t failed = 0;
  std::size_t examples = 0;
  const model::Placeholders placeholders(config_.placeholders);
  for (const auto& rule : config_.house_rules) {
    const auto tested = lint::check_examples(*rule, tools.rule_data, placeholders);
    for (const auto& failure : tested.failures) fail(io, failure);
    examples += tested.good + tested.bad;
    if (!tested.failures.empty()) ++failed;
    if (tested.failures.empty() && !quiet)
      io.out << rule->id << ": " << tested.good << " good, " << tested.bad << " bad: ok\n";
  }
  io.out << count_of(static_cast<std::int64_t>(config_.house_rules.size()), "rule") << ", "
         << count_of(static_cast<std::int64_t>(examples), "example") << ", " << failed << " failed\n";
  return failed > 0 ? kFindings : kClean;
}

int LintCommand::show_files(const GlobalOptions& global, const lint::Tools& tools, Streams& io) const {
  auto found = find(searched_paths(), io);
  std::erase_if(found.candidates, [&](const auto& one) { return !is_chosen(one.path, io.files); });
  if (global.verbose) return show_kinds(found, global, tools, io);
  for (const auto& candidate : found.candidates) {
    if (candidate.path != "-" && !io.files.exists(candidate.path)) {
      if (const auto text = io.files.read(candidate.path, 0); !text) {
        found.errors.push_back(text.error());
        continue;
      }
    }
    // A program that reads the list wants the names as they are, a terminal none that steers it.
    io.out << (io.out_is_terminal ? printable(candidate.path) : candidate.path) << '\n';
  }
  for (const auto& error : found.errors) fail(io, error);
  return found.errors.empty() ? kClean : kUnusable;
}

int LintCommand::show_kinds(const lint::FoundFiles& found, const GlobalOptions& global, const lint::Tools& tools,
                            Streams& io) const {
  const auto options = lint_options(global, tools);
  if (!options) return fail(io, options.error());
  std::vector<Error> errors = found.errors;
  lint::lint_each(found.candidates, *options, tools, io.files, threads(), [&](lint::Outcome outcome) {
    if (outcome.error) return errors.push_back(*outcome.error);
    io.out << printable(outcome.report.file) << ": " << printable(lint::reasons_of_kind(outcome.report, tools)) << '\n';
  });
  for (const auto& error : errors) fail(io, error);
  return errors.empty() ? kClean : kUnusable;
}

int LintCommand::show_diff(const lint::FoundFiles& found, const FixAll& fix_all, bool quiet, Streams& io) const {
  DiffPrinter printer(with_unsafe_fixes() ? "--fix --unsafe-fixes" : "--fix", quiet, io);
  for (const auto& error : found.errors) fail(io, error);
  fix_all([&](lint::FixOutcome outcome) { printer.take(std::move(outcome)); });
  const bool found_none = printer.checked() == 0 && found.excluded == 0 && !may_find_none();
  if (found_none && !printer.has_errors()) fail(io, no_definition("--diff"));
  if (printer.has_errors() || !found.errors.empty() || found_none) return kUnusable;
  if (printer.checked() > 0 || !may_find_none()) printer.finish();
  return printer.fixed() > 0 && !exit_zero_ ? kFindings : kClean;
}

Error LintCommand::no_definition(std::string_view flag) const {
  return {.message = "no task definition found",
          .file = join(searched_paths(), ", "),
          .help = "Name a file: bayplan lint " + std::string(flag) + " FILE"};
}

int LintCommand::add_ignores(const Job& job, const FixAll& make_all) const {
  Streams& io = job.io;
  FixWriter comments(job.global.quiet, io);
  std::vector<UncommentedFile> uncommented;
  std::size_t checked = 0;
  std::size_t files = 0;
  fail_all(io, job.found.errors);
  bool has_errors = !job.found.errors.empty();
  make_all([&](lint::FixOutcome outcome) {
    if (outcome.error) fail(io, *outcome.error);
    has_errors = has_errors || outcome.error.has_value();
    checked += outcome.is_checked ? 1 : 0;
    files += outcome.after.fixed > 0 ? 1 : 0;
    if (!outcome.after.uncommented.empty())
      uncommented.push_back({lint::path_from_root(outcome.candidate.path, io.files), outcome.after.uncommented});
    comments.take(std::move(outcome));
  });
  // Standard output belongs to the text with the comments then.
  std::ostream& out = comments.finish(job.found.candidates) ? io.err : io.out;
  if (checked == 0 && !has_errors && job.found.excluded == 0 && !may_find_none()) {
    fail(io, no_definition("--add-ignores"));
    has_errors = true;
  }
  if (!job.global.quiet && comments.fixed() > 0) {
    io.err << "bayplan: added comments that suppress "
           << count_of(static_cast<std::int64_t>(comments.fixed()), "finding") << " in "
           << count_of(static_cast<std::int64_t>(files), "file") << '\n';
  } else if (!job.global.quiet && uncommented.empty() && checked > 0) {
    io.err << "bayplan: nothing to suppress\n";
  }
  if (!uncommented.empty()) {
    const std::string config = config_file_.empty() ? lint::find_config(io.files).value_or("") : config_file_;
    const std::string name = config.empty() ? std::string(lint::kConfigName) : config;
    out << "# No comment can suppress these findings. Add to " << printable(name) << ":\n"
        << "perFileIgnores:\n";
    write_file_ignores(uncommented, io.files.absolute(folder_around(name)), out);
  }
  return has_errors || comments.has_errors() ? kUnusable : kClean;
}

bool LintCommand::ask_git(Streams& io) {
  if (!only_changed()) return true;
  // `--changed HEAD` names a path, and a path without a file must not pass as one that did not change.
  const auto paths = searched_paths();
  const auto missing = std::find_if(paths.begin(), paths.end(),
                                    [&](const std::string& path) { return path != "-" && !io.files.exists(path); });
  if (missing != paths.end()) {
    fail(io, Error{.message = "No such file or directory",
                   .file = *missing,
                   .help = "To compare with a revision: bayplan lint --changed-since " + shell_word(*missing)});
    return false;
  }
  auto files = changed_files(paths, changed_since_.empty() ? "HEAD" : changed_since_, io);
  if (!files) fail(io, files.error());
  if (files) changed_files_ = std::move(*files);
  return files.ok();
}

bool LintCommand::is_chosen(const std::string& path, const Files& files) const {
  return !changed_files_ || path == stdin_name_ || changed_files_->contains(lint::path_from_root(path, files));
}

bool LintCommand::misses_all(const LintRun& run) const {
  return run.summary().files == 0 && run.excluded() == 0 && !may_find_none();
}

int LintCommand::exit_code(const LintRun& run) const {
  if (run.has_errors() || misses_all(run)) return kUnusable;
  return !exit_zero_ && run.summary().at_or_above(fail_on()) > 0 ? kFindings : kClean;
}

std::optional<Error> LintCommand::wrong_flags(const GlobalOptions& global) const {
  if (const auto threads = parse_jobs(jobs_); !threads) return threads.error();
  if (unsafe_fixes_ && !fix_ && !diff_)
    return Error{.message = "--unsafe-fixes requires --fix or --diff", .help = "Add one of them."};
  const std::array<std::pair<bool, std::string_view>, 7> modes{{{diff_, "--diff"},
                                                                {add_ignores_, "--add-ignores"},
                                                                {init_, "--init"},
                                                                {show_files_, "--show-files"},
                                                                {show_config_, "--show-config"},
                                                                {test_rules_, "--test-rules"},
                                                                {statistics_, "--statistics"}}};
  const auto is_set = [](const auto& mode) { return mode.first; };
  const auto first = std::find_if(modes.begin(), modes.end(), is_set);
  if (first != modes.end()) {
    const auto second = std::find_if(first + 1, modes.end(), is_set);
    if (second != modes.end())
      return Error{
          .message = std::string(first->second) + " and " + std::string(second->second) + " cannot be combined",
          .help = "Remove one of them."};
  }
  const std::string_view instead = diff_          ? "--diff prints a diff"
                                   : add_ignores_ ? "--add-ignores writes comments"
                                   : init_        ? "--init writes a config"
                                   : show_files_  ? "--show-files prints paths"
                                   : show_config_ ? "--show-config prints settings"
                                   : test_rules_  ? "--test-rules prints results of examples"
                                   : statistics_  ? "--statistics prints counts"
                                                  : "";
  if (!instead.empty() && !global.outputs.empty())
    return Error{.message = std::string(instead) + ", not a report", .help = "Remove --output."};
  if (only_changed() && (init_ || show_config_ || test_rules_))
    return Error{.message = "--changed and " + std::string(first->second) + " cannot be combined",
                 .help = "Remove --changed."};
  const auto apart = [](std::string_view one, std::string_view other) {
    return Error{.message = std::string(one) + " and " + std::string(other) + " cannot be combined",
                 .help = "Run one after the other."};
  };
  if (watch_) {
    if (!kHasThreads)
      return Error{.message = "--watch is not available in WebAssembly",
                   .help = "Use the bayplan program, or let an editor start 'bayplan lsp'."};
    const bool is_other_mode = first != modes.end() && !statistics_;
    const bool reads_input = std::find(paths_.begin(), paths_.end(), "-") != paths_.end();
    if (is_other_mode || reads_input || !control_.create_baseline.empty() || global.anonymize)
      return Error{.message = "--watch and " +
                              (is_other_mode      ? std::string(first->second)
                               : reads_input      ? std::string("standard input")
                               : global.anonymize ? std::string("--anonymize")
                                                  : std::string("--create-baseline")) +
                              " cannot be combined",
                   .help = "Remove one of them."};
  }
  const bool is_baseline = !control_.create_baseline.empty();
  if (is_baseline && (init_ || diff_ || add_ignores_))
    return apart(init_ ? "--init" : diff_ ? "--diff" : "--add-ignores", "--create-baseline");
  if (is_baseline && only_changed())
    return Error{
        .message = "--create-baseline and --changed cannot be combined: a baseline holds the findings of all files",
        .help = "Remove --changed."};
  if (add_ignores_ && fix_) return apart("--fix", "--add-ignores");
  if (add_ignores_ && control_.no_ignores)
    return Error{.message = "--add-ignores and --no-ignores cannot be combined",
                 .help = "Remove --no-ignores: what is suppressed already gets no second comment."};
  return std::nullopt;
}

int LintCommand::run(const GlobalOptions& global, Streams& io) {
  if (const auto wrong = wrong_flags(global)) return fail(io, *wrong);
  const lint::Tools tools;
  const bool is_new_config = init_ && !config_file_.empty() && !io.files.exists(config_file_);
  if (!is_new_config && !load_config(tools, io)) return kUnusable;
  if (test_rules_) return test_rules(global.quiet, tools, io);
  if (!ask_git(io)) return kUnusable;
  if (show_files_) return show_files(global, tools, io);
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  auto options = lint_options(global, tools);
  if (!options) return fail(io, options.error());
  if (show_config_) {
    GuardedStream out(io.out, {});
    show_config(config_, *setting_flags(), out);
    return kClean;
  }
  if (!options->rules.types.empty()) note_unknown_types(options->rules.types, tools.catalog.get(), io.err);
  auto variables = variables_.read(io.files);
  if (!variables) return fail(io, variables.error());
  for (auto& [name, value] : *variables) options->variables.insert_or_assign(name, std::move(value));
  auto variable_files = variables_.read_variable_files(io.files, options->limits);
  if (!variable_files) return fail(io, variable_files.error());
  options->variable_files = std::move(*variable_files);
  const bool reads_baseline = control_.baseline.empty() && control_.create_baseline.empty() && !control_.no_ignores;
  if (reads_baseline && config_.baseline) control_.baseline = *config_.baseline;
  LintControl control(control_, config_, *options, tools, io);
  if (!control.open()) return kUnusable;
  if (init_) return init(*options, tools, control, io);
  auto found = candidates(options->limits, io);
  if (!found) return fail(io, found.error());
  if (const auto clash = output_over_input(*outputs, *found, io.files)) return fail(io, *clash);
  return fix_and_check({global, tools, *outputs, *options, *found, control, io});
}

int LintCommand::fix_and_check(const Job& job) {
  const FixAll fix_all = [&](const std::function<void(lint::FixOutcome)>& take) {
    const auto make_text = [&](std::string bytes, const lint::Recheck& recheck) {
      return add_ignores_ ? lint::add_ignores(std::move(bytes), recheck)
                          : lint::fix_text(std::move(bytes), recheck, with_unsafe_fixes());
    };
    const auto take_chosen = [&](lint::FixOutcome outcome) {
      if (is_chosen(outcome.candidate.path, job.io.files)) take(std::move(outcome));
    };
    lint::fix_each(job.found.candidates, job.options, job.tools, job.io.files, threads(), make_text, take_chosen,
                   [&](lint::FileReport& report) { job.control.ignore(report); });
  };
  if (add_ignores_) return add_ignores(job, fix_all);
  Stats stats(job.global.stats, job.io);
  if (diff_) return show_diff(job.found, fix_all, job.global.quiet, job.io);
  FixWriter fixes(job.global.quiet, job.io);
  if (fix_) {
    stats.phase("fix");
    fix_all([&](lint::FixOutcome outcome) { fixes.take(std::move(outcome)); });
  }
  stats.phase("lint");
  // Standard output belongs to the fixed text then.
  Streams& io = job.io;
  Streams beside{io.in, io.err, io.err, io.files, io.err_is_terminal, io.err_is_terminal, io.environment};
  beside.is_quiet = io.is_quiet;
  beside.activity = io.activity;
  Streams& reports = fix_ && fixes.finish(job.found.candidates) ? beside : io;
  LintRun run(statistics_ ? std::vector<Output>{} : job.outputs,
              {report::Style(false), job.global.quiet, job.global.verbose, fail_on()}, job.global, job.tools, reports);
  if (statistics_) run.count_rules();
  run.start(job.found);
  if (fix_) run.count_fixed(fixes.fixed());
  const int code = check(job, run);
  stats.size(count_of(static_cast<std::int64_t>(run.summary().files), "file"));
  stats.print();
  return fixes.has_errors() ? kUnusable : code;
}

int LintCommand::check(const Job& job, LintRun& run) {
  TemplateParameters parameters(job.options.parameters);
  ProgressLine progress(job.io);
  std::int64_t checked = 0;
  const auto take = [&](lint::Outcome outcome) {
    progress.show_share("checking files", ++checked, static_cast<std::int64_t>(job.found.candidates.size()));
    // The others are read because a service may name a definition in them.
    if (!is_chosen(outcome.error ? outcome.error->file : outcome.report.file, job.io.files)) return;
    parameters.take(outcome.report);
    variables_.take(outcome.report);
    job.control.take(outcome.report);
    run.take(std::move(outcome));
  };
  lint::lint_each(job.found.candidates, job.options, job.tools, job.io.files, threads(), take,
                  [&](lint::FileReport& report) { job.control.amend(report); });
  progress.clear();
  // An error says it, or a hook names the files of a commit, and this process got none that is a definition.
  if (misses_all(run) || may_find_none()) run.omit_empty_summary();
  const bool tells_unrecognized = !skip_unrecognized_ && (!job.global.quiet || misses_all(run));
  const int written = std::max(
      {run.finish(tells_unrecognized), parameters.finish(job.io), variables_.finish(run.summary().files > 0, job.io)});
  if (misses_all(run) && !run.has_told()) {
    fail(job.io, nothing_found(searched_paths(), run.summary()));
  }
  if (only_changed() && run.summary().files == 0 && !run.has_told() && !job.global.quiet)
    job.io.err << "bayplan: no changed file has a definition to check\n";
  if (job.control.finish(searched_paths(), !run.has_errors(), job.global.quiet) != kClean) return kUnusable;
  return written != kClean ? written : exit_code(run);
}

std::unique_ptr<Command> lint_command() {
  return std::make_unique<LintCommand>();
}

}  // namespace bayplan::cli
