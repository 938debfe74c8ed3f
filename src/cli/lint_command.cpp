#include "cli/lint_command.hpp"

#include <algorithm>
#include <istream>
#include <iterator>
#include <thread>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "cli/lint_run.hpp"
#include "cli/outputs.hpp"
#include "cli/stats.hpp"
#include "cli/template_parameters.hpp"
#include "cli/types_option.hpp"

namespace bayplan::cli {
namespace {

Result<std::string> read_all(std::istream& in, std::size_t limit) {
  std::string text;
  std::vector<char> block(1u << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit) {
      return Error{.message = "standard input is larger than " + std::to_string(limit) + " bytes",
                   .help = "--max-input moves the limit"};
    }
  }
  return text;
}

std::optional<rules::FileKind> kind_named(std::string_view from) {
  using rules::FileKind;
  for (const auto kind : {FileKind::kTaskDefinition, FileKind::kDescribe, FileKind::kCloudFormation,
                          FileKind::kTerraform, FileKind::kService}) {
    if (rules::name_of(kind) == from) return kind;
  }
  return std::nullopt;
}

void add(std::vector<std::string>& to, const std::optional<std::vector<std::string>>& more) {
  if (more) to.insert(to.end(), more->begin(), more->end());
}

}  // namespace

void LintCommand::describe(OptionSet& options) {
  options.positional("PATH", paths_, "Files, folders (searched) or - for standard input; default: this folder", false);
  options.repeated("--select", selection_.select, "RULE", "Only these rules: codes, BAY4, groups such as gpu, ALL",
                   true);
  options.repeated("--extend-select", selection_.extend_select, "RULE", "These rules beside the default ones", true);
  options.repeated("--ignore", selection_.ignore, "RULE", "Not these rules", true);
  options.repeated("--severity", severities_, "CODE=LEVEL", "Change the severity of a rule", true);
  options.option("--config", config_file_, "FILE", "Settings (default: the nearest .bayplan.yaml upwards)");
  options.choice("--fail-on", fail_on_, {"error", "warning", "info", "style"}, "Exit with 1 from this severity up");
  options.flag("--strict", strict_, "Count documented refusals as errors, seen or not");
  options.flag("--strict-unknown", strict_unknown_, "Report placeholders that are still in the file");
  options.flag("--exit-zero", exit_zero_, "Exit with 0 whatever is found");
  options.flag("--fix", fix_, "Apply the safe fixes; of standard input the fixed text goes to standard output");
  options.flag("--diff", diff_, "Print what --fix would change and write nothing; exit with 1 if there is something");
  options.flag("--skip-unrecognized", skip_unrecognized_, "Pass over files that are no task definitions (for hooks)");
  options.flag("--show-files", show_files_, "Print the files that would be looked at, and stop");
  options.choice("--launch-type", launch_type_, {"EC2", "FARGATE", "EXTERNAL", "MANAGED_INSTANCES"},
                 "Launch type when the file does not say");
  options.choice("--kind", kind_, {"task", "daemon"}, "What the file is registered as; daemons have fewer keys");
  options.choice("--from", from_, {"auto", "task-definition", "describe", "cloudformation", "terraform", "service"},
                 "What the named files hold (default: told by their content)");
  options.repeated("--types", types_, "GLOB",
                   "The instance types that tasks run on; warn when a task fits none of them", true);
  options.repeated("--param", parameters_, "KEY=VALUE", "Value of a CloudFormation parameter, in place of its default");
  options.option("--stdin-filename", stdin_name_, "NAME", "How to call standard input; its ending tells the format");
  options.option("-j,--jobs", jobs_, "N", "Threads (default: one a core)");
  options.examples(
      "  bayplan lint task-definition.json\n"
      "  bayplan lint --select BAY4,gpu-on-fargate deploy/\n"
      "  bayplan lint --types 'g4dn.*,g5.*' train.json\n"
      "  bayplan lint --strict --fail-on warning --output json=report.json .\n"
      "  bayplan lint --diff deploy/\n"
      "  aws ecs describe-task-definition --task-definition web | bayplan lint -");
}

