// containerInstances -> profiles and instances; types of the user's own.
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/date_time.hpp"
#include "base/memory_size.hpp"
#include "base/strings.hpp"
#include "capacity/offer.hpp"
#include "catalog/most_hourly.hpp"
#include "placement/model/profiles.hpp"
#include "scenario/arguments.hpp"
#include "scenario/loading.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using catalog::InstanceType;
using text::Value;

namespace {

std::optional<MiB> size_of(const model::StringField& field) {
  return field.known() ? parse_gpu_memory_size(*field) : std::nullopt;
}

void check_size(Sources& sources, const model::StringField& field) {
  if (!field.known() || size_of(field)) return;
  sources.fail(field.node, fmt::format("gpuMemory cannot be '{}'", *field),
               "a size is a number of MiB, or a text such as 14GiB or 24GB");
}

/// EC2 prices have six decimals at most. What the shape of a scenario refuses is none.
std::optional<MicroUsd> micro_usd(Value price) {
  const auto usd = price ? to_number(price.text()) : std::nullopt;
  if (!usd || *usd < 0 || *usd > catalog::kMaxHourly / kMicroUsdPerUsd) return std::nullopt;
  return static_cast<MicroUsd>(*usd * static_cast<double>(kMicroUsdPerUsd) + 0.5);
}

std::vector<std::uint16_t> list_ports(Value list) {
  std::set<std::uint16_t> ports;
  for (const Value port : list.children()) ports.insert(static_cast<std::uint16_t>(port.integer().value_or(0)));
  return {ports.begin(), ports.end()};
}

void read_attributes(const model::ContainerInstanceEntry& entry, InstanceProfile& profile) {
  for (const auto& attribute : entry.attributes) {
    profile.attributes.insert_or_assign(std::string(attribute.name), std::string(attribute.value));
    if (attribute.name.find("ecs.capability.") != std::string_view::npos) profile.has_all_capabilities = false;
  }
  profile.gpu_sharing = entry.gpu_sharing.value.value_or(profile.attributes.contains(kSharingCapability));
  if (profile.gpu_sharing) profile.attributes.emplace(kSharingCapability, "");
}

void use_stated(const model::ContainerInstanceEntry& entry, InstanceProfile& profile) {
  const auto& stated = entry.registered_resources;
  if (stated.cpu) profile.cpu = *stated.cpu;
  if (stated.memory) {
    profile.memory = *stated.memory;
    profile.memory_basis = catalog::MemoryBasis::kStated;
  }
  if (stated.gpu) profile.gpu_count = *stated.gpu;
  if (stated.neuron) profile.neuron_devices = *stated.neuron;
  if (stated.neuron.value.value_or(0) > 0) profile.gpu_count = 0;
  if (stated.gpu.value.value_or(0) > 0) profile.neuron_devices = 0;
  if (const auto memory = size_of(entry.gpu_memory)) {
    profile.gpu_memory = *memory;
    profile.gpu_memory_estimated = false;
  }
  profile.reserved_tcp_ports = capacity::default_reserved_tcp_ports(is_windows(profile));
  if (entry.reserved_ports) profile.reserved_tcp_ports = list_ports(entry.reserved_ports);
  if (entry.reserved_udp_ports) profile.reserved_udp_ports = list_ports(entry.reserved_udp_ports);
}

/// Instances of a type that is newer than the catalog are excluded, which is reported; false if the name is a mistake.
/// A template is not the user's to correct: what it names is never one.
bool leave_out_unknown(Loading& loading, const std::string& name, std::optional<std::int64_t> count) {
  if (!loading.reads_template && !loading.catalog.may_be_newer(name)) return false;
  loading.scenario.findings.push_back(
      {"instance-type-unknown", name,
       fmt::format("the catalog (EC2 data of {}) lacks the type: {} excluded; describe it under instanceTypes",
                   loading.catalog.data_date(),
                   !count        ? "its instances are"
                   : *count == 1 ? "one instance is"
                                 : fmt::format("{} instances are", *count))});
  return true;
}

/// Gives instances of the type their ids, those of `profiles` in turn.
void add_all(Loading& loading, const InstanceProfile& pattern, const std::vector<std::uint32_t>& profiles) {
  // An instance with an id of its own is counted too: the numbers of the others do not depend on ids.
  std::int64_t& number = loading.instances_of_type[pattern.instance_type];
  for (const auto profile : profiles) {
    ++number;
    std::string id = pattern.ec2_instance_id.empty() ? pattern.instance_type + "#" + std::to_string(number)
                                                     : pattern.ec2_instance_id;
    loading.scenario.instances.push_back({std::move(id), profile});
  }
}

/// One entry on the way to what its instances have in common.
class EntryLoader {
 public:
  EntryLoader(Loading& loading, const model::ContainerInstanceEntry& entry) : loading_(loading), entry_(entry) {}

