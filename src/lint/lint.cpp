#include "lint/lint.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "importers/container_list.hpp"
#include "importers/definition_file.hpp"
#include "importers/subject.hpp"
#include "importers/terraform.hpp"
#include "lint/files/definition_form.hpp"
#include "lint/files/template_file.hpp"
#include "lint/finish.hpp"
#include "model/definition_reference.hpp"
#include "model/scenario_file.hpp"
#include "model/service.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/registry.hpp"
#include "rules/service/service_context.hpp"
#include "rules/service/service_input.hpp"
#include "text/read.hpp"
#include "text/template_language.hpp"

namespace bayplan::lint {

namespace {

/// The only rule for answers of ECS: it once accepted 100/100, which still keeps a service from deploying. All
/// other rules of services tell of refusals.
constexpr std::string_view kSpeaksOfAnswers = "BAY1118";

rules::NamedDefinition definition_named(const model::PlacementRequest& request, const FindDefinition& find) {
  return find && request.task_definition ? find(*request.task_definition) : rules::NamedDefinition{};
}

rules::ServiceContext service_context(const model::Service& service, rules::ServiceInput input, bool is_whole,
                                      const FindDefinition& find) {
  return {.input = input,
          .request = service,
          .service = &service,
          .definition = definition_named(service, find),
          .is_whole = is_whole};
}

rules::ServiceContext run_context(const model::TaskRun& run, rules::ServiceInput input, bool is_whole,
                                  const FindDefinition& find) {
  return {.input = input, .request = run, .run = &run, .definition = definition_named(run, find), .is_whole = is_whole};
}

void run_service_rules(const rules::ServiceContext& context, const Options& options, const Tools& tools,
                       rules::Findings& found) {
  for (const auto& rule : rules::registry()) {
    if (rule.check_service == nullptr) continue;
    if (context.input == rules::ServiceInput::kAnswer && rule.code != kSpeaksOfAnswers) continue;
    rules::Emitter emitter(rule.code, found, tools.rule_data, options.placeholders);
    rule.check_service(context, emitter);
  }
}

/// Runs the rules of services and RunTask calls over what a file of kind service or run-task holds.
void check_requests(const rules::Context& file, const Options& options, const Tools& tools, const FindDefinition& find,
                    rules::Findings& found) {
  if (!file.root || !file.root.is_object()) return;
  if (file.kind == rules::FileKind::kRunTask) {
    const auto run = model::bind_task_run(file.root, options.placeholders);
    return run_service_rules(run_context(run, rules::ServiceInput::kRunTask, file.is_whole, find), options, tools,
                             found);
  }
  const auto input = rules::detect_service_input(file.root);
  for (const text::Value node : rules::services_in(file.root)) {
    const auto service = model::bind_service(node, options.placeholders);
    run_service_rules(service_context(service, input, file.is_whole, find), options, tools, found);
  }
}

/// The task definitions among the subjects of one file, found by the name that the file gives them, else by the
/// family where one alone has it.
class SubjectDefinitions {
 public:
  SubjectDefinitions(const FileReport& report, const model::Placeholders& placeholders);

  /// Returns no task when the file has none of this name.
  rules::NamedDefinition find(std::string_view name) const;

