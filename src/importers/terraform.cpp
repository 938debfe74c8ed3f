#include "importers/terraform.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "base/limits.hpp"
#include "base/strings.hpp"
#include "importers/container_list.hpp"
#include "importers/json_copy.hpp"
#include "importers/subject_builder.hpp"
#include "importers/task_targets.hpp"
#include "importers/terraform_attributes.hpp"
#include "importers/terraform_facts.hpp"
#include "importers/terraform_resources.hpp"
#include "shape/schema.hpp"
#include "text/read.hpp"
#include "text/string_content.hpp"

namespace bayplan::importers {

namespace {

using shape::Rule;
using text::Kind;
using text::Value;

/// Containers keep their numbers, by which findings name them: none is taken out of the list.
void copy_containers(Value root, const Rule* containers, const JsonSource& from, SubjectBuilder& builder) {
  if (!root.is_array()) return copy_json(root, containers, from, builder);
  builder.open(Kind::kArray, from.place(root.span()), from.origin(root));
  for (const Value container : root.children()) copy_json(container, containers->elements, from, builder);
  builder.close();
}

/// Derives containerDefinitions from the JSON inside `string`, as the provider's decoder (Go's encoding/json) reads it:
/// keys in any case, null as absent, empty members of lists left out. Faults of that JSON become faults of the subject.
/// Spans lead through both layers of escapes to the place in the plan.
void read_container_definitions(Value string, const shape::Schema& task_definition, const Limits& limits,
                                SubjectBuilder& builder) {
  const auto* member = task_definition.root().find("containerDefinitions");
  const Rule* containers = rule_for(Kind::kArray, member->rule);
  const text::StringContent content(string);
  const auto document = text::read_document(content.text(), {.format = text::Format::kJson, .limits = limits});
  for (text::Fault fault : document->faults()) {
    fault.span = content.original(fault.span);
    for (auto& related : fault.related) related.span = content.original(related.span);
    fault.fix.reset();  // A plan is generated.
    builder.fault(std::move(fault));
  }
  const Value root = document->root();
  if (document->format() != text::Format::kJson || !root) {
    builder.unknown("container_definitions that cannot be read", string);
  } else {
    const JsonSource from{[&](Span span) { return content.original(span); }, [&](Value) { return string.index(); }};
    copy_containers(root, containers, from, builder);
  }
}

constexpr std::string_view kTaskDefinitionType = "aws_ecs_task_definition";
constexpr std::string_view kServiceType = "aws_ecs_service";
constexpr std::string_view kProviderType = "aws_ecs_capacity_provider";
constexpr std::string_view kClusterType = "aws_ecs_cluster";
constexpr std::string_view kClusterProvidersType = "aws_ecs_cluster_capacity_providers";
constexpr std::string_view kTaskSetType = "aws_ecs_task_set";

void write_containers(const shape::Schema& schema, const Limits& limits, const TerraformResource& resource,
                      SubjectBuilder& builder) {
  constexpr Attribute kContainers{"container_definitions", "containerDefinitions"};
  const Value given = resource.values.find(kContainers.name);
  const bool is_text =
      given && given.is_string() && !given.text().empty() && !is_unknown(resource.unknown.find(kContainers.name));
  if (given && (given.is_array() || given.is_object()) && given.size() > 0) {  // of code, which holds what it encodes
    builder.key(kContainers.member, given.key_span());
    return copy_containers(given, rule_for(Kind::kArray, schema.root().find(kContainers.member)->rule), json_of_file(),
                           builder);
  }
  if (!is_text) return AttributeReader(resource, builder).member(kContainers, resource.values, resource.unknown);
  builder.key(kContainers.member, given.key_span());
  read_container_definitions(given, schema, limits, builder);
}

Subject task_definition_subject(const text::Document& plan, const shape::Schema& schema, const Limits& limits,
                                const TerraformResource& resource) {
  SubjectBuilder builder(plan);
  builder.open(Kind::kObject, resource.values);
  AttributeReader(resource, builder).members(task_definition_attributes(), resource.values, resource.unknown);
  write_containers(schema, limits, resource, builder);
  builder.close();
  return std::move(builder).finish(SubjectKind::kTaskDefinition, resource.address, Spelling::kSnakeCase);
}

bool is_daemon(const TerraformResource& service) {
  const Value strategy = service.values.find("scheduling_strategy");
  return strategy && strategy.text() == "DAEMON";
}

/// What services refer to in a plan, or in the files of a module.
struct ResourceIndex {
  ResourcesByText definitions_by_arn = {};
  ResourcesByText definitions = {};  ///< By their plain addresses.
  ResourcesByText compared = {};     ///< Other resources, by their plain addresses (`compared_attribute`).