bool LintCommand::load_config(const lint::Tools& tools, Streams& io) {
  if (config_file_.empty()) config_file_ = lint::find_config(io.files).value_or("");
  if (config_file_.empty()) return true;
  auto read = lint::read_config(config_file_, io.files, tools.rule_data);
  for (const auto& error : read.errors) fail(io, error);
  config_ = std::move(read.config);
  return read.errors.empty();
}

lint::FoundFiles LintCommand::find(const std::vector<std::string>& paths, Streams& io) const {
  lint::SearchOptions options;
  if (config_.exclude) options.exclude = &*config_.exclude;
  return lint::find_files(paths.empty() ? std::vector<std::string>{"."} : paths, io.files, options);
}

Result<lint::Options> LintCommand::lint_options(const GlobalOptions& global, const lint::Tools& tools) const {
  lint::Options options;
  options.selection = selection_;
  if (selection_.select.empty()) options.selection.select = config_.select.value_or(std::vector<std::string>{});
  add(options.selection.extend_select, config_.extend_select);
  add(options.selection.ignore, config_.ignore);
  options.severities = config_.severities;
  options.rules.deploy_with = config_.deploy_with.value_or(rules::DeployClient::kAny);
  options.rules.needs = config_.needs;
  options.placeholders = model::Placeholders(config_.placeholders);
  if (strict_unknown_) options.selection.extend_select.emplace_back("BAY008");
  options.rules.daemon = kind_ == "daemon";
  if (options.rules.daemon) options.selection.extend_select.emplace_back("BAY028");
  for (const auto& text : severities_) {
    auto severity = lint::parse_severity_override(text);
    if (!severity) return severity.error();
    options.severities.push_back(std::move(*severity));
  }
  std::vector<std::string> named = selection_.select;
  named.insert(named.end(), selection_.extend_select.begin(), selection_.extend_select.end());
  named.insert(named.end(), selection_.ignore.begin(), selection_.ignore.end());
  for (const auto& severity : options.severities) named.push_back(severity.selector);
  if (!named.empty()) {
    if (const auto checked = lint::check_selectors(named, tools.rule_data.get()); !checked) return checked.error();
  }
  options.rules.types = types_.empty() ? config_.types.value_or(std::vector<std::string>{}) : types_;
  if (!options.rules.types.empty()) {
    if (auto types = types_named(tools.catalog.get(), options.rules.types); !types) {
      if (types_.empty()) types.error().file = config_file_;
      return types.error();
    }
  }
  options.from = kind_named(from_);
  auto parameters = parse_parameters(parameters_);
  if (!parameters) return parameters.error();
  options.parameters = std::move(*parameters);
  options.strict = strict_;
  options.rules.strict_unknown = strict_unknown_;
  options.rules.launch_type = launch_type_.empty() ? config_.launch_type : lint::compatibility_named(launch_type_);
  if (global.max_input > 0) options.limits.definition_bytes = static_cast<std::size_t>(global.max_input);
  return options;
}

Result<lint::FoundFiles> LintCommand::candidates(const Limits& limits, Streams& io) const {
  std::vector<std::string> paths = paths_;
  const bool reads_stdin = std::erase(paths, "-") > 0;
  auto found = reads_stdin && paths.empty() ? lint::FoundFiles{} : find(paths, io);
  // A hook names every JSON and YAML file of a commit: only what holds container definitions is meant.
  if (skip_unrecognized_) {
    for (auto& candidate : found.candidates) candidate.search = lint::Search::kFound;
  }
  if (reads_stdin) {
    auto text = read_all(io.in, std::max(limits.definition_bytes, limits.snapshot_bytes));
    if (!text) return text.error();
    found.candidates.insert(found.candidates.begin(), {stdin_name_, lint::Search::kNamed, std::move(*text)});
  }
  return found;
}

