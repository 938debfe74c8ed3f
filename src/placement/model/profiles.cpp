#include "placement/model/profiles.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/offer.hpp"

namespace bayplan::placement {

using catalog::InstanceType;

namespace {

std::string_view region_of_zone(std::string_view zone) {
  while (!zone.empty() && zone.back() >= 'a' && zone.back() <= 'z') zone.remove_suffix(1);
  return zone;
}

}  // namespace

InstanceStatus status_named(std::string_view name) {
  for (const auto status : {InstanceStatus::kDraining, InstanceStatus::kRegistering, InstanceStatus::kDeregistering,
                            InstanceStatus::kRegistrationFailed, InstanceStatus::kInactive}) {
    if (name_of(status) == name) return status;
  }
  return InstanceStatus::kActive;
}

bool is_windows(const InstanceProfile& profile) {
  const auto has = [&](std::string_view name, std::string_view prefix) {
    const auto found = profile.attributes.find(name);
    return found != profile.attributes.end() && lower(found->second).starts_with(prefix);
  };
  return has("ecs.os-type", "windows") || has("ecs.os-family", "windows");
}

std::string architecture_of(const InstanceProfile& profile) {
  const auto stated = profile.attributes.find("ecs.cpu-architecture");
  if (stated != profile.attributes.end()) return stated->second;
  if (profile.type == nullptr || profile.type->architectures.empty()) return {};
  const auto& all = profile.type->architectures;
  return std::find(all.begin(), all.end(), "arm64") != all.end() ? "arm64" : "x86_64";
}

void add_built_in_attributes(InstanceProfile& profile) {
  auto& attributes = profile.attributes;
  attributes.emplace("ecs.instance-type", profile.instance_type);
  if (!profile.availability_zone.empty()) attributes.emplace("ecs.availability-zone", profile.availability_zone);
  if (!profile.subnet_id.empty()) attributes.emplace("ecs.subnet-id", profile.subnet_id);
  attributes.emplace("ecs.os-type", is_windows(profile) ? "windows" : "linux");
  if (!is_windows(profile)) attributes.emplace("ecs.os-family", "LINUX");
  if (auto architecture = architecture_of(profile); !architecture.empty())
    attributes.emplace("ecs.cpu-architecture", std::move(architecture));
}

void use_attachments(const capacity::InstanceOffer& offer, InstanceProfile& profile) {
  profile.ebs_attachments = offer.ebs_attachments.value_or(kUnlimitedAttachments);
  profile.interfaces_take_attachments = offer.interfaces_take_attachments;
}

void set_trunking(bool is_on, InstanceProfile& profile) {
  if (profile.type == nullptr || !profile.type->eni_task_limit_trunking || profile.awsvpc_trunking == is_on) return;
  const auto offer = capacity::make_offer(*profile.type, {.trunking = is_on, .windows = is_windows(profile)});
  profile.awsvpc_trunking = is_on;
  profile.network_interfaces = offer.network_interfaces.value_or(kUnlimitedInterfaces);
  use_attachments(offer, profile);
}

void use_offer(const InstanceType& type, MiB reserved_memory, InstanceProfile& profile) {
  const auto offer = capacity::make_offer(
      type, {.reserved_memory = reserved_memory, .trunking = profile.awsvpc_trunking, .windows = is_windows(profile)});
  profile.cpu = offer.cpu;
  profile.memory = offer.memory;
  profile.memory_basis = type.memory_basis;
  profile.gpu_count = offer.gpu.count;
  profile.gpu_fraction_millionths = offer.gpu.fraction_millionths;
  profile.gpu_memory = offer.gpu.usable_memory;
  profile.gpu_memory_estimated = offer.gpu.memory_estimated;
  profile.neuron_devices = offer.neuron_devices;
  profile.network_interfaces = offer.network_interfaces.value_or(kUnlimitedInterfaces);
  use_attachments(offer, profile);
}

Result<InstanceProfile> profile_of_type(const catalog::Catalog& catalog, const std::string& instance_type) {
  const auto* type = catalog.find(instance_type);
  if (type == nullptr) {
    auto hint = catalog.hint_for(instance_type);
    if (const auto colon = instance_type.find(':'); catalog.find(instance_type.substr(0, colon)) != nullptr)
      hint = fmt::format("did you mean '{}={}'?", instance_type.substr(0, colon), instance_type.substr(colon + 1));
    return Error{.message = fmt::format("unknown instance type '{}'", instance_type),
                 .help = hint.empty()
                             ? "'bayplan catalog' lists all types; instanceTypes of a scenario describes others"
                             : hint};
  }
  if (type->memory_basis == catalog::MemoryBasis::kUnknown) {
    return Error{.message = fmt::format("the memory that a {} registers is unknown", instance_type),
                 .help = "describe it in a cluster file, with registeredResources"};
  }
  InstanceProfile profile;
  profile.instance_type = instance_type;
  profile.type = type;
  use_offer(*type, 0, profile);
  profile.reserved_tcp_ports = capacity::default_reserved_tcp_ports(false);
  return profile;
}

void use_price(InstanceProfile& profile, const std::string& region) {
  if (profile.type == nullptr) return;
  if (const auto price = profile.type->price_in(region)) profile.hourly_price = price->hourly;
}

std::optional<Assumption> zone_doubt(const std::string& zone, const std::string& region) {
  if (zone.empty() || region_of_zone(zone) == region || zone.starts_with(region + "-")) return std::nullopt;
  return Assumption{"zone-outside-region", zone,
                    fmt::format("{} is not a zone of {}, whose prices are used", zone, region)};
}

void note_zone(Scenario& scenario, const std::string& zone) {
  if (auto doubt = zone_doubt(zone, scenario.region))
    assume(scenario, std::move(doubt->id), std::move(doubt->subject), std::move(doubt->text));
}

}  // namespace bayplan::placement
