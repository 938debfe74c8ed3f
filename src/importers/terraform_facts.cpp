#include "importers/terraform_facts.hpp"

#include <string>
#include <utility>

#include "importers/cloudformation_facts.hpp"

namespace bayplan::importers {
namespace {

using text::Kind;
using text::Value;

/// The resource of code that a value is the ARN or ID of. An expression that decides between several is none of them.
const TerraformResource* resource_of(const ResourcesByText& known, Value value) {
  if (!value || !is_of_code(value) || value.kind() != Kind::kPlaceholder) return nullptr;
  const auto references = resources_in_code(value);
  if (references.size() != 1) return nullptr;
  const std::string& reference = references.front();
  const bool is_whole = value.text() == reference + ".arn" || value.text() == reference + ".id";
  return is_whole ? only_meant(known, reference) : nullptr;
}

/// Notes what a resource says, with its place if that is in the text of the service.
void note_fact(Value at, std::string_view property, std::string value, const TerraformResource& resource, Value place,
               Subject& service) {
  const bool is_near = place.document().shared_source() == service.document->shared_source();
  service.facts.push_back({.node = at.index(),
                           .property = property,
                           .value = std::move(value),
                           .resource = resource.address,
                           .span = is_near ? place.span() : Span{}});
}

/// The provider sends "instance" for a group that does not say its type.
void note_target_types(const ResourcesByText& known, Subject& service) {
  const Value balancers = service.document->root().find("loadBalancers");
  if (!balancers || !balancers.is_array()) return;
  for (const Value balancer : balancers.children()) {
    const Value arn = balancer.is_object() ? balancer.find("targetGroupArn") : Value();
    const auto* group = resource_of(known, arn);
    if (group == nullptr || compared_attribute(group->type) != "target_type") continue;
    const Value type = group->values.find("target_type");
    if (!type) {
      note_fact(arn, "TargetType", "instance", *group, group->values, service);
    } else if (type.is_string() && type.text().find("${") == std::string_view::npos) {
      note_fact(arn, "TargetType", std::string(type.text()), *group, type, service);
    }
  }
}

/// The types of the records of a service of Cloud Map; nothing if one is unknown, or if it has no records.
std::string record_types(const TerraformResource& registry) {
  const auto only_block = [](Value list) { return list && list.is_array() && list.size() == 1 ? list.at(0) : list; };
  const Value config = only_block(registry.values.find("dns_config"));
  const Value records = config && config.is_object() ? config.find("dns_records") : Value();
  if (!records || !records.is_array()) return {};
  std::string types;
  for (const Value record : records.children()) {
    const Value type = record.is_object() ? record.find("type") : Value();
    if (!type || !type.is_string() || type.text().find("${") != std::string_view::npos) return {};
    types += (types.empty() ? "" : " ") + std::string(type.text());
  }
  return types;
}

void note_record_types(const ResourcesByText& known, Subject& service) {
  const Value registries = service.document->root().find("serviceRegistries");
  if (!registries || !registries.is_array()) return;
  for (const Value entry : registries.children()) {
    const Value arn = entry.is_object() ? entry.find("registryArn") : Value();
    const auto* registry = resource_of(known, arn);
    if (registry == nullptr || compared_attribute(registry->type) != "dns_config") continue;
    auto types = record_types(*registry);
    if (types.empty()) continue;
    note_fact(arn, kRecordTypes, std::move(types), *registry, registry->values.find("dns_config"), service);
  }
}

/// New instances are not protected from scale-in unless the group says so.
void note_protection(const ResourcesByText& known, Subject& provider) {
  const Value groups = provider.document->root().find("autoScalingGroupProvider");
  const Value arn = groups && groups.is_object() ? groups.find("autoScalingGroupArn") : Value();
  const auto* group = resource_of(known, arn);
  if (group == nullptr || compared_attribute(group->type) != "protect_from_scale_in") return;
  const Value protection = group->values.find("protect_from_scale_in");
  if (!protection || protection.kind() == Kind::kBoolean)
    note_fact(arn, "NewInstancesProtectedFromScaleIn", protection ? std::string(protection.text()) : "false", *group,
              protection ? protection : group->values, provider);
}

}  // namespace

const TerraformResource* only_meant(const ResourcesByText& known, std::string_view reference) {
  const auto [first, last] = known.equal_range(without_indices(reference));
  const TerraformResource* only = nullptr;
  for (auto one = first; one != last; ++one) {
    if (!is_meant(reference, *one->second)) continue;
    if (only != nullptr) return nullptr;
    only = one->second;
  }
  return only;
}

void note_facts(const ResourcesByText& known, Subject& subject) {
  if (subject.kind == SubjectKind::kCapacityProvider) return note_protection(known, subject);
  note_target_types(known, subject);
  note_record_types(known, subject);
}

}  // namespace bayplan::importers
