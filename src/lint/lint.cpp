#include "lint/lint.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/excerpt.hpp"
#include "importers/cloudformation.hpp"
#include "importers/subject.hpp"
#include "importers/terraform.hpp"
#include "lint/damage.hpp"
#include "lint/files/template_file.hpp"
#include "lint/files/template_words.hpp"
#include "lint/identity.hpp"
#include "lint/request_rules.hpp"
#include "lint/supersede.hpp"
#include "model/definition_reference.hpp"
#include "model/scenario.hpp"
#include "rules/emitter.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/registry.hpp"
#include "rules/service/service_context.hpp"
#include "rules/service/service_input.hpp"
#include "text/read.hpp"
#include "text/template_language.hpp"

namespace bayplan::lint {

namespace {

/// Where findings were made and where they go.
struct Finish {
  const Options& options;
  const text::Document& document;               ///< What the rules looked at.
  const importers::Subject* subject = nullptr;  ///< Set when that is a part of the file, in other words.
  FileReport& report;
};

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

/// A name may be a megabyte long: of such a text the beginning and the end, which holds what is said of it.
std::string bounded(std::string text) {
  return without_middle(std::move(text), 1000, 300);
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

/// Places in a file that a fix may write to: only what is written as it stands may be replaced, not a reference, nor a
/// key by one in ECS's spelling.
class PlainPlaces {
 public:
  PlainPlaces(const importers::Subject& subject, const text::Document& file) {
    for (std::uint32_t i = 0; i < subject.origins.size(); ++i) {
      const text::Value made = subject.document->node(i);
      const text::Value origin = file.node(subject.origins[i]);
      const bool is_scalar = !origin.is_object() && !origin.is_array();
      if (is_scalar && origin.tag().empty() && made.span() == origin.span()) add(origin.span());
      // Rules spell the keys of a template as it does.
      const bool is_template = subject.spelling == importers::Spelling::kPascalCase;
      if (is_template && made.key_span() == origin.key_span()) add(origin.key_span());
    }
    std::sort(places_.begin(), places_.end());
  }

  bool hold(const Fix& fix) const {
    return std::all_of(fix.edits.begin(), fix.edits.end(), [&](const Edit& edit) {
      return std::binary_search(places_.begin(), places_.end(), std::pair(edit.span.begin, edit.span.end));
    });
  }

 private:
  void add(Span span) {
    if (span.length() > 0) places_.emplace_back(span.begin, span.end);
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;
};

/// Written by a program, which will write it again.
bool is_generated(rules::FileKind kind) {
  return kind == rules::FileKind::kTerraform || kind == rules::FileKind::kCdk;
}

void keep_plain_fixes(std::deque<Finding>& findings, const importers::Subject& subject, const FileReport& report) {
  const auto has_fix = [](const Finding& one) { return one.fix.has_value(); };
  if (std::none_of(findings.begin(), findings.end(), has_fix)) return;
  const PlainPlaces places(subject, *report.document);
  for (auto& finding : findings) {
    if (finding.fix && (is_generated(report.kind) || !places.hold(*finding.fix))) finding.fix.reset();
  }
}

void drop_fixes(std::deque<Finding>& findings) {
  for (auto& finding : findings) finding.fix.reset();
}

/// What stands in a template for a value must stay.
void drop_fixes_of_filled(std::deque<Finding>& findings, const std::vector<Span>& filled_in) {
  if (filled_in.empty()) return;
  const auto is_touched = [&](const Edit& edit) {
    return std::any_of(filled_in.begin(), filled_in.end(), [&](Span place) {
      return edit.span.begin < place.end && (place.begin < edit.span.end || place.begin < edit.span.begin);
    });
  };
  for (auto& finding : findings) {
    if (finding.fix && std::any_of(finding.fix->edits.begin(), finding.fix->edits.end(), is_touched))
      finding.fix.reset();
  }
}

/// The path of the construct that made a resource, which is what its author knows it by.
void name_construct(LintFinding& finding, const importers::Subject& subject, const text::Document& file) {
  const text::Value resources = file.root().find("Resources");
  const text::Value metadata = resources.find(subject.name).find("Metadata");
  const text::Value path = metadata ? metadata.find("aws:cdk:path") : text::Value();
  if (path) finding.related.push_back({"the construct", path.span()});
}

void place_in_file(LintFinding& finding, const importers::Subject& subject, const text::Document& file) {
  finding.named_path = finding.named_path.empty() ? subject.name : subject.name + "." + finding.named_path;
  finding.pointer = importers::pointer_in_file(subject, file, finding.pointer);
  finding.message = subject.name + ": " + finding.message;
}

/// What is said of a service may speak of its task definition too.
Schemas schemas_of(const importers::Subject& subject, const Tools& tools) {
  if (subject.kind != importers::SubjectKind::kService) return {&tools.schema.get()};
  return {&tools.service_schema.get(), &tools.schema.get()};
}

LintFinding finished(Finding finding, const Finish& finish, const Tools& tools) {
  const auto& data = tools.rule_data.get();
  const auto& row = data.row(finding.code);
  const auto evidence = evidence_of(finding, row);
  const bool is_templated = !finish.report.template_language.empty();
  if (is_templated && finding.severity == Severity::kError && !holds_in_template(finding.code))
    finding.severity = Severity::kWarning;
  if (finish.options.strict && !is_templated && is_documented_refusal(finding, evidence, row))
    finding.severity = Severity::kError;
  for (const auto& item : finish.options.severities) {
    if (match_length(item.selector, row) > 0) finding.severity = item.severity;
  }
  const bool is_template = finish.subject != nullptr && finish.subject->spelling == importers::Spelling::kPascalCase;
  if (is_template) spell_as_template(finding, schemas_of(*finish.subject, tools));
  if (finish.document.format() == text::Format::kYaml) finding.help = without_key_quotes(finding.help);
  finding.message = bounded(std::move(finding.message));
  finding.help = bounded(std::move(finding.help));
  LintFinding result{std::move(finding), evidence, std::nullopt, {}, {}, std::nullopt};
  const text::Value root = finish.document.root();
  result.named_path = named_path(root, result.pointer);
  result.container = container_of(root, result.pointer);
  if (finish.subject != nullptr) place_in_file(result, *finish.subject, *finish.report.document);
  if (finish.report.kind == rules::FileKind::kCdk && finish.subject != nullptr) {
    name_construct(result, *finish.subject, *finish.report.document);
  }
  result.fingerprint = fingerprint_of(result, result.named_path, finish.report.file, finish.document.source());
  return result;
}

/// What is told in the end: selected, one fault once; adds it to the report.
void finish_findings(rules::Findings found, const Finish& finish, const Tools& tools) {
  if (found.items.empty() && found.skipped.empty()) return;
  const auto& data = tools.rule_data.get();
  const auto& selection = finish.options.selection;
  for (auto& skip : found.skipped) {
    if (!selection.enables(data.row(skip.code))) continue;
    if (finish.subject != nullptr) {
      skip.pointer = importers::pointer_in_file(*finish.subject, *finish.report.document, skip.pointer);
    }
    finish.report.skipped.push_back(std::move(skip));
  }
  const auto is_asked_for = [&](const Finding& one) {
    const auto& row = data.row(one.code);
    return row.on_by_default || selection.enables(row);
  };
  std::erase_if(found.items, [&](const Finding& one) { return !is_asked_for(one); });  // it would silence others
  drop_consequences(found.items, finish.document, finish.subject ? *finish.report.document : finish.document);
  drop_superseded(found.items, data);
  // Branches of which one is rendered may hold the same key.
  if (!finish.report.template_language.empty())
    std::erase_if(found.items, [](const Finding& one) { return one.code == "BAY004"; });
  std::erase_if(found.items, [&](const Finding& one) { return !selection.enables(data.row(one.code)); });
  tidy(found.items);
  drop_fixes_of_filled(found.items, finish.report.filled_in);
  if (text::is_jsonnet(finish.report.file, {})) drop_fixes(found.items);
  if (finish.subject != nullptr) keep_plain_fixes(found.items, *finish.subject, finish.report);
  for (auto& finding : found.items) finish.report.findings.push_back(finished(std::move(finding), finish, tools));
}

/// Brings the findings of a file into file order and tells equal ones apart.
void order_findings(FileReport& report) {
  std::stable_sort(report.findings.begin(), report.findings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.span.begin, a.span.end) < std::tie(b.span.begin, b.span.end);
  });
  number_equal_fingerprints(report.findings);
}

/// The task definitions among the subjects of one file, found by the name that the file gives them, else by the
/// family where one alone has it.
class SubjectDefinitions {
 public:
  SubjectDefinitions(const FileReport& report, const model::Placeholders& placeholders);

