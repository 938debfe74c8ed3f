#include "fleet/offers/instance_configurations.hpp"

#include <algorithm>

namespace bayplan::fleet {

using placement::InstanceProfile;
using placement::Scenario;

namespace {

constexpr std::string_view kZone = "ecs.availability-zone";
constexpr std::string_view kSubnet = "ecs.subnet-id";
constexpr std::string_view kTrunk = "ecs.awsvpc-trunk-id";

/// Texts in a row, each with its length.
class Key {
 public:
  Key& add(std::string_view text) {
    text_ += std::to_string(text.size());
    text_ += ':';
    text_ += text;
    return *this;
  }
  Key& add(std::int64_t number) { return add(std::to_string(number)); }
  Key& add(const std::vector<std::uint16_t>& ports) {
    add(static_cast<std::int64_t>(ports.size()));
    for (const auto port : ports) add(std::int64_t{port});
    return *this;
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_mentions(const placement::Constraint& constraint, ReferencedProperties& referenced) {
  if (constraint.expression == nullptr) return;
  for (const auto& predicate : constraint.expression->predicates()) {
    switch (predicate.subject) {
      case query::Subject::kAttribute:
        referenced.attributes.insert(predicate.attribute);
        break;
      case query::Subject::kEc2InstanceId:
        referenced.ec2_instance_id = true;
        break;
      case query::Subject::kAgentVersion:
        referenced.agent_version = true;
        break;
      case query::Subject::kRegisteredAt:
        referenced.registered_at = true;
        break;
      case query::Subject::kAgentConnected:
      case query::Subject::kRunningTasksCount:
      case query::Subject::kTaskGroup:
        break;
    }
  }
}

/// What agents register of themselves and the requirements of tasks ask for.
bool is_always_looked_at(std::string_view attribute) {
  return attribute.find("ecs.capability.") != std::string_view::npos || attribute == "ecs.instance-type" ||
         attribute == "ecs.cpu-architecture" || attribute == "ecs.os-type" || attribute == "ecs.os-family";
}

void forget_instance(InstanceProfile& profile, const ReferencedProperties& referenced) {
  profile.ec2_instance_id.clear();
  profile.arn.clear();
  profile.gpu_ids.clear();
  profile.registered_at.reset();
  if (!referenced.agent_version) profile.agent_version.clear();
  profile.status = placement::InstanceStatus::kActive;
  profile.agent_connected = true;
  profile.origin = {};
}

void forget_place(InstanceProfile& profile) {
  profile.availability_zone.clear();
  profile.subnet_id.clear();
  profile.attributes.erase(std::string(kZone));
  profile.attributes.erase(std::string(kSubnet));
  profile.attributes.erase(std::string(kTrunk));
}

/// An Auto Scaling group launches the type: it determines how more instances of the type are configured.
bool has_group(const Scenario& scenario, const std::string& capacity_provider, const std::string& instance_type) {
  const auto& groups = scenario.timetable.groups;
  return !capacity_provider.empty() && std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.capacity_provider == capacity_provider &&
           std::any_of(group.types.begin(), group.types.end(), [&](const auto& type) {
             return scenario.profiles[type.profiles.front()].instance_type == instance_type;
           });
  });
}

/// Keeps only the attributes that both profiles have.
void keep_common(InstanceProfile& profile, const InstanceProfile& other) {
  std::erase_if(profile.attributes, [&](const auto& attribute) {
    const auto found = other.attributes.find(attribute.first);
    return found == other.attributes.end() || found->second != attribute.second;
  });
  if (profile.subnet_id != other.subnet_id) profile.subnet_id.clear();
}

std::string key_of(const InstanceProfile& profile, const ReferencedProperties& referenced) {
  Key key;
  key.add(profile.instance_type).add(profile.availability_zone).add(profile.ec2_instance_id);
  key.add(profile.registered_at.value_or(-1)).add(profile.agent_version).add(profile.capacity_provider_name);
  for (const auto& [name, value] : profile.attributes) {
    if (is_always_looked_at(name) || referenced.attributes.contains(name)) key.add(name).add(value);
  }
  key.add("|").add(profile.has_all_capabilities ? 1 : 0);
  key.add(profile.awsvpc_trunking ? 1 : 0).add(profile.gpu_sharing ? 1 : 0);
  key.add(profile.cpu).add(profile.memory).add(profile.gpu_count).add(profile.gpu_fraction_millionths);
  key.add(profile.gpu_memory).add(profile.neuron_devices).add(profile.network_interfaces);
  key.add(profile.ebs_attachments).add(profile.interfaces_take_attachments ? 1 : 0);
  key.add(profile.reserved_tcp_ports).add(profile.reserved_udp_ports);
  return key.take();
}

std::string key_of_use(const Scenario& scenario, std::uint32_t instance) {
  Key key;
  const auto* taken = scenario.use_of(instance);
  const placement::InstanceUse none;
  const placement::InstanceUse& use = taken == nullptr ? none : *taken;
  key.add(use.cpu).add(use.memory).add(use.network_interfaces).add(use.ebs_volumes).add(use.tasks);
  key.add(use.tcp_ports).add(use.udp_ports);
  for (const auto& gpu : use.gpus) key.add(gpu.dedicated ? 1 : 0).add(gpu.shared_memory).add(gpu.share_millionths);
  std::vector<std::string_view> groups;
  for (const auto& task : scenario.running_on(instance)) {
    if (!task.stopping) groups.push_back(task.group);
  }
  std::sort(groups.begin(), groups.end());
  key.add("|");
  for (const auto group : groups) key.add(group);
  return key.take();
}

}  // namespace

ReferencedProperties find_referenced_properties(const Scenario& scenario) {
  ReferencedProperties referenced;
  for (const auto& workload : scenario.workloads) {
    for (const auto& constraint : workload.constraints) add_mentions(constraint, referenced);
    for (const auto& strategy : workload.strategies) {
      if (!strategy.attribute().empty()) referenced.attributes.emplace(strategy.attribute());
    }
  }
  return referenced;
}

InstanceConfigurations find_configurations(const Scenario& scenario) {
  const ReferencedProperties referenced = find_referenced_properties(scenario);
  InstanceConfigurations found;
  std::map<std::string, std::size_t> to_buy_positions;
  const auto add_to_buy = [&](InstanceProfile pattern) {
    if (pattern.instance_type.empty()) return;
    auto& of_type = found.to_buy[pattern.instance_type];
    const auto [position, is_new] = to_buy_positions.try_emplace(key_of(pattern, referenced), of_type.size());
    if (is_new) {
      of_type.push_back(std::move(pattern));
    } else {
      keep_common(of_type[position->second], pattern);
    }
  };

  std::set<std::uint32_t> seen;
  for (const auto& instance : scenario.instances) {
    const InstanceProfile& profile = scenario.profiles[instance.profile];
    if (!seen.insert(instance.profile).second) continue;
    if (has_group(scenario, profile.capacity_provider_name, profile.instance_type)) continue;
    InstanceProfile pattern = profile;
    forget_instance(pattern, referenced);
    forget_place(pattern);
    add_to_buy(std::move(pattern));
  }

  std::set<std::string> zones;
  for (const auto& profile : scenario.profiles) {
    if (!profile.availability_zone.empty()) zones.insert(profile.availability_zone);
  }
  for (const auto& group : scenario.timetable.groups) {
    const auto& own = group.availability_zones;
    const bool is_anywhere = std::all_of(zones.begin(), zones.end(), [&](const auto& zone) {
      return std::find(own.begin(), own.end(), zone) != own.end();
    });
    for (const auto& type : group.types) {
      for (const auto index : type.profiles) {
        InstanceProfile pattern = scenario.profiles[index];
        forget_instance(pattern, referenced);
        if (is_anywhere || pattern.availability_zone.empty()) forget_place(pattern);
        add_to_buy(std::move(pattern));
      }
    }
  }

  // Existing instances are alike only if what runs on them is. They keep what constraints can distinguish them by.
  std::map<std::string, std::size_t> standing_positions;
  for (std::uint32_t instance = 0; instance < scenario.instances.size(); ++instance) {
    const InstanceProfile& profile = scenario.profiles[scenario.instances[instance].profile];
    if (profile.status != placement::InstanceStatus::kActive || !profile.agent_connected) continue;
    InstanceProfile pattern = profile;
    forget_instance(pattern, referenced);
    if (referenced.ec2_instance_id) pattern.ec2_instance_id = profile.ec2_instance_id;
    if (referenced.registered_at) pattern.registered_at = profile.registered_at;
    auto& of_type = found.standing[pattern.instance_type];
    const auto [position, is_new] =
        standing_positions.try_emplace(key_of(pattern, referenced) + key_of_use(scenario, instance), of_type.size());
    if (is_new) {
      of_type.push_back({std::move(pattern), {instance}});
    } else {
      keep_common(of_type[position->second].profile, pattern);
      of_type[position->second].instances.push_back(instance);
    }
  }
  return found;
}

}  // namespace bayplan::fleet
