#include "lint/lint.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "importers/maybe_absent.hpp"
#include "importers/subject.hpp"
#include "importers/task_targets.hpp"
#include "lint/damage.hpp"
#include "lint/finish.hpp"
#include "lint/identity.hpp"
#include "model/definition_reference.hpp"
#include "model/scenario_file.hpp"
#include "model/service.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/house/house_rule.hpp"
#include "rules/run_rules.hpp"
#include "rules/service/service_context.hpp"
#include "rules/service/service_input.hpp"
#include "rules/task/platform.hpp"

namespace bayplan::lint {

namespace {

using rules::FileKind;

/// The services and RunTask calls that the rules read, with what each context refers to.
class Requests {
 public:
  Requests(rules::ServiceInput input, bool is_whole, const FindDefinition& find,
           std::span<const importers::ResourceFact> facts = {})
      : input_(input), is_whole_(is_whole), find_(find), facts_(facts) {}

  void add(model::Service bound) {
    const auto& service = services_.emplace_back(std::move(bound));
    contexts_.push_back({.input = input_,
                         .request = service,
                         .service = &service,
                         .definition = definition_named(service),
                         .is_whole = is_whole_,
                         .facts = facts_});
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
  std::span<const importers::ResourceFact> facts_;
  std::deque<model::Service> services_;  // contexts refer to the elements
  std::deque<model::TaskRun> runs_;
  std::vector<rules::ServiceContext> contexts_;
};

/// The services or the RunTask call of a file; none of other kinds.
Requests requests_of(const rules::Context& file, rules::Scopes scopes, const FindDefinition& find) {
  if (!scopes.contains(rules::Scope::kService)) return {rules::ServiceInput::kCreate, file.is_whole, find};
  if (file.kind == FileKind::kRunTask) {
    Requests run(rules::ServiceInput::kRunTask, file.is_whole, find);
    model::TaskRun bound = model::bind_task_run(file.root, file.placeholders);
    // A target of EventBridge may start more tasks than one call: its TaskCount has no documented maximum
    // (EcsParameters, 2026-11).
    const bool is_target =
        file.client == rules::DeployClient::kCloudFormation || file.client == rules::DeployClient::kTerraform;
    if (is_target) bound.count = {};
    run.add(std::move(bound));
    return run;
  }
  const bool is_task_set = file.kind == FileKind::kTaskSet;
  const auto input = !is_task_set     ? rules::detect_service_input(file.root)
                     : file.is_answer ? rules::ServiceInput::kAnswer
                                      : rules::ServiceInput::kTaskSet;
  Requests services(input, file.is_whole, find, file.facts);
  if (is_task_set) {
    services.add(model::bind_service(file.root, file.placeholders));
    return services;
  }
  for (const text::Value node : rules::services_in(file.root))
    services.add(model::bind_service(node, file.placeholders));
  return services;
}

/// Whether the subject names a task definition.
bool names_definition(const importers::Subject& subject) {
  using enum importers::SubjectKind;
  return subject.kind == kService || subject.kind == kTaskSet || subject.kind == kRunTask;
}

/// The task definitions that services of one file name: those among its subjects, found by the name that the file gives
/// them, else by the family where one alone has it; then those of the other files of its module.
class KnownDefinitions {
 public:
  KnownDefinitions(const std::vector<importers::Subject>& subjects, const importers::TerraformModule* module,
                   const model::Placeholders& placeholders);

  /// Returns no task when there is none of this name.
  rules::NamedDefinition find(std::string_view name) const;

 private:
  rules::NamedDefinition find_in_other_file(std::string_view name) const;

