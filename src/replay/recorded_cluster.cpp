#include "replay/recorded_cluster.hpp"

#include <algorithm>
#include <utility>

#include "base/strings.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::replay {
namespace {

void remove_ports(std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& gone) {
  for (const auto port : gone) {
    const auto found = std::lower_bound(taken.begin(), taken.end(), port);
    if (found != taken.end() && *found == port) taken.erase(found);
  }
}

std::vector<GroupTasks>::iterator entry_of(std::vector<GroupTasks>& tasks, std::uint32_t group) {
  return std::find_if(tasks.begin(), tasks.end(), [group](const GroupTasks& own) { return own.group >= group; });
}

void dedicate(GpuDevice& device) {
  device.state = GpuState::kDedicated;
  device.remaining_memory = 0;
  device.remaining_fraction_millionths = 0;
}

}  // namespace

RecordedCluster::RecordedCluster(Scenario scenario, const catalog::Catalog& catalog)
    : scenario_(std::move(scenario)), catalog_(catalog), checks_(scenario_) {
  for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
    states_.push_back(starting_state(scenario_, i, groups_));
    rooms_.push_back(compute_room(states_.back()));
    base_profile_.push_back(scenario_.instances[i].profile);
    by_arn_.emplace(profile(i).arn, i);
    by_ec2_id_.emplace(scenario_.instances[i].id, i);
  }
  for (std::uint32_t i = 0; i < scenario_.task_definitions.size(); ++i)
    by_definition_.emplace(scenario_.task_definitions[i].name, i);
}

