#include "importers/cloudformation_template.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "importers/members.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

Template::Section find_section(Value root, std::string_view name) {
  Template::Section section;
  const Value object = root && root.is_object() ? root.find(name) : Value();
  if (!object || !object.is_object()) return section;
  for (const Value member : object.children()) section.insert_or_assign(member.key(), member);
  return section;
}

/// AWS::Region and the like: known when the stack is made, unless the user says them.
constexpr std::string_view kPseudo = "AWS::";

Value find_resources(Value root) {
  if (!root || !root.is_object()) return {};
  const Value resources = root.find("Resources");
  return resources && resources.is_object() ? resources : Value();
}

std::vector<std::string_view> list_texts(Value list) {
  std::vector<std::string_view> texts;
  if (!list || !list.is_array()) return texts;
  for (const Value element : list.children()) texts.push_back(element.text());
  return texts;
}

}  // namespace

Template::Template(const text::Document& document, const ParameterValues& given, ParameterNames set_by_deployment)
    : given_(given),
      set_by_deployment_(std::move(set_by_deployment)),
      parameters_(find_section(document.root(), "Parameters")),
      mappings_(find_section(document.root(), "Mappings")),
      conditions_(find_section(document.root(), "Conditions")),
      resources_(find_section(document.root(), "Resources")) {}

bool Template::Parameter::is_list() const {
  return type == "CommaDelimitedList" || type.starts_with("List<");
}

std::optional<Template::Parameter> Template::parameter(std::string_view name) const {
  const auto given = given_.find(name);
  if (name.starts_with(kPseudo)) {
    return given == given_.end() ? std::nullopt : std::optional(Parameter{"String", given->second, false});
  }
  const Value declared = found(parameters_, name);
  if (!declared || !declared.is_object()) return std::nullopt;
  const auto type = text_of(declared, "Type");
  const auto no_echo = text_of(declared, "NoEcho");
  const bool is_secret = no_echo == "true" || no_echo == "True" || no_echo == "TRUE";
  if (type.starts_with("AWS::SSM::Parameter::Value<") || is_secret) return std::nullopt;
  if (given != given_.end()) return Parameter{type, given->second, false};
  const Value standard = default_of(name);
  const bool is_scalar = standard && !standard.is_object() && !standard.is_array() && !standard.is_null();
  return is_scalar ? std::optional(Parameter{type, standard.text(), true}) : std::nullopt;
}

std::string_view Template::text_of_parameter(std::string_view name) const {
  if (const auto given = given_.find(name); given != given_.end()) return given->second;
  const Value standard = default_of(name);
  return standard ? standard.text() : std::string_view();
}

Value Template::default_of(std::string_view name) const {
  const Value declared = found(parameters_, name);
  const bool is_replaced = set_by_deployment_.contains(name);
  return declared && declared.is_object() && !is_replaced ? declared.find("Default") : Value();
}

std::string_view Template::type_of(std::string_view logical_id) const {
  const Value resource = found(resources_, logical_id);
  return resource ? text_of(resource, "Type") : std::string_view();
}

Value Template::found(const Section& section, std::string_view name) {
  const auto at = section.find(name);
  return at == section.end() ? Value() : at->second;
}

bool is_cloudformation(Value root) {
  return static_cast<bool>(find_resources(root));
}

bool is_empty_template(Value root) {
  if (!root || !root.is_object() || is_cloudformation(root)) return false;
  return root.find("AWSTemplateFormatVersion") || root.find("Resources");
}

bool is_cdk(Value root) {
  const Value resources = find_resources(root);
  if (!resources) return false;
  const auto members = resources.children();
  return std::any_of(members.begin(), members.end(), [](Value resource) {
    const Value metadata = resource.find("Metadata");
    return resource.key() == "CDKMetadata" || (metadata && metadata.find("aws:cdk:path"));
  });
}

bool is_ecs_type(std::string_view type) {
  constexpr std::array<std::string_view, 5> kStarters{"AWS::Events::Rule", "AWS::Scheduler::Schedule",
                                                      "AWS::StepFunctions::StateMachine",
                                                      "AWS::Serverless::StateMachine", "AWS::Batch::JobDefinition"};
  return type.starts_with("AWS::ECS::") || std::find(kStarters.begin(), kStarters.end(), type) != kStarters.end();
}

bool has_ecs_resources(Value root) {
  const Value resources = find_resources(root);
  if (!resources) return false;
  const auto members = resources.children();
  return std::any_of(members.begin(), members.end(),
                     [](Value resource) { return is_ecs_type(text_of(resource, "Type")); });
}

ParameterCheck check_parameters(Value root, const ParameterValues& given) {
  ParameterCheck check;
  const auto declared = find_section(root, "Parameters");
  for (const auto& [name, value] : given) {
    if (name.starts_with(kPseudo)) check.declared.push_back(name);
    const auto at = declared.find(name);
    if (at == declared.end() || !at->second.is_object()) continue;
    check.declared.push_back(name);
    const auto allowed = list_texts(at->second.find("AllowedValues"));
    const bool is_allowed = allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end();
    if (!is_allowed) check.refused.push_back({name, value, allowed});
  }
  return check;
}

}  // namespace bayplan::importers