  const importers::TerraformModule* module_;
  const model::Placeholders& placeholders_;
  std::map<std::string_view, model::TaskDefinition> by_name_;
  mutable std::map<const importers::Subject*, model::TaskDefinition> of_other_files_;  ///< Those that were asked for.
};

KnownDefinitions::KnownDefinitions(const std::vector<importers::Subject>& subjects,
                                   const importers::TerraformModule* module, const model::Placeholders& placeholders)
    : module_(module), placeholders_(placeholders) {
  if (std::none_of(subjects.begin(), subjects.end(), names_definition)) return;
  for (const auto& subject : subjects) {
    if (subject.kind != importers::SubjectKind::kTaskDefinition) continue;
    by_name_.emplace(subject.name, model::bind_task_definition(subject.document->root(), placeholders));
  }
}

rules::NamedDefinition KnownDefinitions::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  if (at != by_name_.end()) return {&at->second, at->first, {}, {}, true};
  const auto wanted = model::parse_definition_reference(name);
  if (!wanted || wanted->revision) return find_in_other_file(name);
  const auto is_of_family = [&](const auto& entry) {
    return entry.second.family && *entry.second.family == wanted->family;
  };
  const auto first = std::find_if(by_name_.begin(), by_name_.end(), is_of_family);
  if (first == by_name_.end()) return find_in_other_file(name);
  if (std::any_of(std::next(first), by_name_.end(), is_of_family)) return {};
  return {&first->second, first->first, {}, {}, true};
}

rules::NamedDefinition KnownDefinitions::find_in_other_file(std::string_view name) const {
  const auto* place = module_ == nullptr ? nullptr : module_->find_definition(name);
  if (place == nullptr) return {};
  auto bound = of_other_files_.find(place->subject);
  if (bound == of_other_files_.end()) {
    auto task = model::bind_task_definition(place->subject->document->root(), placeholders_);
    bound = of_other_files_.emplace(place->subject, std::move(task)).first;
  }
  return {&bound->second, place->subject->name, place->path, {}, place->file->is_of_run};
}

/// What the rules look at in one run: a file, its text alone, or a definition in it in ECS's words.
struct Part {
  const text::Document& document;
  text::Value root;
  FileKind kind;
  rules::DeployClient client;
  const importers::Subject* subject = nullptr;  ///< Set for a definition inside a template or plan.
  bool is_text_alone = false;                   ///< The schema of the text is not that of ECS.
};

FileKind kind_of(const importers::Subject& subject) {
  switch (subject.kind) {
    case importers::SubjectKind::kService:
      return FileKind::kService;
    case importers::SubjectKind::kCapacityProvider:
      return FileKind::kCapacityProvider;
    case importers::SubjectKind::kCluster:
      return FileKind::kCluster;
    case importers::SubjectKind::kClusterProviders:
      return FileKind::kClusterProviders;
    case importers::SubjectKind::kTaskSet:
      return FileKind::kTaskSet;
    case importers::SubjectKind::kDaemon:
      return FileKind::kDaemon;
    case importers::SubjectKind::kDaemonTaskDefinition:
      return FileKind::kDaemonTaskDefinition;
    case importers::SubjectKind::kExpressService:
      return FileKind::kExpressService;
    case importers::SubjectKind::kRunTask:
      return FileKind::kRunTask;
    case importers::SubjectKind::kTaskDefinition:
      break;
  }
  return FileKind::kTaskDefinition;
}

/// A file that holds definitions among other things. A lone resource, cut out of a template, is no template.
bool is_container_file(const ReadFile& file) {
  if (file.kind == FileKind::kRunTask || file.kind == FileKind::kTaskDefinition) return !file.subjects.empty();
  if (file.kind != FileKind::kCloudFormation) return file.kind == FileKind::kCdk || file.kind == FileKind::kTerraform;
  const text::Value root = file.document->root();
  return !root || root.find("Resources") || root.find("AWSTemplateFormatVersion");
}

/// A template or plan as text, then each definition in it; any other file as a whole.
std::vector<Part> parts_of(const ReadFile& file, rules::DeployClient client) {
  const text::Document& document = *file.document;
  if (!is_container_file(file)) {
    const text::Value definition = definition_of(document);
    const bool is_of_code =
        file.deployment.client == rules::DeployClient::kTerraform && client == rules::DeployClient::kTerraform;
    const bool is_definition = file.kind == FileKind::kTaskDefinition && definition && definition.is_object();
    const text::Value containers =
        is_of_code && is_definition ? definition.find("containerDefinitions") : text::Value();
    // Terraform code reads nothing else of the file.
    if (containers && containers.is_array()) return {{document, containers, FileKind::kContainerDefinitions, client}};
    return {{document, definition, file.kind, client}};
  }
  std::vector<Part> parts{
      {.document = document, .root = document.root(), .kind = file.kind, .client = client, .is_text_alone = true}};
  const auto tool =
      file.kind == FileKind::kTerraform ? rules::DeployClient::kTerraform : rules::DeployClient::kCloudFormation;
  for (const auto& subject : file.subjects) {
    // AWS Batch has keys of its own, and sends what it makes of them.
    const auto sender = importers::is_made_by_batch(subject) ? rules::DeployClient::kAny : tool;
    parts.push_back({*subject.document, subject.document->root(), kind_of(subject), sender, &subject});
  }
  return parts;
}

/// The typed members of a definition; none for other parts.
model::TaskDefinition bind(const Part& part, const Options& options) {
  model::TaskDefinition task;
  const auto kind = part.kind;
  const bool is_other = kind == FileKind::kService || kind == FileKind::kRunTask || kind >= FileKind::kCapacityProvider;
  if (is_other || part.is_text_alone) return task;
  if (kind == FileKind::kContainerDefinitions) {
    task.container_definitions.node = part.root;
    for (const text::Value element : rules::lone_containers(part.root)) {
      task.container_definitions.items.push_back(model::bind_container_definition(element, options.placeholders));
    }
  } else if (part.root) {
    task = model::bind_task_definition(part.root, options.placeholders);
  }
  task.assumed_compatibility = options.rules.launch_type;
  return task;
}

bool is_answer(const Part& part) {
  if (part.kind == FileKind::kService) return rules::is_service_answer(part.root);
  if (part.kind < FileKind::kCapacityProvider) return part.kind == FileKind::kDescribe;
  const auto has = [&](std::string_view key) { return part.root && part.root.is_object() && part.root.find(key); };
  return has("clusterArn") || has("capacityProviderArn") || has("taskSetArn");
}

template <class T>
void move_to_end(std::vector<T> from, std::vector<T>& to) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

/// Keeps the findings whose rule says something at the same place among `others`.
void keep_common(std::deque<Finding>& findings, const std::deque<Finding>& others) {
  std::erase_if(findings, [&](const Finding& one) {
    return std::none_of(others.begin(), others.end(),
                        [&](const Finding& other) { return other.code == one.code && other.span == one.span; });
  });
}

/// Drops the findings that the same rule has at the same member among `others`.
void drop_common(std::deque<Finding>& findings, const std::deque<Finding>& others) {
  std::erase_if(findings, [&](const Finding& one) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Finding& other) { return other.code == one.code && other.pointer == one.pointer; });
  });
}

