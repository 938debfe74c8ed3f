#include "bayplan/lint.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/files.hpp"
#include "base/lazy.hpp"
#include "base/memory_files.hpp"
#include "library/errors.hpp"
#include "lint/config/config.hpp"
#include "lint/config/config_options.hpp"
#include "lint/config/ignores.hpp"
#include "lint/fix/fixes.hpp"
#include "lint/lint.hpp"
#include "lint/lint_files.hpp"
#include "rules/rule_data.hpp"
#include "text/location.hpp"

namespace bayplan::v0 {

/// Never changes once it is made: what is lazy in it is made once, whichever thread asks first.
struct Linter::State {
  bayplan::lint::Tools tools;
  bayplan::lint::Config config;
  bayplan::lint::Options options;
  bayplan::DiskFiles disk;  ///< Says where a text's name lies, for entries of the config that are bound to a folder.
  std::int64_t now = 0;
  bool ignores = true;

  class Run;
};

namespace {

using bayplan::lint::LintFinding;
using bayplan::text::LineIndex;

// The public enumerations have the order of the inner ones.
FileKind public_kind(bayplan::rules::FileKind kind) {
  static_assert(static_cast<int>(FileKind::kDescribe) == static_cast<int>(bayplan::rules::FileKind::kDescribe));
  static_assert(static_cast<int>(FileKind::kRunTask) == static_cast<int>(bayplan::rules::FileKind::kRunTask));
  static_assert(static_cast<int>(FileKind::kUnrecognized) == static_cast<int>(bayplan::rules::FileKind::kUnrecognized));
  static_assert(static_cast<int>(FileKind::kExpressService) ==
                static_cast<int>(bayplan::rules::FileKind::kExpressService));
  return static_cast<FileKind>(kind);
}

Severity public_severity(bayplan::Severity severity) {
  static_assert(static_cast<int>(Severity::kStyle) == static_cast<int>(bayplan::Severity::kStyle));
  static_assert(static_cast<int>(Severity::kError) == static_cast<int>(bayplan::Severity::kError));
  return static_cast<Severity>(severity);
}

bayplan::Severity inner_severity(Severity severity) {
  return static_cast<bayplan::Severity>(severity);
}

std::optional<Fix> public_fix(std::optional<bayplan::Fix> fix) {
  if (!fix) return std::nullopt;
  Fix made{.safe = fix->safe};
  for (auto& edit : fix->edits) made.edits.push_back({edit.span.begin, edit.span.length(), std::move(edit.text)});
  return made;
}

std::vector<RelatedPlace> public_places(std::vector<bayplan::Related> places, const LineIndex& lines) {
  std::vector<RelatedPlace> made;
  for (auto& place : places) {
    const auto at = lines.location(place.span.begin);
    made.push_back({std::move(place.message), at.line, at.column});
  }
  return made;
}

Finding public_finding(LintFinding finding, const std::string& file, const LineIndex& lines,
                       const bayplan::rules::RuleRow& row) {
  const auto begin = lines.location(finding.span.begin);
  const auto end = lines.location(finding.span.end);
  Finding made;
  made.code = finding.code;
  made.rule = row.id;
  made.group = row.group;
  made.evidence = finding.evidence;
  made.severity = public_severity(finding.severity);
  made.message = std::move(finding.message);
  made.help = std::move(finding.help);
  made.url = row.url();
  made.file = file;
  made.line = begin.line;
  made.column = begin.column;
  made.end_line = end.line;
  made.end_column = end.column;
  made.offset = finding.span.begin;
  made.length = finding.span.length();
  made.pointer = std::move(finding.pointer);
  made.container = std::move(finding.container);
  made.fingerprint = std::move(finding.fingerprint);
  made.suppressed = finding.suppression.has_value();
  if (finding.suppression) made.suppressed_because = std::move(finding.suppression->reason);
  made.fix = public_fix(std::move(finding.fix));
  made.related = public_places(std::move(finding.related), lines);
  return made;
}

/// Resolves every position. Findings of the report are moved from.
LintReport public_report(bayplan::lint::FileReport report, const bayplan::Lazy<bayplan::rules::RuleData>& data) {
  LintReport made;
  made.kind = public_kind(report.kind);
  made.checked = bayplan::lint::is_linted(report);
  made.family = std::move(report.family);
  made.file = std::move(report.file);
  if (!report.findings.empty()) {
    const LineIndex lines(report.document->source());
    made.findings.reserve(report.findings.size());
    for (auto& finding : report.findings) {
      const auto& row = data.get().row(finding.code);
      made.findings.push_back(public_finding(std::move(finding), made.file, lines, row));
    }
  }
  for (auto& skip : report.skipped)
    made.skipped.push_back({std::string(skip.code), std::move(skip.pointer), std::move(skip.because)});
  std::transform(report.notes.begin(), report.notes.end(), std::back_inserter(made.notes),
                 [](const bayplan::Error& note) { return to_string(public_error(note)); });
  return made;
}

using bayplan::lint::FileReport;

bayplan::model::Compatibility inner_launch_type(LaunchType type) {
  using bayplan::model::Compatibility;
  switch (type) {
    case LaunchType::kEc2:
      return Compatibility::kEc2;
    case LaunchType::kFargate:
      return Compatibility::kFargate;
    case LaunchType::kExternal:
      return Compatibility::kExternal;
    case LaunchType::kManagedInstances:
      break;
  }
  return Compatibility::kManagedInstances;
}

bayplan::rules::DeployClient inner_client(DeployClient client) {
  using Inner = bayplan::rules::DeployClient;
  switch (client) {
    case DeployClient::kAwsCli:
      return Inner::kAwsCli;
    case DeployClient::kGithubAction:
      return Inner::kGithubAction;
    case DeployClient::kTerraform:
      return Inner::kTerraform;
    case DeployClient::kAny:
      break;
  }
  return Inner::kAny;
}

/// What a text may be declared to hold: its other forms (a bare list, run-task input) are recognized.
bool may_be_given(FileKind kind) {
  return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind == FileKind::kCloudFormation ||
         kind == FileKind::kTerraform || kind == FileKind::kService;
}

bayplan::lint::Settings inner_settings(const LintOptions& from) {
  bayplan::lint::Settings settings{.selection = {from.select, from.extend_select, from.ignore},
                                   .types = from.types,
                                   .strict = from.strict,
                                   .strict_unknown = from.strict_unknown,
                                   .daemon = from.daemon ? std::optional(true) : std::nullopt};
  for (const auto& one : from.severities) settings.severities.push_back({one.selector, inner_severity(one.severity)});
  if (from.launch_type) settings.launch_type = inner_launch_type(*from.launch_type);
  if (from.deploy_with) settings.deploy_with = inner_client(*from.deploy_with);
  if (from.from) settings.from = static_cast<bayplan::rules::FileKind>(*from.from);
  return settings;
}

}  // namespace

std::string_view to_string(Severity severity) {
  return bayplan::name_of(inner_severity(severity));
}

std::string_view to_string(FileKind kind) {
  return bayplan::rules::name_of(static_cast<bayplan::rules::FileKind>(kind));
}

std::size_t LintReport::count_from(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return !finding.suppressed && finding.severity >= severity;
  }));
}