  /// Without a task when the file has none of this name.
  rules::NamedDefinition find(std::string_view name) const;

 private:
  std::map<std::string_view, model::TaskDefinition> by_name_;
};

/// The definitions and services inside a template or plan, in file order; nothing of other kinds.
std::vector<importers::Subject> subjects_of(const text::Document& document, rules::FileKind kind,
                                            const Options& options, const Tools& tools) {
  switch (kind) {
    case rules::FileKind::kCloudFormation:
    case rules::FileKind::kCdk:
      return importers::subjects_of_template(document, options.parameters, tools.schema, tools.service_schema);
    case rules::FileKind::kTerraform:
      return importers::read_terraform(document, tools.schema.get(), options.limits);
    default:
      return {};
  }
}

SubjectDefinitions::SubjectDefinitions(const FileReport& report, const model::Placeholders& placeholders) {
  for (const auto& subject : report.subjects) {
    if (subject.kind != importers::SubjectKind::kTaskDefinition) continue;
    by_name_.emplace(subject.name, model::bind_task_definition(subject.document->root(), placeholders));
  }
}

rules::NamedDefinition SubjectDefinitions::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  if (at != by_name_.end()) return {&at->second, at->first, {}, {}};
  const auto wanted = model::parse_definition_reference(name);
  if (!wanted || wanted->revision) return {};
  const auto is_of_family = [&](const auto& entry) {
    return entry.second.family && *entry.second.family == wanted->family;
  };
  const auto first = std::find_if(by_name_.begin(), by_name_.end(), is_of_family);
  if (first == by_name_.end() || std::any_of(std::next(first), by_name_.end(), is_of_family)) return {};
  return {&first->second, first->first, {}, {}};
}

using rules::FileKind;

/// Rules of the text and its shape; the others read a bound definition.
bool is_shape_rule(std::string_view code) {
  return code.size() == 6 && code[3] == '0';
}

/// Rules of the text alone, whatever it holds.
bool is_text_rule(std::string_view code) {
  return code < "BAY007" || code == "BAY029" || code == "BAY030";
}

model::TaskDefinition bind(text::Value root, FileKind kind, const Options& options) {
  model::TaskDefinition task;
  if (kind == FileKind::kService || kind == FileKind::kRunTask) return task;
  if (kind == FileKind::kContainerDefinitions) {
    task.container_definitions.node = root;
    for (const text::Value element : rules::lone_containers(root)) {
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
  const bool is_untouched = rules::is_untouched_skeleton(context.root);
  for (const auto& rule : rules::registry()) {
    if (rule.check == nullptr || (!is_readable && !is_shape_rule(rule.code))) continue;
    if (is_untouched && !is_text_rule(rule.code) && rule.code != "BAY026") continue;
    rules::Emitter emitter(rule.code, found, tools.rule_data, options.placeholders);
    rule.check(context, emitter);
  }
}

/// Keeps of a plan what is of ECS: all of it would take five times its size.
std::unique_ptr<const text::Document> read_large_plan(std::string bytes, text::ReadOptions reading, std::size_t limit) {
  const std::size_t size = bytes.size();
  reading.format = text::Format::kJson;
  reading.keep = importers::matters_to_terraform;
  auto document = text::read_document(std::move(bytes), reading);
  return kind_of(*document, Search::kNamed) == FileKind::kTerraform ? std::move(document)
                                                                    : text::oversized_document(size, limit);
}

FileKind kind_in(const text::Document& document, const Options& options) {
  const bool is_told = options.from && options.search == Search::kNamed;
  return is_told ? kind_as(*options.from, document) : kind_of(document, options.search);
}

/// Stands for a text whose placeholders ask for more than is filled in: one fault, no root.
std::unique_ptr<const text::Document> overfilled_document(const text::Document& document, Span placeholder) {
  static_assert(model::kMostFilledIn == 4u << 20);
  text::Builder builder(document.shared_source(), document.format());
  builder.fault({text::FaultKind::kTooLarge,
                 placeholder,
                 "up to here the values of variables come to more than 4 MiB; no more are filled in",
                 "ECS takes 65536 bytes; give shorter values",
                 {},
                 {}});
  return std::move(builder).finish();
}

/// Reads the text again with the values that the user gives for its placeholders. Plans and the output of the CDK are
/// no templates any more.
void fill_in(FileReport& report, text::ReadOptions reading, const Options& options) {
  if (report.kind == FileKind::kTerraform || report.kind == FileKind::kCdk) return;
  const bool is_template = report.kind == FileKind::kCloudFormation;
  auto filled = model::fill_in(*report.document, options.variables,
                               is_template ? model::Dollars::kOfCloudFormation : model::Dollars::kOfTemplate);
  if (!filled) return;
  report.used_variables = std::move(filled->variables);
  if (filled->beyond) {
    report.document = overfilled_document(*report.document, *filled->beyond);
    return;
  }
  text::Origin origin{report.document->shared_source(), filled->edited.offsets, {}};
  for (const auto& fault : report.document->faults()) {
    if (fault.kind == text::FaultKind::kEncoding) origin.faults.push_back(fault);
  }
  reading.origin = &origin;
  report.document = text::read_document(std::move(filled->edited.text), reading);
  report.kind = kind_in(*report.document, options);
  report.filled_in = std::move(filled->places);
}

bool is_answer(FileKind kind, text::Value root) {
  return kind == FileKind::kDescribe || (kind == FileKind::kService && rules::is_service_answer(root));
}

/// A file that holds definitions among other things. A lone resource, cut out of a template, is no template.
bool is_container_file(const FileReport& report) {
  if (report.kind != FileKind::kCloudFormation) {
    return report.kind == FileKind::kCdk || report.kind == FileKind::kTerraform;
  }
  const text::Value root = report.document->root();
  return !root || root.find("Resources") || root.find("AWSTemplateFormatVersion");
}

/// What the rules look at: a file, or a part of one in ECS's words.
struct Part {
  const text::Document& document;
  text::Value root;
  FileKind kind;
  const importers::Subject* subject;
};

rules::Findings run_text_rules(const rules::Context& context, const Options& options, const Tools& tools) {
  rules::Findings found;
  for (const auto& rule : rules::registry()) {
    if (rule.check == nullptr || !is_text_rule(rule.code)) continue;
    rules::Emitter emitter(rule.code, found, tools.rule_data, options.placeholders);
    rule.check(context, emitter);
  }
  return found;
}

/// Calls `use` with all that a rule sees of the part.
template <class Use>
void with_context(const Part& part, const model::TaskDefinition& task, const FileReport& report, const Options& options,
                  const Tools& tools, Use use) {
  const auto& schema = tools.schema_of(part.kind);
  const Lazy<std::vector<shape::ShapeFinding>> shape(
      [&] { return rules::find_shape_faults(part.root, part.kind, schema.get(), options.placeholders); });
  use(rules::Context{
      .document = part.document,
      .root = part.root,
      .kind = part.kind,
      .is_whole = is_whole(part.document) && is_whole(report) && !rules::is_part_of_container(part.root, part.kind),
      .is_answer = is_answer(part.kind, part.root),
      .file = report.file,
      .task = task,
      .placeholders = options.placeholders,
      .options = options.rules,
      .catalog = tools.catalog,
      .schema = schema,
      .shape = shape});
}

void check_part(const Part& part, FileReport& report, const Options& options, const Tools& tools,
                const FindDefinition& find) {
  const auto task = bind(part.root, part.kind, options);
  if (task.family && report.family.empty()) report.family = *task.family;
  rules::Findings found;
  with_context(part, task, report, options, tools, [&](const rules::Context& context) {
    run_rules(context, options, tools, found);
    if (context.is_service() && !rules::is_untouched_skeleton(context.root))
      RequestRules(options, tools, find, found).check(context);
  });
  finish_findings(std::move(found), {options, part.document, part.subject, report}, tools);
}

/// Of a template or plan itself only the text is judged: it has other schemas than ECS's.
void check_text(FileReport& report, const Options& options, const Tools& tools) {
  const Part whole{*report.document, report.document->root(), report.kind, nullptr};
  const model::TaskDefinition none;
  with_context(whole, none, report, options, tools, [&](const rules::Context& context) {
    finish_findings(run_text_rules(context, options, tools), {options, *report.document, nullptr, report}, tools);
  });
}

void check_subjects(FileReport& report, const Options& options, const Tools& tools, const FindDefinition& find) {
  const SubjectDefinitions own(report, options.placeholders);
  const FindDefinition find_here = [&](std::string_view reference) {
    auto found = own.find(reference);
    return found.task == nullptr && find ? find(reference) : found;
  };
  Options own_options = options;
  own_options.rules.deploy_with =
      report.kind == FileKind::kTerraform ? rules::DeployClient::kTerraform : rules::DeployClient::kCloudFormation;
  for (const auto& subject : report.subjects) {
    const bool is_service = subject.kind == importers::SubjectKind::kService;
    const Part part{*subject.document, subject.document->root(),
                    is_service ? FileKind::kService : FileKind::kTaskDefinition, &subject};
    check_part(part, report, own_options, tools, find_here);
  }
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

bool is_whole(const FileReport& report) {
  return report.template_language.empty() && is_whole(*report.document);
}

const Lazy<shape::Schema>& Tools::schema_of(FileKind kind) const {
  if (kind == FileKind::kService) return service_schema;
  return kind == FileKind::kRunTask ? run_task_schema : schema;
}

bool is_linted(const FileReport& report) {
  if (!is_linted(report.kind)) return false;
  return !is_container_file(report) || !report.subjects.empty() || !report.document->faults().empty();
}

FileReport read_report(std::string bytes, std::string name, const Options& options, const Tools& tools) {
  FileReport report{.file = std::move(name)};
  text::ReadOptions reading{.format = text::format_of_name(report.file), .limits = options.limits};
  reading.comments_allowed = report.file.ends_with(".jsonc") || report.file.ends_with(".json5");
  reading.has_bare_names = is_template_name(report.file);
  const std::size_t limit = options.limits.definition_bytes;
  if (bytes.size() <= limit) {
    report.document = text::read_document(std::move(bytes), reading);
  } else if (importers::begins_like_terraform(bytes)) {
    report.document = read_large_plan(std::move(bytes), reading, limit);
  } else {
    report.document = text::oversized_document(bytes.size(), limit);
  }
  report.kind = is_terraform_code(report.file) ? FileKind::kUnrecognized : kind_in(*report.document, options);
  if (!options.variables.empty()) fill_in(report, reading, options);
  if (report.kind != FileKind::kTerraform) note_template(report, options.search);
  report.subjects = subjects_of(*report.document, report.kind, options, tools);
  return report;
}

void check_report(FileReport& report, const Options& options, const Tools& tools, const FindDefinition& find) {
  if (!is_linted(report)) return;
  if (is_container_file(report)) {
    check_text(report, options, tools);
    check_subjects(report, options, tools, find);
  } else {
    const text::Value root = definition_of(*report.document);
    check_part({*report.document, root, report.kind, nullptr}, report, options, tools, find);
  }
  order_findings(report);
}

FileReport lint_document(std::string bytes, std::string name, const Options& options, const Tools& tools,
                         const FindDefinition& find) {
  auto report = read_report(std::move(bytes), std::move(name), options, tools);
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
  if (scenario.tasks) {
    for (const text::Value run : scenario.tasks.children()) {
      request_rules.check(model::bind_task_run(run, options.placeholders), rules::ServiceInput::kScenario, true);
    }
  }
  finish_findings(std::move(found), {options, *report.document, nullptr, report}, tools);
  order_findings(report);
  return report;
}

}  // namespace bayplan::lint