  std::optional<InstanceProfile> pattern() {
    if (!check()) return std::nullopt;
    InstanceProfile profile;
    profile.instance_type = *entry_.instance_type;
    profile.type = loading_.catalog.find(profile.instance_type);
    profile.origin = find_origin(loading_.sources, entry_.node);
    profile.subnet_id = entry_.subnet_id.value.value_or("");
    profile.ec2_instance_id = entry_.ec2_instance_id.value.value_or("");
    profile.capacity_provider_name = entry_.capacity_provider_name.value.value_or("");
    profile.status = status_named(entry_.status.value.value_or(""));
    profile.agent_connected = entry_.agent_connected.value.value_or(true);
    profile.agent_version = entry_.agent_version.value.value_or("");
    if (entry_.registered_at) profile.registered_at = parse_date_time(*entry_.registered_at);
    profile.awsvpc_trunking = entry_.awsvpc_trunking.value.value_or(false);
    profile.is_spot = entry_.instance_lifecycle.value == "spot";
    profile.has_spot_draining = entry_.spot_instance_draining.value.value_or(false);
    read_attributes(entry_, profile);
    profile.network_interfaces = kUnlimitedInterfaces;
    if (profile.type != nullptr) use_offer(*profile.type, entry_.reserved_memory.value.value_or(0), profile);
    use_stated(entry_, profile);
    note_assumptions(profile);
    return profile;
  }

 private:
  bool check() {
    const std::size_t before = faults_;
    check_type();
    if (entry_.availability_zone.present() && entry_.availability_zones.present()) {
      fail(entry_.availability_zones.node, "availabilityZone and availabilityZones are mutually exclusive",
           "keep one of them");
    }
    if (entry_.ec2_instance_id && entry_.count.value.value_or(1) != 1) {
      fail(entry_.ec2_instance_id.node,
           "ec2InstanceId names one instance, and count is " + std::to_string(*entry_.count),
           "write an entry for each instance");
    }
    const auto& stated = entry_.registered_resources;
    if (stated.gpu.value.value_or(0) > 0 && stated.neuron.value.value_or(0) > 0) {
      fail(stated.neuron.node, "GPU and NEURON_DEVICE are mutually exclusive: no instance type has both",
           "keep one of them");
    }
    if (entry_.gpu_memory.known() && !size_of(entry_.gpu_memory)) {
      ++faults_;
      check_size(loading_.sources, entry_.gpu_memory);
    }
    if (entry_.registered_at && !parse_date_time(*entry_.registered_at)) {
      fail(entry_.registered_at.node, fmt::format("registeredAt cannot be '{}'", *entry_.registered_at),
           "for example 2026-11-01T00:00:00Z");
    }
    return faults_ == before;
  }

  /// The catalog knows the type, or the file says all that it would say.
  void check_type() {
    const std::string name(*entry_.instance_type);
    const auto& stated = entry_.registered_resources;
    const auto* type = loading_.catalog.find(name);
    if (type == nullptr && !(stated.cpu && stated.memory)) {
      if (leave_out_unknown(loading_, name, entry_.count.value)) {
        ++faults_;
        return;
      }
      const std::string hint = gives_hints(loading_) ? loading_.catalog.hint_for(name) : std::string();
      fail(entry_.instance_type.node, fmt::format("unknown instance type '{}'", name),
           hint.empty() ? "describe it under instanceTypes, or set registeredResources CPU and MEMORY" : hint);
    }
    if (type != nullptr && type->memory_basis == catalog::MemoryBasis::kUnknown && !stated.memory) {
      fail(entry_.instance_type.node, fmt::format("the memory that a {} registers is unknown", name),
           "set registeredResources MEMORY");
    }
  }

  void fail(Value at, std::string message, std::string help) {
    ++faults_;
    loading_.sources.fail(at, std::move(message), std::move(help));
  }