/// One text or several, with what silences their findings.
class Linter::State::Run {
 public:
  explicit Run(const State& state)
      : state_(state),
        ignores_(state.config.file_ignores, state.options.selection, state.tools, state.disk, state.now) {}

  void silence(FileReport& report) const {
    if (state_.ignores && bayplan::lint::is_linted(report)) ignores_.apply(report);
  }

  FileReport check(std::string text, std::string_view name) const {
    auto report = bayplan::lint::lint_document(std::move(text), std::string(name), state_.options, state_.tools);
    silence(report);
    return report;
  }

 private:
  const State& state_;
  bayplan::lint::Ignores ignores_;
};

Linter::Linter(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Linter> Linter::create(const LintOptions& options) {
  auto state = std::make_shared<State>();
  if (!options.config.empty()) {
    auto read = bayplan::lint::read_config(options.config, state->disk, state->tools.rule_data);
    if (!read.errors.empty()) return public_errors(std::move(read.errors));
    state->config = std::move(read.config);
  }
  if (options.from && !may_be_given(*options.from))
    return Error{.message = "from: a text cannot be " + std::string(to_string(*options.from))};
  auto made = bayplan::lint::options_of(state->config, inner_settings(options), state->tools);
  if (!made) return public_error(made.error());
  state->options = std::move(*made);
  for (const auto& [name, value] : options.variables) state->options.variables.insert_or_assign(name, value);
  for (const auto& [name, value] : options.parameters) state->options.parameters.insert_or_assign(name, value);
  state->options.limits.definition_bytes = options.max_bytes;
  state->now = options.now.time_since_epoch().count();
  state->ignores = options.ignores;
  return Linter(std::move(state));
}

LintReport Linter::lint(std::string_view name, std::string_view text) const {
  return public_report(State::Run(*state_).check(std::string(text), name), state_->tools.rule_data);
}

std::vector<LintReport> Linter::lint(std::span<const SourceText> texts) const {
  std::vector<bayplan::lint::Candidate> candidates;
  candidates.reserve(texts.size());
  for (const auto& text : texts) candidates.push_back({text.name, bayplan::lint::Search::kNamed, text.text});
  const bayplan::MemoryFiles none;  // definitions are looked for among the texts alone
  const State::Run run(*state_);
  std::vector<LintReport> reports;
  reports.reserve(texts.size());
  bayplan::lint::lint_each(
      candidates, state_->options, state_->tools, none, /*jobs=*/1,
      [&](bayplan::lint::Outcome outcome) {
        reports.push_back(public_report(std::move(outcome.report), state_->tools.rule_data));
      },
      [&](FileReport& report) { run.silence(report); });
  return reports;
}

FixedText Linter::fix(std::string_view name, std::string_view text) const {
  const State::Run run(*state_);
  auto fixed =
      bayplan::lint::fix_text(std::string(text), [&](std::string bytes) { return run.check(std::move(bytes), name); });
  FixedText made{std::move(fixed.bytes), fixed.fixed, {}};
  for (const auto& left : fixed.left) made.left.push_back(to_string(public_error(left)));
  return made;
}

std::vector<Rule> Linter::rules() const {
  std::vector<Rule> made;
  for (const auto& row : state_->tools.rule_data.get().rows()) {
    if (!row.implemented) continue;
    made.push_back({std::string(row.code), std::string(row.id), std::string(row.group), public_severity(row.severity),
                    row.on_by_default, std::string(row.evidence), std::string(row.summary), std::string(row.why),
                    std::string(row.fix), row.url()});
  }
  return made;
}

Result<LintReport> lint(std::string_view name, std::string_view text, const LintOptions& options) {
  const auto linter = Linter::create(options);
  if (!linter) return linter.errors();
  return linter->lint(name, text);
}

}  // namespace bayplan::v0
