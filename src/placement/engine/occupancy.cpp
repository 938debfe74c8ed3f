#include "placement/engine/occupancy.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace bayplan::placement {

TaskClasses::TaskClasses(const Scenario& scenario) {
  first_.reserve(scenario.workloads.size());
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& providers = scenario.workloads[i].capacity_providers;
    first_.push_back(static_cast<std::uint32_t>(workloads_.size()));
    workloads_.insert(workloads_.end(), std::max<std::size_t>(1, providers.size()), i);
    for (const auto& share : providers) providers_.push_back(share.capacity_provider);
    if (providers.empty()) providers_.emplace_back();
  }
}

Occupancy::Occupancy(const Scenario& scenario)
    : scenario_(scenario),
      classes_(scenario),
      history_(scenario.instances.size()),
      standing_(scenario.instances.size()) {
  for (const auto& instance : scenario.instances) profiles_.push_back(instance.profile);
  states_.reserve(scenario.instances.size());
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    states_.push_back(starting_state(scenario, i, groups_));
  }
  for (const auto& workload : scenario.workloads) group_of_.push_back(groups_.number(workload.group));
  tasks_of_group_.resize(groups_.size());
  instances_of_group_.resize(groups_.size());
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i)
    instances_of_group_[group_of_[i]].is_complete = scenario.workloads[i].kind == WorkloadKind::kService;
  rooms_.reserve(states_.size());
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    rooms_.push_back(compute_room(states_[i]));
    for (const auto& own : states_[i].tasks_by_group) {
      tasks_of_group_[own.group] += own.tasks;
      list_instance(own.group, i);
    }
  }
}

std::vector<ContainerGpus> Occupancy::take(std::uint32_t workload, std::uint32_t instance) {
  const std::uint32_t group = group_of_[workload];
  const auto& task = scenario_.workloads[workload].requirement;
  auto gpus = placement::take(states_[instance], task, group);
  const bool takes_ports = !task.tcp_ports.empty() || !task.udp_ports.empty();
  const Room& room = update_room(instance, task.wants_gpu());
  history_.add({instance, group, 1, takes_ports, false, false, room});
  ++tasks_of_group_[group];
  list_instance(group, instance);
  return gpus;
}

void Occupancy::give_back(std::uint32_t workload, std::uint32_t instance, const std::vector<ContainerGpus>& gpus) {
  const auto& task = scenario_.workloads[workload].requirement;
  give_back(instance, task, group_of_[workload], list_devices(task, gpus));
}

void Occupancy::give_back(std::uint32_t instance, const capacity::TaskRequirement& task, std::uint32_t group,
                          const std::vector<std::uint32_t>& gpus) {
  auto& state = states_[instance];
  if (group != kNoGroup) drop_from(group, instance);
  placement::give_back(state, scenario_.profiles[scenario_.instances[instance].profile], task, gpus);
  const std::int32_t change = group == kNoGroup ? 0 : -1;
  const Room& room = update_room(instance, task.wants_gpu() || !gpus.empty());
  history_.add({instance, group, change, false, true, false, room});
}

void Occupancy::leave_group(std::uint32_t instance, std::uint32_t group) {
  drop_from(group, instance);
  history_.add({instance, group, -1, false, true, false, rooms_[instance]});
}

void Occupancy::drop_from(std::uint32_t group, std::uint32_t instance) {
  placement::leave_group(states_[instance], group);
  --tasks_of_group_[group];
  list_instance(group, instance);
}

std::optional<std::span<const std::uint32_t>> Occupancy::list_instances_of(std::uint32_t group) const {
  const auto& list = instances_of_group_[group];
  if (!list.is_complete) return std::nullopt;
  return list.instances;
}

/// The instance is in the list of the group if it has tasks of it. A list that becomes long is given up.
void Occupancy::list_instance(std::uint32_t group, std::uint32_t instance) {
  constexpr std::size_t kMost = 16;
  auto& list = instances_of_group_[group];
  if (!list.is_complete) return;
  const auto place = std::find(list.instances.begin(), list.instances.end(), instance);
  const bool has_tasks = states_[instance].tasks_of(group) > 0;
  if (has_tasks == (place != list.instances.end())) return;
  if (!has_tasks) {
    *place = list.instances.back();
    list.instances.pop_back();
  } else if (list.instances.size() < kMost) {
    list.instances.push_back(instance);
  } else {
    list = {};
  }
}

void Occupancy::add_instances() {
  for (auto i = static_cast<std::uint32_t>(states_.size()); i < scenario_.instances.size(); ++i) {
    profiles_.push_back(scenario_.instances[i].profile);
    states_.push_back(empty_instance(scenario_.profiles[profiles_[i]]));
    rooms_.push_back(compute_room(states_[i]));
    ++standing_;
    note_change(i);
  }
}

void Occupancy::change_profile(std::uint32_t instance) {
  assert(!is_gone(instance));
  profiles_[instance] = scenario_.instances[instance].profile;
  note_change(instance);
}

void Occupancy::remove_instance(std::uint32_t instance) {
  assert(!is_gone(instance));
  auto& state = states_[instance];
  while (!state.tasks_by_group.empty()) leave_group(instance, state.tasks_by_group.front().group);
  state = empty_instance(scenario_.profiles[profiles_[instance]]);
  rooms_[instance] = compute_room(state);
  profiles_[instance] = kGone;
  --standing_;
  note_change(instance);
}

void Occupancy::restore(std::uint32_t instance, InstanceState state) {
  std::swap(states_[instance], state);
  rooms_[instance] = compute_room(states_[instance]);
  for (const auto& own : state.tasks_by_group) count_group(instance, own.group, -static_cast<std::int32_t>(own.tasks));
  for (const auto& own : states_[instance].tasks_by_group)
    count_group(instance, own.group, static_cast<std::int32_t>(own.tasks));
  if (is_gone(instance)) ++standing_;
  const std::uint32_t profile = scenario_.instances[instance].profile;
  if (profiles_[instance] != profile) ++changes_;
  profiles_[instance] = profile;
  history_.add({instance, kNoGroup, 0, false, true, true, rooms_[instance]});
}

void Occupancy::count_group(std::uint32_t instance, std::uint32_t group, std::int32_t tasks) {
  tasks_of_group_[group] += tasks;
  list_instance(group, instance);
  history_.add({instance, group, tasks, false, false, false, rooms_[instance]});
}

void Occupancy::note_change(std::uint32_t instance) {
  ++changes_;
  history_.add({instance, kNoGroup, 0, false, true, true, rooms_[instance]});
}

std::vector<std::uint32_t> Occupancy::standing() const {
  std::vector<std::uint32_t> instances;
  instances.reserve(standing_);
  for (std::uint32_t i = 0; i < profiles_.size(); ++i) {
    if (!is_gone(i)) instances.push_back(i);
  }
  return instances;
}

const Room& Occupancy::update_room(std::uint32_t instance, bool gpus_changed) {
  const auto& state = states_[instance];
  auto& room = rooms_[instance];
  room.cpu = state.cpu;
  room.memory = state.memory;
  room.network_interfaces = room_count(state.network_interfaces);
  room.ebs_attachments = room_count(state.ebs_attachments);
  room.shared_attachments = room_count(shared_attachments(state));
  if (gpus_changed) room.whole_gpus = room_count(idle_whole_gpus(state.gpus));
  return room;
}

}  // namespace bayplan::placement
