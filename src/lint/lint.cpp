#include "lint/lint.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "lint/damage.hpp"
#include "lint/identity.hpp"
#include "lint/request_rules.hpp"
#include "lint/supersede.hpp"
#include "model/scenario.hpp"
#include "rules/registry.hpp"
#include "rules/service_input.hpp"
#include "rules/shape_findings.hpp"
#include "text/read.hpp"

namespace bayplan::lint {
namespace {

using rules::FileKind;

/// Rules of the text and its shape; the others read a bound definition.
bool is_shape_rule(std::string_view code) {
  return code.size() == 6 && code[3] == '0';
}

model::TaskDefinition bind(text::Value root, FileKind kind, const Options& options) {
  model::TaskDefinition task;
  if (kind == FileKind::kService || kind == FileKind::kRunTask) return task;
  if (kind == FileKind::kContainerDefinitions) {
    task.container_definitions.node = root;
    for (const text::Value element : root.children()) {
      task.container_definitions.items.push_back(model::bind_container_definition(element, options.placeholders));
    }
  } else if (root) {
    task = model::bind_task_definition(root, options.placeholders);
  }
  task.assumed_compatibility = options.rules.launch_type;
  return task;
}

void run_rules(const rules::Context& context, const Options& options, const Tools& tools, rules::Findings& found) {
  const bool has_definition = context.kind == FileKind::kTaskDefinition || context.kind == FileKind::kDescribe ||
                              context.kind == FileKind::kContainerDefinitions;
  const bool is_list = context.kind == FileKind::kContainerDefinitions;
  const bool is_readable = has_definition && context.root && (context.root.is_object() || is_list);
  for (const auto& rule : rules::registry()) {
    if (rule.check == nullptr || (!is_readable && !is_shape_rule(rule.code))) continue;
    rules::Emitter emitter(rule.code, found, tools.rule_data, options.placeholders);
    rule.check(context, emitter);
  }
}

std::string_view evidence_of(const Finding& finding, const rules::RuleRow& row) {
  if (finding.severity == row.severity) return row.evidence;
  for (const auto& item : row.severity_when) {
    if (item.severity == finding.severity) return item.evidence;
  }
  return row.evidence;
}

/// A warning because the refusal was read, not seen.
bool is_documented_refusal(const Finding& finding, std::string_view evidence, const rules::RuleRow& row) {
  return finding.severity == Severity::kWarning && evidence == "documented" && row.documented_refusal;
}

/// YAML writes keys without quotes: `"memory": 512` of a help reads `memory: 512` there.
std::string without_key_quotes(std::string_view help) {
  std::string result;
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = help[at] == '"' ? help.find('"', at + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      result += help[at++];
      continue;
    }
    const bool is_key = help.substr(end + 1).starts_with(": ");
    result += is_key ? help.substr(at + 1, end - at - 1) : help.substr(at, end + 1 - at);
    at = end + 1;
  }
  return result;
}

/// Bytes 10xxxxxx continue a character of UTF-8.
bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// A name may be a megabyte long: of such a text the beginning and the end, which holds what is said of it.
std::string without_middle(std::string text) {
  constexpr std::size_t kLongest = 1000, kEnd = 300;
  if (text.size() <= kLongest) return text;
  std::size_t begin = kLongest - kEnd;
  std::size_t end = text.size() - kEnd;
  while (continues_character(text[begin])) --begin;
  while (continues_character(text[end])) --end;
  return text.replace(begin, end - begin, "...");
}

LintFinding finished(Finding finding, const FileReport& report, const Options& options, const rules::RuleData& data) {
  const auto& row = data.row(finding.code);
  const auto evidence = evidence_of(finding, row);
  if (options.strict && is_documented_refusal(finding, evidence, row)) finding.severity = Severity::kError;
  for (const auto& item : options.severities) {
    if (match_length(item.selector, row) > 0) finding.severity = item.severity;
  }
  if (report.document->format() == text::Format::kYaml) finding.help = without_key_quotes(finding.help);
  finding.message = without_middle(std::move(finding.message));
  finding.help = without_middle(std::move(finding.help));
  LintFinding result{std::move(finding), evidence, std::nullopt, {}, {}, std::nullopt};
  const text::Value root = report.document->root();
  result.named_path = named_path(root, result.pointer);
  result.container = container_of(root, result.pointer);
  result.fingerprint = fingerprint_of(result, report.file, root);
  return result;
}

/// Sorts, and drops what was said twice: what a YAML anchor holds is one fault however many aliases repeat it.
void tidy(std::deque<Finding>& findings) {
  const auto key = [](const Finding& one) { return std::tie(one.span.begin, one.span.end, one.code, one.message); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  findings.erase(std::unique(findings.begin(), findings.end(),
                             [&](const Finding& a, const Finding& b) { return key(a) == key(b); }),
                 findings.end());
}

/// Two findings alike (the same value twice under one name) still need different identities.
void number_equal_fingerprints(std::vector<LintFinding>& findings) {
  std::map<std::string, int> seen;
  for (auto& finding : findings) {
    const int count = ++seen[finding.fingerprint];
    if (count > 1) finding.fingerprint += "-" + std::to_string(count);
  }
}

/// What is told in the end: selected, one fault once, in file order.
void finish(rules::Findings found, const Options& options, const Tools& tools, FileReport& report) {
  if (found.items.empty() && found.skipped.empty()) return;
  const auto& data = tools.rule_data.get();
  std::erase_if(found.skipped, [&](const rules::Skip& one) { return !options.selection.enables(data.row(one.code)); });
  report.skipped = std::move(found.skipped);
  const auto is_asked_for = [&](const Finding& one) {
    const auto& row = data.row(one.code);
    return row.on_by_default || options.selection.enables(row);
  };
  std::erase_if(found.items, [&](const Finding& one) { return !is_asked_for(one); });  // it would silence others
  drop_consequences(found.items, *report.document);
  drop_superseded(found.items, data);
  std::erase_if(found.items, [&](const Finding& one) { return !options.selection.enables(data.row(one.code)); });
  tidy(found.items);
  for (auto& finding : found.items) report.findings.push_back(finished(std::move(finding), report, options, data));
  number_equal_fingerprints(report.findings);
}

bool is_answer(FileKind kind, text::Value root) {
  return kind == FileKind::kDescribe || (kind == FileKind::kService && rules::is_service_answer(root));
}

}  // namespace

// Faults of other kinds leave nothing out.
bool is_whole(const text::Document& document) {
  const auto& faults = document.faults();
  return std::none_of(faults.begin(), faults.end(), [](const text::Fault& fault) {
    switch (fault.kind) {
      case text::FaultKind::kJsonSyntax:
        return fault.left_out;
      case text::FaultKind::kYamlSyntax:
      case text::FaultKind::kTooDeep:
      case text::FaultKind::kTooLarge:
      case text::FaultKind::kAliasExpansion:
        return true;
      default:
        return false;
    }
  });
}

const Lazy<shape::Schema>& Tools::schema_of(FileKind kind) const {
  if (kind == FileKind::kService) return service_schema;
  return kind == FileKind::kRunTask ? run_task_schema : schema;
}

FileReport read_report(std::string bytes, std::string name, const Options& options) {
  FileReport report{.file = std::move(name)};
  text::ReadOptions reading{.format = text::format_of_name(report.file), .limits = options.limits};
  reading.comments_allowed = report.file.ends_with(".jsonc") || report.file.ends_with(".json5");
  report.document = bytes.size() > options.limits.definition_bytes
                        ? text::oversized_document(bytes.size(), options.limits.definition_bytes)
                        : text::read_document(std::move(bytes), reading);
  report.kind = kind_of(*report.document, options.search);
  return report;
}

void check_report(FileReport& report, const Options& options, const Tools& tools, const FindDefinition& find) {
  if (!is_linted(report.kind)) return;
  const text::Value root = definition_of(*report.document);
  const auto task = bind(root, report.kind, options);
  if (task.family) report.family = *task.family;

  rules::Findings found;
  const auto& schema = tools.schema_of(report.kind);
  const Lazy<std::vector<shape::ShapeFinding>> shape(
      [&] { return rules::find_shape_faults(root, report.kind, schema.get(), options.placeholders); });
  const rules::Context context{.document = *report.document,
                               .root = root,
                               .kind = report.kind,
                               .is_whole = is_whole(*report.document),
                               .is_answer = is_answer(report.kind, root),
                               .file = report.file,
                               .task = task,
                               .placeholders = options.placeholders,
                               .options = options.rules,
                               .catalog = tools.catalog,
                               .schema = schema,
                               .shape = shape};
  run_rules(context, options, tools, found);
  if (context.is_service()) RequestRules(options, tools, find, found).check(context);
  finish(std::move(found), options, tools, report);
}

FileReport lint_document(std::string bytes, std::string name, const Options& options, const Tools& tools,
                         const FindDefinition& find) {
  auto report = read_report(std::move(bytes), std::move(name), options);
  check_report(report, options, tools, find);
  return report;
}

FileReport lint_scenario(std::shared_ptr<const text::Document> document, std::string file, const Options& options,
                         const Tools& tools, const FindDefinition& find) {
  FileReport report{.file = std::move(file), .document = std::move(document)};
  const auto scenario = model::bind_scenario(report.document->root(), options.placeholders);
  rules::Findings found;
  RequestRules request_rules(options, tools, find, found);
  for (const auto& service : scenario.services) request_rules.check(service, rules::ServiceInput::kScenario, true);
  for (const auto& run : scenario.tasks) request_rules.check(run, rules::ServiceInput::kScenario, true);
  finish(std::move(found), options, tools, report);
  return report;
}

}  // namespace bayplan::lint