  void note_assumptions(const InstanceProfile& profile) {
    if (profile.is_spot) {
      assume(loading_.scenario, "spot-at-on-demand-price", profile.instance_type,
             "the Spot price of " + profile.instance_type + " is unknown: its On-Demand price is used");
    }
    if (profile.network_interfaces == kUnlimitedInterfaces) {
      assume(loading_.scenario, "network-interfaces-unknown", profile.instance_type,
             "the network interfaces of " + profile.instance_type + " are unknown and limit no task");
    }
  }

  Loading& loading_;
  const model::ContainerInstanceEntry& entry_;
  std::size_t faults_ = 0;
};

void check_ids(Loading& loading, const model::Cluster& cluster) {
  std::map<std::string_view, Value> seen;
  for (const auto& entry : cluster.container_instances) {
    if (!entry.ec2_instance_id) continue;
    const auto [first, is_new] = seen.try_emplace(*entry.ec2_instance_id, entry.ec2_instance_id.node);
    if (is_new) continue;
    loading.sources.fail(entry.ec2_instance_id.node,
                         fmt::format("duplicate ec2InstanceId '{}'", *entry.ec2_instance_id),
                         fmt::format("first in line {}", find_origin(loading.sources, first->second).line));
  }
}

/// Lists the stated zones, else the zone of the subnet; one without a name when neither is known.
std::vector<std::string> list_zones(Loading& loading, const model::ContainerInstanceEntry& entry,
                                    const InstanceProfile& pattern) {
  std::vector<std::string> zones;
  for (const auto& zone : entry.availability_zones) zones.emplace_back(zone.value.value_or(""));
  if (!zones.empty()) return zones;
  const auto& subnets = loading.scenario.subnets;
  const auto found = subnets.find(pattern.subnet_id);
  const std::string of_subnet = found == subnets.end() ? std::string() : found->second.availability_zone;
  zones.emplace_back(entry.availability_zone.value.value_or(of_subnet));
  return zones;
}

}  // namespace

std::optional<InstanceProfile> pattern_of(Loading& loading, const model::ContainerInstanceEntry& entry) {
  return EntryLoader(loading, entry).pattern();
}

std::uint32_t add_profile(Loading& loading, InstanceProfile pattern, const std::string& zone) {
  Scenario& scenario = loading.scenario;
  note_zone(scenario, zone);
  pattern.availability_zone = zone;
  add_built_in_attributes(pattern);
  use_price(pattern, scenario.region);
  scenario.profiles.push_back(std::move(pattern));
  return static_cast<std::uint32_t>(scenario.profiles.size() - 1);
}

namespace {

/// Instance i goes to zone i modulo the number of zones; one profile a zone.
std::vector<std::uint32_t> deal_to_zones(Loading& loading, const InstanceProfile& pattern,
                                         const std::vector<std::string>& zones, std::int64_t count) {
  const auto first = static_cast<std::uint32_t>(loading.scenario.profiles.size());
  const auto used = std::min(zones.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < used; ++i) add_profile(loading, pattern, zones[i]);
  std::vector<std::uint32_t> profiles;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    profiles.push_back(first + static_cast<std::uint32_t>(i % used));
  return profiles;
}

}  // namespace

std::vector<std::uint32_t> deal(Loading& loading, const model::ContainerInstanceEntry& entry,
                                const InstanceProfile& pattern) {
  const std::int64_t count = entry.count.value.value_or(1);
  if (auto beyond = loading.instances.add(count)) {
    loading.sources.fail_with(entry.count.present() ? entry.count.node : entry.node, *beyond);
  }
  if (loading.instances.is_too_much()) return {};
  const auto zones = list_zones(loading, entry, pattern);
  for (const auto& zone : zones) {
    learn_subnet_zone(loading, pattern.subnet_id, zone, pattern.origin);
    const auto attribute = pattern.attributes.find("ecs.availability-zone");
    if (zone.empty() || attribute == pattern.attributes.end() || attribute->second == zone) continue;
    loading.sources.fail(
        entry.node,
        fmt::format("attribute ecs.availability-zone is '{}', but the instance is in {}", attribute->second, zone),
        "remove the attribute; ECS sets it");
    break;
  }
  return deal_to_zones(loading, pattern, zones, count);
}