 private:
  std::map<std::string_view, model::TaskDefinition> by_name_;
};

/// The definitions and services inside a template or plan, in file order; nothing of other kinds.
std::vector<importers::Subject> extract_subjects(const text::Document& document, rules::FileKind kind,
                                                 const Options& options, const Tools& tools) {
  return importers::read_subjects(document, form_of(kind), options.parameters,
                                  {tools.schema, tools.service_schema, tools.capacity_provider_schema}, options.limits);
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

/// Rules of a capacity provider.
bool is_provider_rule(std::string_view code) {
  return code == "BAY1126";
}

/// Rules of the text alone, whatever it holds.
bool is_text_rule(std::string_view code) {
  return code < "BAY007" || code == "BAY029" || code == "BAY030";
}

model::TaskDefinition bind(text::Value root, FileKind kind, const Options& options) {
  model::TaskDefinition task;
  if (kind == FileKind::kService || kind == FileKind::kRunTask || kind == FileKind::kCapacityProvider) return task;
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
  const bool is_provider = context.kind == FileKind::kCapacityProvider;
  const bool is_untouched = rules::is_untouched_skeleton(context.root);
  for (const auto& rule : rules::registry()) {
    const bool applies = is_readable || is_shape_rule(rule.code) || (is_provider && is_provider_rule(rule.code));
    if (rule.check == nullptr || !applies) continue;
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

FileKind kind_in(const text::Document& document, const Options& options, std::string_view name) {
  const bool is_reported = options.from && options.search == Search::kNamed;
  return is_reported ? kind_as(*options.from, document) : kind_of(document, options.search, name);
}

/// Stands for a text whose placeholders ask for more than is filled in: one fault, no root.
std::unique_ptr<const text::Document> overfilled_document(const text::Document& document, Span placeholder) {
  static_assert(model::kMaxFilledIn == 4u << 20);
  text::Builder builder(document.shared_source(), document.format());
  builder.fault({text::FaultKind::kTooLarge,
                 placeholder,
                 "values of variables exceed 4 MiB here; the rest are not filled in",
                 "use shorter values; the ECS maximum is 65536 bytes",
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
  report.kind = kind_in(*report.document, options, report.file);
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
      check_requests(context, options, tools, find, found);
  });
  finish_findings(std::move(found), {options, part.document, part.subject, report}, tools);
}

/// Checks only the text of a template or plan itself, because its schema is not that of ECS.
void check_text(FileReport& report, const Options& options, const Tools& tools) {
  const Part whole{*report.document, report.document->root(), report.kind, nullptr};
  const model::TaskDefinition none;
  with_context(whole, none, report, options, tools, [&](const rules::Context& context) {
    finish_findings(run_text_rules(context, options, tools), {options, *report.document, nullptr, report}, tools);
  });
}

FileKind kind_of(const importers::Subject& subject) {
  switch (subject.kind) {
    case importers::SubjectKind::kService:
      return FileKind::kService;
    case importers::SubjectKind::kCapacityProvider:
      return FileKind::kCapacityProvider;
    case importers::SubjectKind::kTaskDefinition:
      break;
  }
  return FileKind::kTaskDefinition;
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
    const Part part{*subject.document, subject.document->root(), kind_of(subject), &subject};
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
  if (kind == FileKind::kCapacityProvider) return capacity_provider_schema;
  return kind == FileKind::kRunTask ? run_task_schema : schema;
}

bool is_linted(const FileReport& report) {
  if (!is_linted(report.kind)) return false;
  return !is_container_file(report) || !report.subjects.empty() || !report.document->faults().empty();
}

FileReport read_report(std::string bytes, std::string name, const Options& options, const Tools& tools) {
  FileReport report{.file = std::move(name)};
  text::ReadOptions reading{.format = text::format_of_name(report.file), .limits = options.limits};
  reading.comments_allowed = text::takes_comments(report.file);
  reading.has_bare_names = is_template_name(report.file);
  const std::size_t limit = options.limits.definition_bytes;
  if (bytes.size() <= limit) {
    report.document = text::read_document(std::move(bytes), reading);
  } else if (importers::begins_like_terraform(bytes)) {
    report.document = read_large_plan(std::move(bytes), reading, limit);
  } else {
    report.document = text::oversized_document(bytes.size(), limit);
  }
  report.kind =
      is_terraform_code(report.file) ? FileKind::kUnrecognized : kind_in(*report.document, options, report.file);
  if (!options.variables.empty()) fill_in(report, reading, options);
  if (report.kind == FileKind::kContainerDefinitions && importers::is_list_in_other_case(report.document->root()))
    report.document = importers::in_ecs_case(*report.document, *tools.schema.get().definition("ContainerDefinition"));
  if (report.kind != FileKind::kTerraform) note_template(report, options.search);
  report.subjects = extract_subjects(*report.document, report.kind, options, tools);
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
  constexpr auto kInput = rules::ServiceInput::kScenario;
  for (const auto& service : scenario.services)
    run_service_rules(service_context(service, kInput, true, find), options, tools, found);
  if (scenario.tasks) {
    for (const text::Value node : scenario.tasks.children()) {
      const auto run = model::bind_task_run(node, options.placeholders);
      run_service_rules(run_context(run, kInput, true, find), options, tools, found);
    }
  }
  finish_findings(std::move(found), {options, *report.document, nullptr, report}, tools);
  order_findings(report);
  return report;
}

}  // namespace bayplan::lint
