#include "study/whatif/planned_instances.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "capacity/offer.hpp"
#include "placement/model/profiles.hpp"

namespace bayplan::study {

using placement::ContainerInstance;
using placement::InstanceProfile;

namespace {

/// Its id is not of the form "<type>#<n>".
bool has_own_id(const InstanceProfile& profile) {
  return !profile.ec2_instance_id.empty() || !profile.arn.empty();
}

constexpr std::string_view kCapability = "ecs.capability.";

bool is_capability(std::string_view attribute) {
  return attribute.find(kCapability) != std::string_view::npos;
}

void keep_common(std::map<std::string, std::string, std::less<>>& attributes, const InstanceProfile& other) {
  std::erase_if(attributes, [&](const auto& attribute) {
    const auto found = other.attributes.find(attribute.first);
    if (found != other.attributes.end()) return found->second != attribute.second;
    return !(other.has_all_capabilities && is_capability(attribute.first));
  });
}

/// What both profiles of one type have.
void keep_common(InstanceProfile& profile, const InstanceProfile& other) {
  if (profile.has_all_capabilities && !other.has_all_capabilities) {
    for (const auto& attribute : other.attributes) {
      if (is_capability(attribute.first)) profile.attributes.insert(attribute);
    }
    profile.has_all_capabilities = false;
  }
  keep_common(profile.attributes, other);
  if (profile.capacity_provider_name != other.capacity_provider_name) profile.capacity_provider_name.clear();
  if (profile.agent_version != other.agent_version) profile.agent_version.clear();
  profile.awsvpc_trunking &= other.awsvpc_trunking;
  profile.gpu_sharing &= other.gpu_sharing;
  profile.cpu = std::min(profile.cpu, other.cpu);
  profile.memory = std::min(profile.memory, other.memory);
  profile.gpu_count = std::min(profile.gpu_count, other.gpu_count);
  profile.gpu_memory = std::min(profile.gpu_memory, other.gpu_memory);
  profile.neuron_devices = std::min(profile.neuron_devices, other.neuron_devices);
  profile.network_interfaces = std::min(profile.network_interfaces, other.network_interfaces);
  profile.ebs_attachments = std::min(profile.ebs_attachments, other.ebs_attachments);
  profile.interfaces_take_attachments |= other.interfaces_take_attachments;
}

/// What only one instance has.
void forget_instance(InstanceProfile& profile) {
  profile.ec2_instance_id.clear();
  profile.arn.clear();
  profile.gpu_ids.clear();
  profile.registered_at.reset();
}

void forget_place(InstanceProfile& profile) {
  profile.availability_zone.clear();
  profile.subnet_id.clear();
  profile.attributes.erase("ecs.availability-zone");
  profile.attributes.erase("ecs.subnet-id");
  profile.attributes.erase("ecs.awsvpc-trunk-id");
}

/// Empty if they differ or are unknown.
std::string subnet_in(const PlannedInstances& planned, const std::string& zone) {
  std::string subnet;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i) {
    const auto& profile = planned.profile_of(i);
    if (profile.availability_zone != zone) continue;
    if (profile.subnet_id.empty() || (!subnet.empty() && subnet != profile.subnet_id)) return {};
    subnet = profile.subnet_id;
  }
  return subnet;
}

MiB compute_reserved_memory(const InstanceProfile& profile) {
  if (profile.type == nullptr || profile.memory_basis == catalog::MemoryBasis::kStated) return 0;
  const auto offer = capacity::make_offer(
      *profile.type, {.trunking = profile.awsvpc_trunking, .windows = placement::is_windows(profile)});
  return std::max<MiB>(0, offer.memory - profile.memory);
}

void register_as(const InstanceProfile& pattern, InstanceProfile& profile) {
  profile.cpu = pattern.cpu;
  profile.memory = pattern.memory;
  profile.memory_basis = pattern.memory_basis;
  profile.gpu_count = pattern.gpu_count;
  profile.gpu_fraction_millionths = pattern.gpu_fraction_millionths;
  profile.gpu_memory = pattern.gpu_memory;
  profile.gpu_memory_estimated = pattern.gpu_memory_estimated;
  profile.neuron_devices = pattern.neuron_devices;
  profile.network_interfaces = pattern.network_interfaces;
  profile.ebs_attachments = pattern.ebs_attachments;
  profile.interfaces_take_attachments = pattern.interfaces_take_attachments;
  profile.awsvpc_trunking = pattern.awsvpc_trunking;
}

/// An agent on other hardware has other capabilities: then it counts as one that has all of them.
void drop_capabilities(InstanceProfile& profile) {
  std::erase_if(profile.attributes, [](const auto& attribute) { return is_capability(attribute.first); });
  profile.has_all_capabilities = true;
  profile.gpu_sharing = false;
}

}  // namespace