  void add(const std::vector<TerraformResource>& resources) {
    for (const auto& one : resources) {
      if (!compared_attribute(one.type).empty()) compared.emplace(one.plain_address, &one);
      if (one.type != kTaskDefinitionType) continue;
      if (const Value arn = one.values.find("arn")) definitions_by_arn.emplace(arn.text(), &one);
      definitions.emplace(one.plain_address, &one);
    }
  }
};

/// The one definition that a service surely runs; nothing when several may be meant.
const TerraformResource* definition_meant(const ResourceIndex& known, const TerraformResource& service,
                                          std::string_view attribute) {
  if (service.definitions.size() > 1) return nullptr;
  const Value given = service.values.find(attribute);
  if (!is_unset(given)) {
    const auto named = known.definitions_by_arn.find(given.text());
    if (named != known.definitions_by_arn.end()) return named->second;
  }
  return service.definitions.empty() ? nullptr : only_meant(known.definitions, service.definitions.front());
}

void write_definition(const ResourceIndex& known, const TerraformResource& service, SubjectBuilder& builder,
                      std::string_view attribute = "task_definition") {
  const Attribute definition{attribute, "taskDefinition"};
  const TerraformResource* meant = definition_meant(known, service, attribute);
  const Value later = service.unknown.find(definition.name);
  const Value place = is_unknown(later) ? later : service.values.find(definition.name);
  if (meant == nullptr || is_unset(place)) {
    return AttributeReader(service, builder).member(definition, service.values, service.unknown);
  }
  builder.key(definition.member, place.key_span());
  builder.scalar(Kind::kString, meant->address, place.span(), place.index());
}

/// A flat block in Terraform, an object with one member in ECS.
void write_network(const TerraformResource& service, SubjectBuilder& builder) {
  const Attribute inner{"network_configuration", "awsvpcConfiguration", Form::kBlock, network_attributes()};
  AttributeReader reader(service, builder);
  const Value given = service.values.find(inner.name);
  if (is_unset(given) || is_unknown(service.unknown.find(inner.name))) {
    return reader.member({inner.name, "networkConfiguration"}, service.values, service.unknown);
  }
  builder.key("networkConfiguration", given.key_span());
  builder.open(Kind::kObject, given);
  reader.member(inner, service.values, service.unknown);
  builder.close();
}

void write_deployment(const TerraformResource& service, SubjectBuilder& builder) {
  const auto attributes = deployment_attributes();
  const Value block = service.values.find("deployment_configuration");
  const Value strategy = block ? block.at(0) : Value();
  const bool has_strategy = strategy && !is_unset(strategy.find("strategy"));
  if (!has_strategy && !AttributeReader::any(attributes, service.values, service.unknown)) return;
  AttributeReader reader(service, builder);
  builder.key("deploymentConfiguration", service.values.opening());
  builder.open(Kind::kObject, service.values.opening(), service.values.index());
  for (const auto& attribute : attributes) {
    // Daemon services have no upper limit; the provider leaves its default out.
    const bool is_left_out = is_daemon(service) && attribute.member == "maximumPercent";
    if (!is_left_out) reader.member(attribute, service.values, service.unknown);
  }
  if (has_strategy) reader.member({"strategy", "strategy"}, strategy, {});
  builder.close();
}

Subject service_subject(const text::Document& plan, const ResourceIndex& known, const TerraformResource& resource) {
  SubjectBuilder builder(plan);
  AttributeReader reader(resource, builder);
  builder.open(Kind::kObject, resource.values);
  reader.members(service_attributes(), resource.values, resource.unknown);
  write_definition(known, resource, builder);
  write_network(resource, builder);
  write_deployment(resource, builder);
  if (!is_daemon(resource)) reader.member({"desired_count", "desiredCount"}, resource.values, resource.unknown);
  // What ECS holds already was taken once, as in its answers.
  if (resource.is_deployed) reader.member({"id", "serviceArn"}, resource.values, resource.unknown);
  builder.close();
  Subject subject = std::move(builder).finish(SubjectKind::kService, resource.address, Spelling::kSnakeCase);
  note_facts(known.compared, subject);
  if (resource.unknown_count)
    subject.facts.push_back({.property = kResourceCount,
                             .value = std::string(resource.unknown_count.text()),
                             .resource = resource.address,
                             .span = resource.unknown_count.span()});
  return subject;
}

bool is_managed_instances(const TerraformResource& resource) {
  constexpr std::string_view kManaged = "managed_instances_provider";
  return resource.type == kProviderType && !is_unset(resource.values.find(kManaged));
}

/// A resource whose attributes become members one by one. `arn`: what ECS calls its ARN in answers.
Subject plain_subject(const text::Document& plan, const TerraformResource& resource, SubjectKind kind,
                      std::span<const Attribute> attributes, std::string_view arn) {
  SubjectBuilder builder(plan);
  builder.open(Kind::kObject, resource.values);
  AttributeReader reader(resource, builder);
  reader.members(attributes, resource.values, resource.unknown);
  // What ECS holds already was taken once, as in its answers.
  if (resource.is_deployed) reader.member({"arn", arn}, resource.values, resource.unknown);
  builder.close();
  return std::move(builder).finish(kind, resource.address, Spelling::kSnakeCase);
}

Subject provider_subject(const text::Document& plan, const TerraformResource& resource) {
  return plain_subject(plan, resource, SubjectKind::kCapacityProvider, capacity_provider_attributes(),
                       "capacityProviderArn");
}

/// The provider sends both lists, also those that are not set.
Subject cluster_providers_subject(const text::Document& plan, const TerraformResource& resource) {
  SubjectBuilder builder(plan);
  builder.open(Kind::kObject, resource.values);
  AttributeReader reader(resource, builder);
  for (const auto& attribute : cluster_providers_attributes()) {
    if (AttributeReader::any({&attribute, 1}, resource.values, resource.unknown)) {
      reader.member(attribute, resource.values, resource.unknown);
    } else if (attribute.form != Form::kScalar) {
      builder.key(attribute.member, resource.values.opening());
      builder.open(Kind::kArray, resource.values.opening(), resource.values.index());
      builder.close();
    }
  }
  builder.close();
  return std::move(builder).finish(SubjectKind::kClusterProviders, resource.address, Spelling::kSnakeCase);
}

Subject task_set_subject(const text::Document& plan, const ResourceIndex& known, const TerraformResource& resource) {
  SubjectBuilder builder(plan);
  builder.open(Kind::kObject, resource.values);
  AttributeReader(resource, builder).members(task_set_attributes(), resource.values, resource.unknown);
  write_definition(known, resource, builder);
  write_network(resource, builder);
  if (resource.is_deployed) AttributeReader(resource, builder).member({"arn", "taskSetArn"}, resource.values, {});
  builder.close();
  return std::move(builder).finish(SubjectKind::kTaskSet, resource.address, Spelling::kSnakeCase);
}

/// The only block of a type, and what a plan does not know of it.
TerraformResource block_of(const TerraformResource& resource, std::string_view type) {
  TerraformResource block{.address = resource.address,
                          .plain_address = resource.plain_address,
                          .type = resource.type,
                          .index = resource.index,
                          .definitions = resource.definitions,
                          .is_deployed = resource.is_deployed,
                          .unknown_count = resource.unknown_count};
  const Value given = resource.values ? resource.values.find(type) : Value();
  const Value later = resource.unknown && resource.unknown.is_object() ? resource.unknown.find(type) : Value();
  block.values = given && given.is_array() ? given.at(0) : given;
  block.unknown = later && later.is_array() ? later.at(0) : later;
  return block;
}

void add_run_task(const text::Document& plan, const ResourceIndex& known, const TerraformResource& target,
                  std::vector<Subject>& subjects) {
  if (!target.values || !target.values.is_object()) return;
  SubjectBuilder builder(plan);
  builder.open(Kind::kObject, target.values);
  AttributeReader(target, builder).members(run_task_attributes(), target.values, target.unknown);
  write_definition(known, target, builder, "task_definition_arn");
  write_network(target, builder);
  builder.close();
  subjects.push_back(std::move(builder).finish(SubjectKind::kRunTask, target.address, Spelling::kSnakeCase));
}

/// The jobs of aws_batch_job_definition: `container_properties` and `ecs_properties` are JSON inside a string.
void add_batch_job(const text::Document& plan, const shape::Schema& task_definition, const TerraformResource& job,
                   std::vector<Subject>& subjects) {
  const Value capabilities = job.values.find("platform_capabilities");
  const bool is_fargate =
      capabilities && capabilities.is_array() && capabilities.size() > 0 && capabilities.at(0).text() == "FARGATE";
  for (const std::string_view attribute : {"container_properties", "ecs_properties"}) {
    const Value given = job.values.find(attribute);
    if (!given) continue;
    const auto add = [&](Value root, const JsonSource& from) {
      for (auto& subject : batch_subjects(plan, root, is_fargate, task_definition, from, job.address))
        subjects.push_back(std::move(subject));
    };
    if (given.is_object()) add(given, json_of_file());  // of code
    if (!given.is_string()) continue;
    const text::StringContent content(given);
    const auto document = text::read_document(content.text(), {.format = text::Format::kJson});
    if (document->root() && document->root().is_object())
      add(document->root(), {[&](Span span) { return content.original(span); }, [&](Value) { return given.index(); }});
  }
}

/// Resources of other services that start tasks.
void add_targets(const text::Document& plan, const ResourceIndex& known, const shape::RequestSchemas& schemas,
                 const TerraformResource& resource, std::vector<Subject>& subjects) {
  if (resource.type == "aws_cloudwatch_event_target")
    add_run_task(plan, known, block_of(resource, "ecs_target"), subjects);
  if (resource.type == "aws_scheduler_schedule")
    add_run_task(plan, known, block_of(block_of(resource, "target"), "ecs_parameters"), subjects);
  if (resource.type == "aws_batch_job_definition")
    add_batch_job(plan, schemas.task_definition.get(), resource, subjects);
  const Value machine = resource.type == "aws_sfn_state_machine" ? resource.values.find("definition") : Value();
  if (machine && machine.is_string())
    add_machine_in_string(plan, machine, machine.text(), resource.address, schemas.run_task.get(), {}, subjects);
  if (!machine || !machine.is_object()) return;
  JsonSource from = json_of_file();
  from.is_of_states = true;
  for (const auto& [state, call] : run_states(machine))
    subjects.push_back(
        run_task_subject(plan, call, schemas.run_task.get(), from, resource.address + "." + std::string(state)));
}

}  // namespace

std::vector<std::vector<Subject>> read_terraform(const std::vector<const text::Document*>& files,
                                                 const shape::RequestSchemas& schemas, const Limits& limits) {
  std::vector<std::vector<TerraformResource>> resources;
  for (const auto* file : files) resources.push_back(ecs_resources(file->root()));
  ResourceIndex known;
  for (const auto& of_file : resources) known.add(of_file);
  std::vector<std::vector<Subject>> result(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const text::Document& file = *files[i];
    for (const auto& resource : resources[i]) {
      if (resource.type == kTaskDefinitionType)
        result[i].push_back(task_definition_subject(file, schemas.task_definition.get(), limits, resource));
      if (resource.type == kServiceType) result[i].push_back(service_subject(file, known, resource));
      if (resource.type == kProviderType) {
        result[i].push_back(provider_subject(file, resource));
        note_facts(known.compared, result[i].back());
      }
      if (resource.type == kClusterType)
        result[i].push_back(plain_subject(file, resource, SubjectKind::kCluster, cluster_attributes(), "clusterArn"));
      if (resource.type == kClusterProvidersType && !resource.is_deployed)
        result[i].push_back(cluster_providers_subject(file, resource));
      if (resource.type == kTaskSetType) result[i].push_back(task_set_subject(file, known, resource));
      add_targets(file, known, schemas, resource, result[i]);
    }
  }
  return result;
}

std::vector<Subject> read_terraform(const text::Document& plan, const shape::RequestSchemas& schemas,
                                    const Limits& limits) {
  return std::move(read_terraform({&plan}, schemas, limits).front());
}

std::vector<Subject> managed_instances_of_plan(const text::Document& plan) {
  std::vector<Subject> result;
  for (const auto& resource : ecs_resources(plan.root())) {
    if (is_managed_instances(resource)) result.push_back(provider_subject(plan, resource));
  }
  return result;
}

bool is_terraform_code(std::string_view name) {
  return is_terraform_module_file(name) || name.ends_with(".tfvars") || name.ends_with(".hcl");
}

bool is_terraform_module_file(std::string_view name) {
  return name.ends_with(".tf") || name.ends_with(".tf.json");
}

bool may_call_local_module(std::string_view code) {
  const auto has = [&](std::string_view word) { return code.find(word) != std::string_view::npos; };
  return has("module") && (has("\"./") || has("\"../"));
}

bool begins_like_terraform(std::string_view text) {
  constexpr std::size_t kPeek = 4096;
  const auto beginning = text.substr(0, kPeek);
  const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || beginning[first] != '{') return false;
  constexpr std::array<std::string_view, 3> kKeys{"\"terraform_version\"", "\"format_version\"", "\"planned_values\""};
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](auto key) { return beginning.find(key) != std::string_view::npos; });
}