/// Drops the findings that the same rule has at the same member of the same container among `others`, of a text that
/// holds the containers alone.
void drop_of_text(std::deque<Finding>& findings, const std::deque<Finding>& others) {
  const auto in_list = [](std::string_view pointer) {  // 0/name
    return pointer.substr(std::min(pointer.find_first_of("0123456789"), pointer.size()));
  };
  std::erase_if(findings, [&](const Finding& one) {
    return one.pointer.starts_with("/containerDefinitions/") &&
           std::any_of(others.begin(), others.end(), [&](const Finding& other) {
             return other.code == one.code && in_list(other.pointer) == in_list(one.pointer);
           });
  });
}

/// `/containerDefinitions/web/command` for `/containerDefinitions/0/command`.
std::string with_container_name(std::string_view pointer, const model::TaskDefinition& task) {
  constexpr std::string_view kContainers = "/containerDefinitions/";
  if (!pointer.starts_with(kContainers)) return std::string(pointer);
  const auto index = pointer.substr(kContainers.size(), pointer.find('/', kContainers.size()) - kContainers.size());
  for (const auto& container : task.container_definitions) {
    if (!container.name.value || !container.node.pointer().ends_with("/" + std::string(index))) continue;
    return std::string(kContainers) + std::string(*container.name.value) +
           std::string(pointer.substr(kContainers.size() + index.size()));
  }
  return std::string(pointer);
}