PlannedInstances::PlannedInstances(const placement::Scenario& scenario, const std::vector<ScenarioChange>& changes)
    : scenario_(scenario), instances_(&scenario.instances) {
  profiles_.reserve(scenario.profiles.size());
  for (const auto& profile : scenario.profiles) profiles_.push_back(&profile);
  std::vector<const ReplaceType*> replacements;
  for (const auto& change : changes) {
    if (const auto* instances = std::get_if<ReplaceInstances>(&change)) replace_instances(*instances);
    if (const auto* type = std::get_if<ReplaceType>(&change)) replacements.push_back(type);
  }
  if (!replacements.empty()) replace_types(replacements);
}

void PlannedInstances::replace_instances(const ReplaceInstances& replacement) {
  const auto& timetable = scenario_.timetable;
  if (timetable.groups.empty() && timetable.events.empty()) profiles_.clear();  // nothing else needs them
  const auto before = static_cast<std::uint32_t>(profiles_.size());
  for (const auto& profile : *replacement.profiles) profiles_.push_back(&profile);
  own_ = replacement.instances;
  for (auto& instance : own_) instance.profile += before;
  instances_ = &own_;
  is_changed_ = are_all_others_ = true;
}

void PlannedInstances::replace_types(const std::vector<const ReplaceType*>& replacements) {
  const auto before = profiles_;
  for (std::size_t i = 0; i < profiles_.size(); ++i) {
    for (const auto* replacement : replacements) {
      if (before[i]->instance_type == replacement->from) profiles_[i] = &(*replacement->profiles)[i];
    }
  }
  if (instances_ != &own_) own_ = *instances_;
  std::map<std::string_view, std::int64_t> numbers;
  for (auto& instance : own_) {
    const auto& profile = *profiles_[instance.profile];
    const std::int64_t number = ++numbers[profile.instance_type];
    if (!has_own_id(profile)) instance.id = profile.instance_type + "#" + std::to_string(number);
  }
  instances_ = &own_;
  is_changed_ = true;
}

bool PlannedInstances::is_another(std::uint32_t instance) const {
  if (are_all_others_) return true;
  const auto profile = scenario_.instances[instance].profile;
  return is_changed_ && profiles_[profile] != &scenario_.profiles[profile];
}

std::int64_t PlannedInstances::count_of(const std::string& instance_type) const {
  return std::count_if(instances_->begin(), instances_->end(), [&](const ContainerInstance& instance) {
    return profiles_[instance.profile]->instance_type == instance_type;
  });
}

Result<InstanceProfile> one_more_of(const PlannedInstances& planned, const catalog::Catalog& catalog,
                                    const std::string& instance_type) {
  std::set<std::uint32_t> profiles;
  for (const auto& instance : planned.instances()) {
    if (planned.profiles()[instance.profile]->instance_type == instance_type) profiles.insert(instance.profile);
  }
  if (profiles.empty()) return placement::profile_of_type(catalog, instance_type);
  InstanceProfile pattern = *planned.profiles()[*profiles.begin()];
  for (const auto profile : profiles) keep_common(pattern, *planned.profiles()[profile]);
  forget_instance(pattern);
  forget_place(pattern);
  pattern.status = placement::InstanceStatus::kActive;
  pattern.agent_connected = true;
  pattern.origin = {};
  return pattern;
}

InstanceProfile in_zone(InstanceProfile profile, const std::string& zone, const PlannedInstances& planned,
                        const std::string& region) {
  profile.availability_zone = zone;
  profile.subnet_id = subnet_in(planned, zone);
  placement::add_built_in_attributes(profile);
  placement::use_price(profile, region);
  return profile;
}

InstanceProfile with_type(const InstanceProfile& profile, const InstanceProfile& pattern, bool is_from_catalog,
                          const std::string& region) {
  InstanceProfile other = profile;
  other.instance_type = pattern.instance_type;
  other.type = pattern.type;
  other.attributes.erase("ecs.instance-type");
  other.attributes.erase("ecs.cpu-architecture");
  placement::add_built_in_attributes(other);
  register_as(pattern, other);
  if (is_from_catalog) {
    other.awsvpc_trunking = profile.awsvpc_trunking;
    placement::use_offer(*other.type, compute_reserved_memory(profile), other);
  }
  if ((profile.gpu_count > 0) != (other.gpu_count > 0) ||
      placement::architecture_of(profile) != placement::architecture_of(other))
    drop_capabilities(other);
  forget_instance(other);
  other.hourly_price.reset();
  placement::use_price(other, region);
  return other;
}

bool registers_as_stated(const InstanceProfile& profile) {
  if (profile.type == nullptr) return true;
  return profile.memory_basis == catalog::MemoryBasis::kStated &&
         profile.type->memory_basis != catalog::MemoryBasis::kStated;
}

}  // namespace bayplan::study