std::optional<std::uint32_t> RecordedCluster::find(std::string_view arn) const {
  const auto found = by_arn_.find(arn);
  return found == by_arn_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> RecordedCluster::find_ec2(std::string_view id) const {
  const auto found = by_ec2_id_.find(id);
  return found == by_ec2_id_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t RecordedCluster::add_profile(InstanceProfile profile) {
  const auto index = static_cast<std::uint32_t>(scenario_.profiles.size());
  scenario_.profiles.push_back(std::move(profile));
  checks_.follow();
  return index;
}

std::uint32_t RecordedCluster::add_instance(InstanceProfile profile) {
  const auto index = static_cast<std::uint32_t>(scenario_.instances.size());
  by_arn_.emplace(profile.arn, index);
  const std::string& ec2 = profile.ec2_instance_id;
  std::string id = ec2.empty() ? profile.arn.substr(profile.arn.rfind('/') + 1) : ec2;
  by_ec2_id_.emplace(id, index);
  const std::uint32_t added = add_profile(std::move(profile));
  scenario_.instances.push_back({std::move(id), added});
  base_profile_.push_back(added);
  states_.push_back(empty_instance(scenario_.profiles[added]));
  rooms_.push_back(compute_room(states_.back()));
  ++changes_;
  return index;
}

void RecordedCluster::set_profile(std::uint32_t instance, InstanceProfile described) {
  const InstanceProfile& old = profile(instance);
  auto& state = states_[instance];
  state.cpu += described.cpu - old.cpu;
  state.memory += described.memory - old.memory;
  if (described.gpu_ids.size() != state.gpus.size()) state.gpus = gpu_devices(described);
  if (described.capacity_provider_name.empty()) described.capacity_provider_name = old.capacity_provider_name;
  const std::uint32_t added = add_profile(std::move(described));
  scenario_.instances[instance].profile = added;
  base_profile_[instance] = added;
  update_room(instance);
  ++changes_;
}

void RecordedCluster::set_state(std::uint32_t instance, InstanceStatus status, bool agent_connected) {
  const auto& now = profile(instance);
  if (now.status == status && now.agent_connected == agent_connected) return;
  const auto [variant, is_new] = state_variants_.try_emplace({base_profile_[instance], status, agent_connected}, 0);
  if (is_new) {
    InstanceProfile changed = scenario_.profiles[base_profile_[instance]];
    changed.status = status;
    changed.agent_connected = agent_connected;
    variant->second = add_profile(std::move(changed));
  }
  scenario_.instances[instance].profile = variant->second;
}

void RecordedCluster::set_provider(std::uint32_t instance, const std::string& provider) {
  if (!profile(instance).capacity_provider_name.empty()) return;
  for (const std::uint32_t index : {scenario_.instances[instance].profile, base_profile_[instance]})
    scenario_.profiles[index].capacity_provider_name = provider;
}

std::uint32_t RecordedCluster::add_definition(TaskDefinition definition) {
  const auto index = static_cast<std::uint32_t>(scenario_.task_definitions.size());
  by_definition_.emplace(definition.name, index);
  scenario_.task_definitions.push_back(std::move(definition));
  return index;
}

std::optional<std::uint32_t> RecordedCluster::definition_named(std::string_view name) const {
  const auto found = by_definition_.find(name);
  return found == by_definition_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t RecordedCluster::add_class(Workload workload) {
  auto& added = classes_.emplace_back();
  added.what.group = groups_.number(workload.group);
  added.what.strategies = effective_strategies(workload, TieOrder::kFile);
  added.what.workload = std::move(workload);
  added.filter.emplace(scenario_, groups_, added.what.workload, added.what.group, checks_);
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

std::vector<std::uint32_t> RecordedCluster::take(std::uint32_t instance, const HeldResources& held,
                                                 const std::vector<std::string>& gpu_ids) {
  auto& state = states_[instance];
  const auto& task = held.requirement;
  state.cpu -= task.cpu;
  state.memory -= task.memory;
  state.network_interfaces -= task.network_interfaces;
  state.ebs_attachments -= task.ebs_volumes;
  add_ports(state.tcp_ports, task.tcp_ports);
  add_ports(state.udp_ports, task.udp_ports);
  ++state.tasks;
  enter_group(instance, held.group);
  std::vector<std::uint32_t> devices;
  const auto& known = profile(instance).gpu_ids;
  const bool takes_whole =
      task.gpu_form == capacity::GpuForm::kCount || task.gpu_form == capacity::GpuForm::kAll || task.wants_neuron();
  if (takes_whole && !gpu_ids.empty()) {
    for (std::uint32_t i = 0; i < known.size() && i < state.gpus.size(); ++i) {
      if (std::find(gpu_ids.begin(), gpu_ids.end(), known[i]) == gpu_ids.end()) continue;
      dedicate(state.gpus[i]);
      devices.push_back(i);
    }
  } else if (task.wants_devices() && gpus_fit(state.gpus, task)) {
    devices = list_devices(task, take_gpus(state.gpus, task));
  }
  update_room(instance);
  return devices;
}

void RecordedCluster::enter_group(std::uint32_t instance, std::uint32_t group) {
  auto& tasks = states_[instance].tasks_by_group;
  auto entry = entry_of(tasks, group);
  if (entry == tasks.end() || entry->group != group) entry = tasks.insert(entry, {group, 0});
  ++entry->tasks;
}

void RecordedCluster::leave_group(std::uint32_t instance, std::uint32_t group) {
  auto& tasks = states_[instance].tasks_by_group;
  const auto entry = entry_of(tasks, group);
  if (entry == tasks.end() || entry->group != group) return;
  if (--entry->tasks == 0) tasks.erase(entry);
}

void RecordedCluster::release(std::uint32_t instance, const HeldResources& held,
                              const std::vector<std::uint32_t>& gpus) {
  auto& state = states_[instance];
  const auto& own = profile(instance);
  const auto& task = held.requirement;
  state.cpu = std::min(own.cpu, state.cpu + task.cpu);
  state.memory = std::min(own.memory, state.memory + task.memory);
  state.network_interfaces = std::min(own.network_interfaces, state.network_interfaces + task.network_interfaces);
  state.ebs_attachments = std::min(own.ebs_attachments, state.ebs_attachments + task.ebs_volumes);
  remove_ports(state.tcp_ports, task.tcp_ports);
  remove_ports(state.udp_ports, task.udp_ports);
  state.tasks = std::max<std::int64_t>(0, state.tasks - 1);
  if (!gpus.empty() && gpus.back() < state.gpus.size()) give_back_gpus(state.gpus, task, gpus);
  update_room(instance);
}

void RecordedCluster::set_remaining(std::uint32_t instance, const RemainingResources& remaining) {
  auto& state = states_[instance];
  state.cpu = remaining.cpu;
  state.memory = remaining.memory;
  state.tcp_ports = remaining.tcp_ports;
  state.udp_ports = remaining.udp_ports;
  const auto& known = profile(instance).gpu_ids;
  for (std::size_t i = 0; i < known.size() && i < state.gpus.size(); ++i) {
    const auto& free = remaining.free_gpus;
    const bool is_free = std::find(free.begin(), free.end(), known[i]) != free.end();
    // A GPU that tasks share is not in the list either: what was computed for it stays.
    GpuDevice& device = state.gpus[i];
    if (is_free) {
      device.state = GpuState::kIdle;
      device.remaining_memory = device.memory;
      device.remaining_fraction_millionths = device.fraction_millionths;
    } else if (device.state == GpuState::kIdle) {
      dedicate(device);
    }
  }
  update_room(instance);
}

void RecordedCluster::restore(std::uint32_t instance, const InstanceState& state) {
  states_[instance] = state;
  update_room(instance);
}

std::vector<std::string> gpu_ids_in(std::string_view text) {
  std::vector<std::string> ids;
  for (const auto part : split(text, ',')) {
    if (!part.empty()) ids.emplace_back(part);
  }
  return ids;
}

RecordedCluster::AttributeValues& RecordedCluster::values(std::string_view attribute) {
  auto& known = values_[std::string(attribute)];
  if (known.made_at == changes_) return known;
  known.made_at = changes_;
  known.of_instance.clear();
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const auto& attributes = profile(i).attributes;
    const auto found = attributes.find(attribute);
    std::string key = found == attributes.end() ? std::string(1, '\0') : "=" + found->second;
    known.of_instance.push_back(
        known.numbers.try_emplace(std::move(key), static_cast<std::uint32_t>(known.numbers.size())).first->second);
  }
  return known;
}

const std::vector<std::uint32_t>& RecordedCluster::values_of(std::string_view attribute) {
  return values(attribute).of_instance;
}

std::size_t RecordedCluster::value_count(std::string_view attribute) {
  return values(attribute).numbers.size();
}

}  // namespace bayplan::replay