/// Runs the rules on a part of the file, whose definition is `task`.
rules::Findings find_in_part(const Part& part, const model::TaskDefinition& task, const FileReport& report,
                             const rules::Deployment& deployment, const Options& options, const Tools& tools,
                             const FindDefinition& find_definition) {
  const auto& schema = tools.schema_of(part.kind);
  const Lazy<std::vector<shape::ShapeFinding>> shape([&] {
    return rules::find_shape_faults(part.root, part.kind, schema.get(), options.placeholders, options.rules.is_update);
  });
  const bool is_all_there =
      is_whole(part.document) && is_whole(report) && !rules::is_part_of_container(part.root, part.kind);
  const Lazy<rules::Platform> platform(
      [&] { return rules::determine_platform(task, rules::sees_task(part.kind, is_all_there)); });
  const rules::Context context{
      .document = part.document,
      .root = part.root,
      .kind = part.kind,
      .is_whole = is_all_there,
      .is_answer = is_answer(part),
      .file = report.file,
      .task = task,
      .placeholders = options.placeholders,
      .options = options.rules,
      .client = part.client,
      .is_for_ecspresso = rules::is_for_ecspresso(part.client, report.file, part.document.source()),
      .deployment = deployment,
      .facts = part.subject != nullptr ? std::span(part.subject->facts) : std::span<const importers::ResourceFact>(),
      .catalog = tools.catalog,
      .schema = schema,
      .shape = shape,
      .platform = platform};
  const auto scopes = part.is_text_alone ? rules::Scopes{rules::Scope::kText} : rules::scopes_of(context);
  const Requests requests = requests_of(context, scopes, find_definition);
  const bool is_skeleton = rules::is_untouched_skeleton(part.root);
  auto found =
      rules::run_rules({scopes, &context, requests.contexts(), is_skeleton}, tools.rule_data, options.placeholders);
  if (!part.is_text_alone && !is_skeleton) rules::check_house_rules(context, tools.rule_data, found);
  const auto given = deployment.given_members.find(part.kind);
  if (part.subject == nullptr && given != deployment.given_members.end()) {
    std::erase_if(found.items, [&](const Finding& one) {
      return one.pointer.size() > 1 && given->second.contains(one.pointer.substr(1));
    });
  }
  if (part.subject == nullptr && !deployment.assigned_keys.empty()) {
    const auto is_assigned = [&](const Finding& one, std::string_view pointer) {
      // What is secret is read in the file, whatever becomes of it.
      return deployment.assigns(pointer) || (!one.code.starts_with("BAY9") && deployment.replaces_around(pointer));
    };
    std::erase_if(found.items, [&](const Finding& one) {
      const std::string_view pointer = one.pointer;
      const std::string_view outer = part.kind == FileKind::kDescribe ? "/taskDefinition" : "";
      const auto own = pointer.substr(pointer.starts_with(outer) ? outer.size() : 0);
      return is_assigned(one, own) || is_assigned(one, with_container_name(own, task));
    });
  }
  const auto& replaced = deployment.replaced_words;
  if (part.subject == nullptr && !replaced.empty()) {
    const auto is_replaced = [&](text::Value value) {
      return value && value.is_string() && std::any_of(replaced.begin(), replaced.end(), [&](const std::string& word) {
               return value.text().find(word) != std::string_view::npos;
             });
    };
    std::erase_if(found.items, [&](const Finding& one) {
      const text::Value value = resolve(part.root, one.pointer).value;
      // What is wrong with the value of a variable is reported at its name.
      const text::Value around = value ? value.parent() : text::Value();
      return is_replaced(value) || (around && around.is_object() && is_replaced(around.find("value")));
    });
  }
  return found;
}

