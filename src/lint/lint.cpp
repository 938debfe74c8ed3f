#include "lint/lint.hpp"

#include <algorithm>
#include <deque>
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
#include "rules/run_rules.hpp"
#include "rules/service/service_context.hpp"
#include "rules/service/service_input.hpp"
#include "text/read.hpp"
#include "text/template_language.hpp"

namespace bayplan::lint {

namespace {

/// The services and RunTask calls that the rules read, with what each context refers to.
class Requests {
 public:
  Requests(rules::ServiceInput input, bool is_whole, const FindDefinition& find)
      : input_(input), is_whole_(is_whole), find_(find) {}

  void add(model::Service bound) {
    const auto& service = services_.emplace_back(std::move(bound));
    contexts_.push_back({.input = input_,
                         .request = service,
                         .service = &service,
                         .definition = definition_named(service),
                         .is_whole = is_whole_});
  }
  void add(model::TaskRun bound) {
    const auto& run = runs_.emplace_back(std::move(bound));
    contexts_.push_back(
        {.input = input_, .request = run, .run = &run, .definition = definition_named(run), .is_whole = is_whole_});
  }

  const std::vector<rules::ServiceContext>& contexts() const { return contexts_; }

 private:
  rules::NamedDefinition definition_named(const model::PlacementRequest& request) const {
    return find_ && request.task_definition ? find_(*request.task_definition) : rules::NamedDefinition{};
  }

  rules::ServiceInput input_;
  bool is_whole_;
  const FindDefinition& find_;
  std::deque<model::Service> services_;  // contexts refer to the elements
  std::deque<model::TaskRun> runs_;
  std::vector<rules::ServiceContext> contexts_;
};

/// The services or the RunTask call of a file; none of other kinds.
Requests requests_of(const rules::Context& file, rules::Scopes scopes, const FindDefinition& find) {
  if (!scopes.contains(rules::Scope::kService)) return {rules::ServiceInput::kCreate, file.is_whole, find};
  if (file.kind == rules::FileKind::kRunTask) {
    Requests run(rules::ServiceInput::kRunTask, file.is_whole, find);
    run.add(model::bind_task_run(file.root, file.placeholders));
    return run;
  }
  Requests services(rules::detect_service_input(file.root), file.is_whole, find);
  for (const text::Value node : rules::services_in(file.root))
    services.add(model::bind_service(node, file.placeholders));
  return services;
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
  const bool is_reported = options.from && options.search == Search::kNamed;
  return is_reported ? kind_as(*options.from, document) : kind_of(document, options.search);
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
  with_context(part, task, report, options, tools, [&](const rules::Context& context) {
    const auto scopes = rules::scopes_of(context);
    const auto requests = requests_of(context, scopes, find);
    auto found = rules::run_rules({scopes, &context, requests.contexts(), rules::is_untouched_skeleton(context.root)},
                                  tools.rule_data, options.placeholders);
    finish_findings(std::move(found), {options, part.document, part.subject, report}, tools);
  });
}

/// Checks only the text of a template or plan itself, because its schema is not that of ECS.
void check_text(FileReport& report, const Options& options, const Tools& tools) {
  const Part whole{*report.document, report.document->root(), report.kind, nullptr};
  const model::TaskDefinition none;
  with_context(whole, none, report, options, tools, [&](const rules::Context& context) {
    auto found = rules::run_rules({{rules::Scope::kText}, &context, {}, false}, tools.rule_data, options.placeholders);
    finish_findings(std::move(found), {options, *report.document, nullptr, report}, tools);
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
  report.kind = is_terraform_code(report.file) ? FileKind::kUnrecognized : kind_in(*report.document, options);
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
  Requests requests(rules::ServiceInput::kScenario, true, find);
  for (const auto& service : scenario.services) requests.add(service);
  if (scenario.tasks) {
    for (const text::Value node : scenario.tasks.children())
      requests.add(model::bind_task_run(node, options.placeholders));
  }
  auto found = rules::run_rules({{rules::Scope::kService}, nullptr, requests.contexts(), false}, tools.rule_data,
                                options.placeholders);
  finish_findings(std::move(found), {options, *report.document, nullptr, report}, tools);
  order_findings(report);
  return report;
}

}  // namespace bayplan::lint