void add_own_types(Loading& loading, const model::ScenarioFile& written) {
  std::map<std::string_view, Value> seen;
  for (const auto& own : written.instance_types) {
    const auto [first, is_new] = seen.try_emplace(*own.instance_type, own.instance_type.node);
    if (!is_new) {
      loading.sources.fail(own.instance_type.node, fmt::format("duplicate instanceType '{}'", *own.instance_type),
                           fmt::format("first in line {}", find_origin(loading.sources, first->second).line));
      continue;
    }
    const auto& stated = own.registered_resources;
    if (!stated.cpu || !stated.memory) {
      loading.sources.fail(
          stated.node ? stated.node : own.node,
          fmt::format("{} needs registeredResources {}", *own.instance_type, stated.cpu ? "MEMORY" : "CPU"));
      continue;
    }
    check_size(loading.sources, own.gpu_memory);
    InstanceType type;
    type.name = *own.instance_type;
    type.cpu = *stated.cpu;
    type.vcpus = type.cpu / kUnitsPerVcpu;
    type.memory = *stated.memory;
    type.registered_memory = *stated.memory;
    type.memory_basis = catalog::MemoryBasis::kStated;
    type.memory_basis_text = "stated";
    type.is_own = true;
    if (stated.gpu.value.value_or(0) > 0) {
      type.accelerator_kind = "gpu";
      type.gpu.emplace();
      type.gpu->count = *stated.gpu;
      type.gpu->manufacturer = "NVIDIA";
      type.gpu->memory = size_of(own.gpu_memory).value_or(0);
    }
    if (stated.neuron.value.value_or(0) > 0 && !type.gpu) {
      type.accelerator_kind = "neuron";
      type.neuron = {.devices = *stated.neuron, .assigned = true};
    }
    // One interface is the instance's own (ECS developer guide, container-instance-eni).
    type.max_enis = own.max_network_interfaces.value.value_or(0);
    type.eni_task_limit = std::max<std::int64_t>(0, type.max_enis - 1);
    if (const auto price = micro_usd(own.hourly_price)) type.prices.set(loading.scenario.region, {*price, {}, {}});
    type.regions = catalog::Regions({loading.scenario.region});
    loading.catalog.add(std::move(type));
  }
}

void add_subnets(Loading& loading, const model::ScenarioFile& written) {
  if (!written.subnets) return;
  for (const Value subnet : written.subnets.children()) {
    const auto stated = model::bind_subnet(subnet, loading.placeholders);
    if (!stated.availability_zone.known()) continue;  // refused by the schema, or not known before it is filled in
    loading.scenario.subnets.try_emplace(
        std::string(subnet.key()),
        Subnet{std::string(*stated.availability_zone), stated.available_ip_address_count.value,
               find_origin(loading.sources, stated.availability_zone.node)});
  }
}

void learn_subnet_zone(Loading& loading, const std::string& subnet, const std::string& zone, const Origin& origin) {
  if (subnet.empty() || zone.empty()) return;
  const Subnet& known = loading.scenario.subnets.try_emplace(subnet, Subnet{zone, {}, origin}).first->second;
  if (known.availability_zone == zone) return;
  loading.sources.fail(
      Error{fmt::format("subnet {} is in {} here and in {} elsewhere", subnet, zone, known.availability_zone),
            origin.file, origin.line, origin.column,
            fmt::format("see {}, line {}; a subnet is in one zone", known.origin.file, known.origin.line)});
}

void add_instances(Loading& loading, const model::Cluster& cluster) {
  loading.scenario.cluster_name = cluster.cluster_name.value.value_or("");
  check_ids(loading, cluster);
  loading.written_default = cluster.default_strategy;
  for (const auto& entry : cluster.container_instances) {
    if (!entry.instance_type) continue;
    if (const auto pattern = pattern_of(loading, entry)) add_all(loading, *pattern, deal(loading, entry, *pattern));
  }
}

void add_instances(Loading& loading, std::string_view instances_argument) {
  const auto argument = parse_instances_argument(instances_argument);
  if (!argument) return loading.sources.fail(argument.error());
  if (auto beyond = loading.instances.add(argument->count)) {
    beyond->message = fmt::format("--instances '{}': {}", instances_argument, beyond->message);
    loading.sources.fail(std::move(*beyond));
  }
  if (loading.instances.is_too_much()) return;
  if (loading.catalog.find(argument->instance_type) == nullptr &&
      leave_out_unknown(loading, argument->instance_type, argument->count))
    return;
  auto profile = profile_of_type(loading.catalog, argument->instance_type);
  if (!profile) return loading.sources.fail(profile.error());
  use_argument(*argument, *profile);
  auto zones = argument->availability_zones;
  if (zones.empty()) zones.emplace_back();
  add_all(loading, *profile, deal_to_zones(loading, *profile, zones, argument->count));
}

}  // namespace bayplan::scenario