/// The same without what may turn out to be wrong: what Terraform code leaves to a plan may be null, so a finding must
/// hold with it and without it.
rules::Findings find_certain(const Part& part, const model::TaskDefinition& task, const FileReport& report,
                             const rules::Deployment& deployment, const Options& options, const Tools& tools,
                             const FindDefinition& find_definition) {
  auto found = find_in_part(part, task, report, deployment, options, tools, find_definition);
  const bool is_code = part.document.format() == text::Format::kHcl;
  if (!is_code || part.subject == nullptr || found.items.empty()) return found;
  if (const auto certain = importers::without_maybe_absent(*part.subject, part.document)) {
    const Part other{*certain->document, certain->document->root(), part.kind, part.client, &*certain};
    const auto without = find_in_part(other, bind(other, options), report, deployment, options, tools, find_definition);
    keep_common(found.items, without.items);
  }
  return found;
}

/// What the run reports of a resource in the file of its module, which a call in `report` makes with its own inputs.
rules::Findings find_in_module(const importers::SubjectOfModule& called, const FileReport& report,
                               const rules::Deployment& deployment, const Options& options, const Tools& tools) {
  const importers::Subject& subject = *called.place.subject;
  const Part part{.document = *subject.document,
                  .root = subject.document->root(),
                  .kind = kind_of(subject),
                  .client = rules::DeployClient::kTerraform,
                  .subject = &subject};
  const KnownDefinitions known(called.place.file->subjects, called.module.get(), options.placeholders);
  return find_certain(part, bind(part, options), report, deployment, options, tools,
                      [&](std::string_view reference) { return known.find(reference); });
}

/// What the run reports of the file that holds the containers of a resource.
rules::Findings find_in_text(const ReadFile& file, const Options& options, const Tools& tools) {
  if (!is_linted(file) || is_container_file(file)) return {};
  const FileReport report{file};
  const Part part{.document = *file.document, .root = definition_of(*file.document), .kind = file.kind};
  return find_in_part(part, bind(part, options), report, report.deployment, options, tools, {});
}

}  // namespace

const Lazy<shape::Schema>& Tools::schema_of(FileKind kind) const {
  switch (kind) {
    case FileKind::kService:
      return schemas.service;
    case FileKind::kRunTask:
      return schemas.run_task;
    case FileKind::kCapacityProvider:
      return schemas.capacity_provider;
    case FileKind::kCluster:
      return schemas.cluster;
    case FileKind::kClusterProviders:
      return schemas.cluster_providers;
    case FileKind::kTaskSet:
      return schemas.task_set;
    case FileKind::kDaemon:
      return schemas.daemon;
    case FileKind::kDaemonTaskDefinition:
      return schemas.daemon_task_definition;
    case FileKind::kExpressService:
      return schemas.express_service;
    default:
      return schemas.task_definition;
  }
}

// Faults of other kinds leave nothing out.
bool is_whole(const text::Document& document) {
  const auto& faults = document.faults();
  return std::none_of(faults.begin(), faults.end(), [&](const text::Fault& fault) {
    switch (fault.kind) {
      case text::FaultKind::kJsonSyntax:
        return fault.left_out || guesses_nesting(fault, document.source());
      case text::FaultKind::kYamlSyntax:
      case text::FaultKind::kHclSyntax:
      case text::FaultKind::kTooDeep:
      case text::FaultKind::kTooLarge:
      case text::FaultKind::kAliasExpansion:
        return true;
      default:
        return false;
    }
  });
}

bool is_whole(const ReadFile& file) {
  return file.template_language.empty() && is_whole(*file.document);
}

bool is_linted(const ReadFile& file) {
  if (!is_linted(file.kind)) return false;
  return !is_container_file(file) || !file.subjects.empty() || !file.document->faults().empty();
}

bool holds_services(const ReadFile& file) {
  return file.kind == FileKind::kService || file.kind == FileKind::kRunTask || file.kind == FileKind::kTaskSet ||
         std::any_of(file.subjects.begin(), file.subjects.end(), names_definition);
}

