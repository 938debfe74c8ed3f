#include "placement/occupancy.hpp"

#include <utility>

namespace bayplan::placement {

Occupancy::Occupancy(const Scenario& scenario) : scenario_(scenario), classes_(scenario) {
  states_.reserve(scenario.instances.size());
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    states_.push_back(starting_state(scenario, i, groups_));
  }
  for (const auto& workload : scenario.workloads) group_of_.push_back(groups_.number(workload.group));
  tasks_of_group_.resize(groups_.size());
  rooms_.reserve(states_.size());
  for (const auto& state : states_) {
    rooms_.push_back(room_of(state));
    for (const auto& own : state.tasks_by_group) tasks_of_group_[own.group] += own.tasks;
  }
}

std::vector<ContainerGpus> Occupancy::take(std::uint32_t workload, std::uint32_t instance) {
  const std::uint32_t group = group_of_[workload];
  const auto& task = scenario_.workloads[workload].requirement;
  auto gpus = placement::take(states_[instance], task, group);
  const bool takes_ports = !task.tcp_ports.empty() || !task.udp_ports.empty();
  history_.push_back({instance, group, takes_ports, update_room(instance, task.wants_gpu())});
  ++tasks_of_group_[group];
  return gpus;
}

void Occupancy::undo(InstanceState before) {
  const Touch last = history_.back();
  history_.pop_back();
  states_[last.instance] = std::move(before);
  rooms_[last.instance] = room_of(states_[last.instance]);
  --tasks_of_group_[last.group];
}

const Room& Occupancy::update_room(std::uint32_t instance, bool gpus_changed) {
  const auto& state = states_[instance];
  auto& room = rooms_[instance];
  room.cpu = state.cpu;
  room.memory = state.memory;
  room.network_interfaces = state.network_interfaces;
  if (gpus_changed) room.whole_gpus = idle_whole_gpus(state.gpus);
  return room;
}

}  // namespace bayplan::placement