int LintCommand::show_files(Streams& io) const {
  const auto found = find(paths_, io);
  for (const auto& candidate : found.candidates) io.out << candidate.path << '\n';
  for (const auto& error : found.errors) fail(io, error);
  return found.errors.empty() ? kClean : kUnusable;
}

int LintCommand::show_diff(const lint::FoundFiles& found, const FixAll& fix_all, bool quiet, Streams& io) const {
  DiffPrinter printer(quiet, io);
  for (const auto& error : found.errors) fail(io, error);
  fix_all([&](lint::FixOutcome outcome) { printer.take(std::move(outcome)); });
  const bool found_none = printer.checked() == 0 && found.excluded == 0 && !paths_.empty() && !skip_unrecognized_;
  if (found_none && !printer.has_errors()) fail(io, {.message = "found nothing to check"});
  if (printer.has_errors() || !found.errors.empty() || found_none) return kUnusable;
  printer.finish();
  return printer.fixed() > 0 && !exit_zero_ ? kFindings : kClean;
}

int LintCommand::exit_code(const LintRun& run) const {
  const bool found_none = run.summary().files == 0 && run.excluded() == 0 && !paths_.empty();
  if (run.has_errors() || (found_none && !skip_unrecognized_)) return kUnusable;
  const auto level = severity_named(fail_on_).value_or(Severity::kError);
  return !exit_zero_ && run.summary().at_or_above(level) > 0 ? kFindings : kClean;
}

int LintCommand::run(const GlobalOptions& global, Streams& io) {
  if (jobs_ < 0) return fail(io, {.message = "--jobs wants a number from 1 up"});
  if (diff_ && !global.outputs.empty()) {
    return fail(io, {.message = "--diff prints a diff and no report", .help = "leave out --output"});
  }
  const lint::Tools tools;
  if (!load_config(tools, io)) return kUnusable;
  if (show_files_) return show_files(io);
  const auto outputs = parse_outputs(global, report::lint_formats());
  if (!outputs) return fail(io, outputs.error());
  const auto options = lint_options(global, tools);
  if (!options) return fail(io, options.error());
  auto found = candidates(options->limits, io);
  if (!found) return fail(io, found.error());

  const unsigned jobs = jobs_ > 0 ? static_cast<unsigned>(jobs_) : std::max(1u, std::thread::hardware_concurrency());
  const FixAll fix_all = [&](const std::function<void(lint::FixOutcome)>& take) {
    lint::fix_each(found->candidates, *options, tools, io.files, jobs, take);
  };
  Stats stats(global.stats);
  if (diff_) return show_diff(*found, fix_all, global.quiet, io);
  FixWriter fixes(global.quiet, io);
  if (fix_) {
    stats.phase("fix");
    fix_all([&](lint::FixOutcome outcome) { fixes.take(std::move(outcome)); });
  }
  stats.phase("lint");
  // Standard output belongs to the fixed text then.
  Streams beside{io.in, io.err, io.err, io.files, io.err_is_terminal, io.err_is_terminal, io.environment};
  Streams& reports = fix_ && fixes.finish(found->candidates) ? beside : io;
  const auto level = severity_named(fail_on_).value_or(Severity::kError);
  LintRun run(*outputs, {report::Style(false), global.quiet, global.verbose, level}, global, tools, reports);
  run.start(*found);
  if (fix_) run.count_fixed(fixes.fixed());
  TemplateParameters parameters(options->parameters);
  lint::lint_each(found->candidates, *options, tools, io.files, jobs, [&](lint::Outcome outcome) {
    parameters.take(outcome.report);
    run.take(std::move(outcome));
  });
  const int written = std::max(run.finish(!skip_unrecognized_ && !global.quiet), parameters.finish(io));
  stats.size(count_of(static_cast<std::int64_t>(run.summary().files), "file"));
  stats.print(io.err);
  return fixes.has_errors() ? kUnusable : written != kClean ? written : exit_code(run);
}

}  // namespace bayplan::cli