FileReport check_file(ReadFile file, const Options& options, const Tools& tools, const FindDefinition& find) {
  FileReport report{std::move(file)};
  if (!is_linted(report)) return report;
  const KnownDefinitions known(report.subjects, report.module.get(), options.placeholders);
  const FindDefinition find_definition = [&](std::string_view reference) {
    auto found = known.find(reference);
    return found.task == nullptr && find ? find(reference) : found;
  };
  // What the user says of the client is not for a file alone, and goes before what other files say of this one.
  const auto said = options.rules.deploy_with;
  const bool is_said = said != rules::DeployClient::kAny;
  const auto deployment =
      is_said ? rules::Deployment{.client = said, .fills_in_all_images = said == rules::DeployClient::kGithubAction}
              : report.deployment;
  std::set<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t, std::string>> reported;
  for (const Part& part : parts_of(report, deployment.client)) {
    const model::TaskDefinition task = bind(part, options);
    auto found = find_certain(part, task, report, deployment, options, tools, find_definition);
    if (part.subject != nullptr && !found.items.empty()) {
      const auto called = report.in_called_modules.find(part.subject->name);
      if (called != report.in_called_modules.end())
        drop_common(found.items, find_in_module(called->second, report, deployment, options, tools).items);
      const auto text = report.texts.find(part.subject->name);
      if (text != report.texts.end()) drop_of_text(found.items, find_in_text(*text->second, options, tools).items);
    }
    // Instances of one resource, `svc["web"]` and `svc["api"]`, share its code: each finding there is reported once.
    if (part.subject != nullptr) {
      const std::string& name = part.subject->name;
      const std::string resource = name.ends_with(']') ? name.substr(0, name.rfind('[')) : name;
      std::erase_if(found.items, [&](const Finding& one) {
        return !reported.emplace(resource, one.code, one.span.begin, one.span.end, one.message).second;
      });
    }
    Finished finished = finish_findings(std::move(found), {options, part.document, part.subject, report}, tools);
    if (task.family && report.family.empty()) report.family = *task.family;
    move_to_end(std::move(finished.findings), report.findings);
    move_to_end(std::move(finished.skipped), report.skipped);
  }
  report.findings = in_file_order(std::move(report.findings));
  return report;
}

FileReport check_code(std::shared_ptr<const text::Document> tree, std::string name,
                      std::vector<importers::Subject> subjects, const Options& options, const Tools& tools) {
  return check_file({.file = std::move(name),
                     .kind = FileKind::kTerraform,
                     .document = std::move(tree),
                     .subjects = std::move(subjects)},
                    options, tools);
}

FileReport lint_document(std::string bytes, std::string name, const Options& options, const Tools& tools,
                         const FindDefinition& find) {
  ReadFile file = read_file(std::move(bytes), std::move(name), Search::kNamed, options, tools);
  return check_file(std::move(file), options, tools, find);
}

FileReport lint_scenario(std::shared_ptr<const text::Document> document, std::string file, const Options& options,
                         const Tools& tools, const FindDefinition& find) {
  FileReport report{{.file = std::move(file), .document = std::move(document)}};
  const auto scenario = model::bind_scenario(report.document->root(), options.placeholders);
  Requests requests(rules::ServiceInput::kScenario, true, find);
  for (const auto& service : scenario.services) requests.add(service);
  if (scenario.tasks) {
    for (const text::Value node : scenario.tasks.children())
      requests.add(model::bind_task_run(node, options.placeholders));
  }
  auto found = rules::run_rules({{rules::Scope::kService}, nullptr, requests.contexts(), false}, tools.rule_data,
                                options.placeholders);
  Finished finished = finish_findings(std::move(found), {options, *report.document, nullptr, report}, tools);
  report.findings = in_file_order(std::move(finished.findings));
  report.skipped = std::move(finished.skipped);
  return report;
}

}  // namespace bayplan::lint
