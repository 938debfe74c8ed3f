#include "importers/cloudformation.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_evaluator.hpp"
#include "importers/cloudformation_expression.hpp"
#include "importers/cloudformation_facts.hpp"
#include "importers/cloudformation_keys.hpp"
#include "importers/cloudformation_references.hpp"
#include "importers/cloudformation_roles.hpp"
#include "importers/subject.hpp"
#include "importers/subject_builder.hpp"
#include "importers/task_targets.hpp"
#include "shape/schema.hpp"
#include "text/removal.hpp"

namespace bayplan::importers {

namespace {

using shape::Rule;
using text::Style;
using text::Value;
using Kind = text::Kind;

struct Scalar {
  Kind kind;
  std::string_view text;
};

std::optional<bool> boolean_word(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

/// CloudFormation turns scalars into the type that the resource wants, where the text allows it.
Scalar converted(Scalar scalar, const Rule* rule) {
  if (scalar.kind == Kind::kNull || scalar.kind == Kind::kPlaceholder) return scalar;
  if (rule == nullptr || rule->types.any() || rule->types.has(scalar.kind)) return scalar;
  if (rule->types.has(Kind::kString)) return {Kind::kString, scalar.text};
  if (scalar.kind != Kind::kString) return scalar;
  if (rule->types.has(Kind::kInteger) && to_integer(scalar.text)) return {Kind::kInteger, scalar.text};
  if (rule->types.has(Kind::kNumber) && to_number(scalar.text)) return {Kind::kNumber, scalar.text};
  const auto word = rule->types.has(Kind::kBoolean) ? boolean_word(scalar.text) : std::nullopt;
  if (word) return {Kind::kBoolean, *word ? "true" : "false"};
  return scalar;
}

class DefinitionWriter {
 public:
  DefinitionWriter(Value properties, SubjectKind kind, const Template& of, Evaluator& evaluator)
      : file_(properties.document()),
        kind_(kind),
        template_(of),
        evaluator_(evaluator),
        builder_(file_.shared_source(), file_.format()) {}

  void write(Value place, const Outcome& outcome, const Rule* rule) {
    switch (outcome.kind) {
      case Outcome::Kind::kWritten:
        return written(outcome.written, rule);
      case Outcome::Kind::kText:
        // Inside a command line `${X}` would be a variable of the shell.
        return in_shell_ && !outcome.is_whole ? unknown(place, outcome.text) : text(place, outcome.text, rule);
      case Outcome::Kind::kList:
        return list(place, outcome.elements, rule);
      default:
        return unknown(place, outcome.text);
    }
  }

  Subject finish() && {
    Subject subject{.kind = kind_, .spelling = Spelling::kPascalCase};
    subject.document = std::move(builder_).finish();
    subject.origins = std::move(origins_);
    subject.facts = std::move(facts_);
    return subject;
  }

 private:
  void written(Value value, const Rule* rule) {
    if (value.is_object()) return object(value, rule);
    if (value.is_array()) return array(value, rule);
    if (kind_ == SubjectKind::kRunTask && value.is_string() && trim(value.text()).starts_with("{%"))
      return unknown(value, value.text());
    const auto scalar = converted({value.kind(), value.text()}, rule);
    this->scalar(value, scalar.kind, value.style(), stored(scalar.text));
  }

  void object(Value value, const Rule* rule) {
    if (has_macro(value)) return unknown(value, value.at(0).key());
    builder_.open(Kind::kObject, begin(value).span());
    for (const Value member : value.children()) this->member(member, rule);
    builder_.close(value.span().end);
  }

  void member(Value member, const Rule* rule) {
    if (const auto* computed = computed_member(member.key(), rule)) {
      builder_.key(computed->name, member.key_span());
      return unknown(member, member.key());
    }
    const auto* known = rule == nullptr ? nullptr : member_meant(*rule, member.key());
    if (known == nullptr && rule != nullptr && is_for_cloudformation_alone(*rule, member.key())) return;
    auto outcome = evaluator_.evaluate(member);
    if (outcome.kind == Outcome::Kind::kRemoved) return;
    const Rule* inner = known != nullptr ? known->rule : rule != nullptr ? rule->others : nullptr;
    builder_.key(stored(known != nullptr ? std::string(known->name) : spelled_key(member.key(), rule)),
                 member.key_span());
    // A definition of the template is named by its logical ID.
    if (known != nullptr && known->name == "taskDefinition" &&
        template_.type_of(outcome.resource) == "AWS::ECS::TaskDefinition") {
      note_task_role(outcome.resource);
      outcome = {.kind = Outcome::Kind::kText, .text = std::string(outcome.resource)};
    }
    if (known != nullptr && !outcome.resource.empty()) note_resource(known->name, outcome.resource);
    if (known != nullptr && known->name == "image") note_repository(outcome.text);
    if (is_left_empty(member, outcome)) return unknown(member, in_short(*expression_in(member)));
    const bool was_in_shell = in_shell_;
    in_shell_ =
        in_shell_ ||
        (known != nullptr && (known->name == "command" || known->name == "entryPoint" || known->name == "healthCheck"));
    write(member, outcome, inner);
    in_shell_ = was_in_shell;
  }

  /// `"TaskDefinition.$": "$.task"` and `{% $task %}`: a state machine takes the value from its input.
  const shape::Member* computed_member(std::string_view key, const Rule* rule) const {
    if (kind_ != SubjectKind::kRunTask || rule == nullptr || !key.ends_with(".$")) return nullptr;
    return member_meant(*rule, key.substr(0, key.size() - 2));
  }

  /// Keys of the user's own stay as they are; an unknown one is spelled as ECS would spell it.
  static std::string spelled_key(std::string_view key, const Rule* rule) {
    std::string result(key);
    const bool is_map = rule != nullptr && rule->members.empty() && rule->others != nullptr;
    const bool is_own = rule == nullptr || is_map || result.empty();
    if (!is_own && result[0] >= 'A' && result[0] <= 'Z') result[0] = static_cast<char>(result[0] - 'A' + 'a');
    return result;
  }

  /// What the next node, a role of the template, may do.
  void note_role(std::string_view role) {
    auto actions = allowed_actions(template_, evaluator_, role);
    if (!actions) return;
    facts_.push_back({static_cast<std::uint32_t>(origins_.size()), kAllowedActions, std::move(*actions),
                      std::string(role), template_.resources().find(role)->second.key_span()});
  }

  /// The same of the task role of the definition that the next node names.
  void note_task_role(std::string_view definition) {
    const Value properties = template_.resources().find(definition)->second.find("Properties");
    if (!properties || !properties.is_object() || has_macro(properties) || !properties.find("TaskRoleArn")) return;
    const auto role = evaluator_.evaluate(properties.find("TaskRoleArn"));
    if (template_.type_of(role.resource) == "AWS::IAM::Role") note_role(role.resource);
  }

  /// The customer managed key of the secret that the next node refers to, if all that its policy names is the account.
  void note_key(std::string_view secret) {
    const Value properties = template_.resources().find(secret)->second.find("Properties");
    const Value id =
        properties && properties.is_object() && !has_macro(properties) ? properties.find("KmsKeyId") : Value();
    const auto key = id ? evaluator_.evaluate(id).resource : std::string_view();
    if (template_.type_of(key) != "AWS::KMS::Key") return;
    const Value node = template_.resources().find(key)->second;
    const Value of_key = node.find("Properties");
    const Value policy = of_key && of_key.is_object() ? of_key.find("KeyPolicy") : Value();
    const Value statements = policy && policy.is_object() ? policy.find("Statement") : Value();
    if (!statements || !statements.is_array()) return;
    for (const Value statement : statements.children()) {
      const Value principal = statement.is_object() ? statement.find("Principal") : Value();
      const Value account = principal && principal.is_object() ? principal.find("AWS") : Value();
      if (principal && principal.is_object() && !account) continue;  // a service of AWS
      if (!account || text::find_source(account).find(":root") == std::string_view::npos) return;
    }
    facts_.push_back({static_cast<std::uint32_t>(origins_.size()), kKeyOfSecret, std::string(key), std::string(key),
                      node.key_span()});
  }

  /// The types of DNS records that a service of Cloud Map makes ("A SRV"), if all are known.
  void note_registry(std::string_view resource) {
    const Value node = template_.resources().find(resource)->second;
    const Value properties = node.find("Properties");
    const Value config = properties && properties.is_object() ? properties.find("DnsConfig") : Value();
    const Value records = config && config.is_object() ? config.find("DnsRecords") : Value();
    if (!records || !records.is_array() || has_macro(properties) || has_macro(config)) return;
    std::string types;
    for (const Value record : records.children()) {
      const Value type = record.is_object() ? record.find("Type") : Value();
      const auto text = type ? Evaluator::known_text(evaluator_.evaluate(type)) : std::nullopt;
      if (!text) return;
      types += (types.empty() ? "" : " ") + std::string(*text);
    }
    facts_.push_back({static_cast<std::uint32_t>(origins_.size()), kRecordTypes, std::move(types),
                      std::string(resource), records.key_span()});
  }

  /// Whether another resource than services and what watches them refers to `resource`. A macro may add one that does.
  bool is_used_elsewhere(std::string_view resource) const {
    constexpr std::string_view kOthers[] = {"AWS::ECS::", "AWS::CloudWatch::", "AWS::ApplicationAutoScaling::"};
    if (file_.root().find("Transform")) return true;
    const auto names_it = [&](std::string_view text) {
      for (auto at = text.find(resource); at != std::string_view::npos; at = text.find(resource, at + 1)) {
        const auto is_part = [&](std::size_t place) {
          return place < text.size() && (is_letter(text[place]) || is_digit(text[place]));
        };
        if (!is_part(at - 1) && !is_part(at + resource.size())) return true;
      }
      return false;
    };
    return std::any_of(template_.resources().begin(), template_.resources().end(), [&](const auto& one) {
      const std::string_view type = template_.type_of(one.first);
      const bool is_other = std::any_of(std::begin(kOthers), std::end(kOthers),
                                        [&](std::string_view begin) { return type.starts_with(begin); });
      return one.first != resource && !is_other && names_it(text::find_source(one.second));
    });
  }

  /// What rules compare of the resource that the next node refers to. Nothing is noted of a property that is not known.
  void note_resource(std::string_view member, std::string_view resource) {
    if (member == "executionRoleArn" && template_.type_of(resource) == "AWS::IAM::Role") return note_role(resource);
    if (member == "registryArn" && template_.type_of(resource) == "AWS::ServiceDiscovery::Service")
      return note_registry(resource);
    if (member == "valueFrom")
      facts_.push_back({static_cast<std::uint32_t>(origins_.size()), kResourceType,
                        std::string(template_.type_of(resource)), std::string(resource),
                        template_.resources().find(resource)->second.key_span()});
    if (member == "valueFrom" && template_.type_of(resource) == "AWS::SecretsManager::Secret") note_key(resource);
    const bool is_target_group = template_.type_of(resource) == "AWS::ElasticLoadBalancingV2::TargetGroup";
    if (member == "targetGroupArn" && is_target_group && !is_used_elsewhere(resource))
      facts_.push_back({static_cast<std::uint32_t>(origins_.size()), kNoListener, "", std::string(resource),
                        template_.resources().find(resource)->second.key_span()});
    struct Wanted {
      std::string_view member, type, property, absent;
    };
    static constexpr Wanted kWanted[] = {
        {"targetGroupArn", "AWS::ElasticLoadBalancingV2::TargetGroup", "TargetType", "instance"},
        {"cluster", "AWS::ECS::Cluster", "ServiceConnectDefaults", ""},
        {"autoScalingGroupArn", "AWS::AutoScaling::AutoScalingGroup", "NewInstancesProtectedFromScaleIn", "false"}};
    for (const auto& wanted : kWanted) {
      if (wanted.member != member || template_.type_of(resource) != wanted.type) continue;
      const Value node = template_.resources().find(resource)->second;
      const Value properties = node.find("Properties");
      if (properties && (!properties.is_object() || has_macro(properties))) continue;
      const Value property = properties ? properties.find(wanted.property) : Value();
      ResourceFact fact{static_cast<std::uint32_t>(origins_.size()), wanted.property, std::string(wanted.absent),
                        std::string(resource), node.key_span()};
      if (property) {
        const auto outcome = evaluator_.evaluate(property);
        const auto text = Evaluator::known_text(outcome);
        const bool is_object = outcome.kind == Outcome::Kind::kWritten && outcome.written.is_object();
        if (!text && !is_object) continue;
        fact.value = text ? *text : "{}";
        fact.span = property.span();
      }
      facts_.push_back(std::move(fact));
    }
  }

  /// The repository of the template whose URI begins the image that the next node names: "!GetAtt Web.RepositoryUri",
  /// "${Web.RepositoryUri}:1". Nested stacks and custom resources may have attributes of this name, too.
  void note_repository(std::string_view image) {
    for (const std::string_view before : {"!GetAtt ", "${"}) {
      if (!image.starts_with(before)) continue;
      const auto id = image.substr(before.size(), image.find('.') - before.size());
      const bool is_uri = image.substr(before.size() + id.size()).starts_with(".RepositoryUri");
      if (!is_uri || template_.type_of(id) != "AWS::ECR::Repository") continue;
      const auto& [name, resource] = *template_.resources().find(id);
      facts_.push_back({static_cast<std::uint32_t>(origins_.size()), kResourceType, "AWS::ECR::Repository",
                        std::string(name), resource.key_span()});
    }
  }

  /// A parameter that is empty unless it is given: no stack is made so, where the value is wanted.
  bool is_left_empty(Value place, const Outcome& outcome) const {
    if (outcome.kind != Outcome::Kind::kText || !outcome.text.empty()) return false;
    const auto expression = expression_in(place);
    if (!expression || !expression->is("Ref")) return false;
    const auto parameter = template_.parameter(expression->argument.text());
    return parameter && parameter->is_default;
  }

  void array(Value value, const Rule* rule) {
    const Rule* elements = rule == nullptr ? nullptr : rule->elements;
    builder_.open(Kind::kArray, begin(value).span());
    for (const Value element : value.children()) {
      const auto outcome = evaluator_.evaluate(element);
      if (outcome.kind != Outcome::Kind::kRemoved) write(element, outcome, elements);
    }
    builder_.close(value.span().end);
  }

  void list(Value place, const std::vector<Outcome>& elements, const Rule* rule) {
    builder_.open(Kind::kArray, begin(place).span());
    for (const auto& element : elements) write(place, element, rule == nullptr ? nullptr : rule->elements);
    builder_.close(place.span().end);
  }

  void text(Value place, std::string_view text, const Rule* rule) {
    const auto scalar = converted({Kind::kString, text}, rule);
    this->scalar(place, scalar.kind, Style::kDoubleQuoted, stored(scalar.text));
  }

  void unknown(Value place, std::string_view expression) {
    scalar(place, Kind::kPlaceholder, Style::kPlain, stored(expression));
  }

  void scalar(Value place, Kind kind, Style style, std::string_view text) {
    builder_.scalar(kind, style, text, begin(place).span());
  }

  /// Notes where the next node comes from.
  Value begin(Value place) {
    origins_.push_back(place.index());
    return place;
  }

  /// The subject may outlive the schema and what the file's document has decoded, but not the text that they share.
  std::string_view stored(std::string_view text) {
    const std::string& source = builder_.source();
    const bool is_slice = std::less_equal<const char*>()(source.data(), text.data()) &&
                          std::less_equal<const char*>()(text.data() + text.size(), source.data() + source.size());
    return is_slice ? text : builder_.keep(std::string(text));
  }

  const text::Document& file_;
  SubjectKind kind_;
  const Template& template_;
  Evaluator& evaluator_;
  text::Builder builder_;
  std::vector<std::uint32_t> origins_;
  std::vector<ResourceFact> facts_;
  bool in_shell_ = false;
};

/// The properties of a resource as ECS will get them: keys in ECS's spelling, what is known in place of intrinsic
/// functions, and every scalar of the type that the schema wants, as CloudFormation converts it. Nothing when a macro
/// makes the properties.
std::optional<Subject> definition_from(Value properties, SubjectKind kind, const Rule& rule, const Template& of,
                                       Evaluator& evaluator) {
  const auto outcome = evaluator.evaluate(properties);
  const bool is_object = outcome.kind == Outcome::Kind::kWritten && outcome.written && outcome.written.is_object();
  if (!is_object || has_macro(outcome.written)) return std::nullopt;
  DefinitionWriter writer(properties, kind, of, evaluator);
  writer.write(properties, outcome, &rule);
  return std::move(writer).finish();
}

using text::Value;

constexpr ResourceType kTypes[] = {{"AWS::ECS::TaskDefinition", SubjectKind::kTaskDefinition},
                                   {"AWS::ECS::Service", SubjectKind::kService},
                                   {"AWS::ECS::CapacityProvider", SubjectKind::kCapacityProvider},
                                   {"AWS::ECS::Cluster", SubjectKind::kCluster},
                                   {"AWS::ECS::ClusterCapacityProviderAssociations", SubjectKind::kClusterProviders},
                                   {"AWS::ECS::TaskSet", SubjectKind::kTaskSet},
                                   {"AWS::ECS::Daemon", SubjectKind::kDaemon},
                                   {"AWS::ECS::DaemonTaskDefinition", SubjectKind::kDaemonTaskDefinition},
                                   {"AWS::ECS::ExpressGatewayService", SubjectKind::kExpressService}};

std::optional<SubjectKind> kind_of(std::string_view type) {
  for (const auto& [name, kind] : kTypes) {
    if (name == type) return kind;
  }
  return std::nullopt;
}

/// The JSON of `Definition` or `DefinitionString`, where a template writes it as one text, with or without Fn::Sub.
Value string_in(Value value) {
  const auto expression = value ? expression_in(value) : std::nullopt;
  if (!expression) return value && value.is_string() ? value : Value();
  if (!expression->is("Sub")) return {};
  const Value argument = expression->argument;
  const Value text = argument.is_array() ? argument.at(0) : argument;
  return text && text.is_string() ? text : Value();
}

/// Reads the resources of one template that start tasks.
class TargetReader {
 public:
  TargetReader(const Template& of, Evaluator& evaluator, const shape::RequestSchemas& schemas,
               std::vector<Subject>& subjects)
      : template_(of), evaluator_(evaluator), schemas_(schemas), subjects_(subjects) {}

  void add(Value resource, std::string_view type, Value properties) {
    name_ = resource.key();
    const auto find = [&](Value object, std::string_view key) {
      return object && object.is_object() ? object.find(key) : Value();
    };
    if (type == "AWS::Events::Rule") {
      const Value targets = find(properties, "Targets");
      if (!targets || !targets.is_array()) return;
      for (const Value target : targets.children()) add_call(find(target, "EcsParameters"), name_);
    } else if (type == "AWS::Scheduler::Schedule") {
      add_call(find(find(properties, "Target"), "EcsParameters"), name_);
    } else if (type == "AWS::StepFunctions::StateMachine" || type == "AWS::Serverless::StateMachine") {
      if (const Value machine = find(properties, "Definition")) {
        for (const auto& [state, call] : run_states(machine)) add_call(call, name_ + "." + std::string(state));
      }
      add_machine(find(properties, "DefinitionString"), find(properties, "DefinitionSubstitutions"));
    } else if (type == "AWS::Batch::JobDefinition") {
      add_job(properties);
    }
  }

 private:
  void add_call(Value call, const std::string& name) {
    if (!call) return;
    auto target = definition_from(call, SubjectKind::kRunTask, schemas_.run_task.get().root(), template_, evaluator_);
    if (!target) return;
    target->name = name;
    subjects_.push_back(std::move(*target));
  }

  void add_machine(Value machine, Value substitutions) {
    if (!machine) return;
    const auto is_definition = [&](std::string_view id) { return template_.type_of(id) == "AWS::ECS::TaskDefinition"; };
    /// `${TaskDefinition}` means a resource, or what DefinitionSubstitutions says.
    const auto find = [&](Value value) -> std::string {
      std::string_view name = value.text();
      if (!name.starts_with("${") || !name.ends_with('}')) return {};
      name = name.substr(2, name.size() - 3);
      if (is_definition(name)) return std::string(name);
      const Value meant = substitutions && substitutions.is_object() ? substitutions.find(name) : Value();
      if (!meant) return {};
      const auto outcome = evaluator_.evaluate(meant);
      return is_definition(outcome.resource) ? std::string(outcome.resource) : std::string();
    };
    if (const Value text = string_in(machine))
      return add_machine_in_string(machine.document(), text, text.text(), name_, schemas_.run_task.get(), find,
                                   subjects_);
    const auto outcome = evaluator_.evaluate(machine);
    if (outcome.kind == Outcome::Kind::kText)
      add_machine_in_string(machine.document(), machine, outcome.text, name_, schemas_.run_task.get(), find, subjects_);
  }

  /// The properties are evaluated first: the importer of jobs reads JSON.
  void add_job(Value properties) {
    const shape::Rule any;
    const auto job = definition_from(properties, SubjectKind::kTaskDefinition, any, template_, evaluator_);
    if (!job) return;
    const JsonSource from{[](Span span) { return span; }, [&](Value value) { return job->origins[value.index()]; }};
    for (auto& subject :
         batch_job_subjects(properties.document(), job->document->root(), schemas_.task_definition.get(), from, name_))
      subjects_.push_back(std::move(subject));
  }

  const Template& template_;
  Evaluator& evaluator_;
  const shape::RequestSchemas& schemas_;
  std::vector<Subject>& subjects_;
  std::string name_;
};

/// Notes each undeclared name once, at the first subject that refers to it. The first ones get a suggestion: to find
/// one takes a comparison with every name of the template.
void note_undeclared_names(const Template& of, const text::Document& file, std::vector<Subject>& subjects) {
  constexpr std::size_t kSuggestions = 20;
  if (!is_self_contained(file)) return;
  std::vector<std::string_view> declared;
  for (const auto* section : {&of.resources(), &of.parameters()}) {
    for (const auto& [name, value] : *section) declared.push_back(name);
  }
  std::set<std::string_view> noted;
  for (Subject& subject : subjects) {
    for (std::uint32_t node = 0; node < subject.origins.size(); ++node) {
      const Value place = file.node(subject.origins[node]);
      if (!expression_in(place)) continue;
      for (const std::string_view name : undeclared_names(of, place)) {
        if (!noted.insert(name).second) continue;
        const auto similar = noted.size() <= kSuggestions ? nearest(name, declared) : std::nullopt;
        subject.facts.push_back(
            {node, kUndeclared, std::string(similar.value_or("")), std::string(name), place.span()});
      }
    }
  }
}

bool is_left_out(Value resource, Evaluator& evaluator) {
  const Value condition = resource.find("Condition");
  return condition && evaluator.condition(condition.text()) == false;
}

}  // namespace

std::span<const ResourceType> cloudformation_types() {
  return kTypes;
}

const Lazy<shape::Schema>& schema_of(SubjectKind kind, const shape::RequestSchemas& schemas) {
  switch (kind) {
    case SubjectKind::kTaskDefinition:
      break;
    case SubjectKind::kService:
      return schemas.service;
    case SubjectKind::kCapacityProvider:
      return schemas.capacity_provider;
    case SubjectKind::kCluster:
      return schemas.cluster;
    case SubjectKind::kClusterProviders:
      return schemas.cluster_providers;
    case SubjectKind::kTaskSet:
      return schemas.task_set;
    case SubjectKind::kDaemon:
      return schemas.daemon;
    case SubjectKind::kDaemonTaskDefinition:
      return schemas.daemon_task_definition;
    case SubjectKind::kExpressService:
      return schemas.express_service;
    case SubjectKind::kRunTask:
      return schemas.run_task;
  }
  return schemas.task_definition;
}

std::vector<Subject> subjects_of_template(const text::Document& document, const ParameterValues& parameters,
                                          const shape::RequestSchemas& schemas,
                                          const ParameterNames& set_by_deployment) {
  std::vector<Subject> subjects;
  const Value root = document.root();
  if (!has_ecs_resources(root)) return subjects;
  const Template of(document, parameters, set_by_deployment);
  Evaluator evaluator(of);
  TargetReader targets(of, evaluator, schemas, subjects);
  for (const Value resource : root.find("Resources").children()) {
    const Value type = resource.find("Type");
    const auto kind = type ? kind_of(type.text()) : std::nullopt;
    if (!type || is_left_out(resource, evaluator)) continue;
    const Value properties = resource.find("Properties");
    if (properties) targets.add(resource, type.text(), properties);
    if (!kind) continue;
    if (!properties && *kind == SubjectKind::kCluster) {  // a cluster may have none
      SubjectBuilder empty(document);
      empty.open(Kind::kObject, resource);
      empty.close();
      subjects.push_back(std::move(empty).finish(*kind, std::string(resource.key()), Spelling::kPascalCase));
      continue;
    }
    auto subject = definition_from(properties, *kind, schema_of(*kind, schemas).get().root(), of, evaluator);
    if (!subject) continue;
    subject->name = resource.key();
    subjects.push_back(std::move(*subject));
  }
  note_undeclared_names(of, document, subjects);
  return subjects;
}

}  // namespace bayplan::importers