namespace {

bool matters(Value value, bool (*is_wanted)(std::string_view type), std::span<const std::string_view> read) {
  const Value parent = value.parent();
  if (!parent) return true;
  if (!parent.parent()) return std::find(read.begin(), read.end(), value.key()) != read.end();
  const auto list = parent.key();
  if (parent.is_array() && (list == "resources" || list == "resource_changes" || list == "resource_drift")) {
    const Value type = value.find("type");
    return type && is_wanted(type.text());
  }
  if (parent.key() == "change") return value.key() == "after_unknown" || value.key() == "actions";
  return value.key() != "sensitive_values" && value.key() != "variables";
}

text::NodeRetention keeping(bool matters) {
  return matters ? text::NodeRetention::kWhole : text::NodeRetention::kEmpty;
}

}  // namespace

text::NodeRetention matters_to_terraform(Value value) {
  constexpr std::array<std::string_view, 5> kRead{"planned_values", "values", "resource_changes", "configuration",
                                                  "resources"};
  return keeping(matters(value, is_ecs_resource, kRead));
}

text::NodeRetention matters_to_cluster(Value value) {
  constexpr std::array<std::string_view, 6> kRead{"planned_values", "values",    "resource_changes",
                                                  "configuration",  "resources", "prior_state"};
  return keeping(matters(value, is_cluster_resource, kRead));
}

}  // namespace bayplan::importers
