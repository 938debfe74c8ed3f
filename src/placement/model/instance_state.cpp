#include "placement/model/instance_state.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace bayplan::placement {
namespace {

using capacity::TaskRequirement;
using Ports = std::vector<std::uint16_t>;

bool overlap(const Ports& taken, const Ports& wanted) {
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](std::uint16_t port) { return std::binary_search(taken.begin(), taken.end(), port); });
}

Ports common(const Ports& taken, const Ports& wanted) {
  Ports both;
  std::set_intersection(taken.begin(), taken.end(), wanted.begin(), wanted.end(), std::back_inserter(both));
  return both;
}

std::int64_t ports_with(const InstanceState& state, const TaskRequirement& task) {
  return static_cast<std::int64_t>(state.tcp_ports.size() + state.udp_ports.size() + task.tcp_ports.size() +
                                   task.udp_ports.size());
}

void remove_ports(Ports& taken, const Ports& gone) {
  for (const auto port : gone) {
    const auto found = std::lower_bound(taken.begin(), taken.end(), port);
    if (found != taken.end() && *found == port) taken.erase(found);
  }
}

bool wants_ports(const TaskRequirement& task) {
  return !task.tcp_ports.empty() || !task.udp_ports.empty();
}

using OwnTasks = std::vector<GroupTasks>;

/// Position of the group, or where it would be inserted.
OwnTasks::iterator entry_of(OwnTasks& tasks, std::uint32_t group) {
  return std::find_if(tasks.begin(), tasks.end(), [group](const GroupTasks& own) { return own.group >= group; });
}

void enter_group(InstanceState& state, std::uint32_t group) {
  constexpr std::size_t kUsual = 8;  // tasks on an instance
  if (state.tasks_by_group.capacity() == 0) state.tasks_by_group.reserve(kUsual);
  auto entry = entry_of(state.tasks_by_group, group);
  if (entry == state.tasks_by_group.end() || entry->group != group)
    entry = state.tasks_by_group.insert(entry, {group, 0});
  ++entry->tasks;
}

}  // namespace

void add_ports(std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& wanted) {
  const auto middle = static_cast<std::ptrdiff_t>(taken.size());
  taken.insert(taken.end(), wanted.begin(), wanted.end());
  std::inplace_merge(taken.begin(), taken.begin() + middle, taken.end());
}

std::int64_t InstanceState::tasks_of(std::uint32_t group) const {
  for (const auto& [number, count] : tasks_by_group) {
    if (number == group) return count;
  }
  return 0;
}

InstanceState empty_instance(const InstanceProfile& profile) {
  InstanceState state;
  state.cpu = profile.cpu;
  state.memory = profile.memory;
  state.network_interfaces = profile.network_interfaces;
  state.ebs_attachments = profile.ebs_attachments;
  if (profile.interfaces_take_attachments) state.interfaces_in_attachments = profile.network_interfaces;
  state.tcp_ports = profile.reserved_tcp_ports;
  state.udp_ports = profile.reserved_udp_ports;
  state.gpus = gpu_devices(profile);
  return state;
}

Room compute_room(const InstanceState& state) {
  return {state.cpu,
          state.memory,
          room_count(state.network_interfaces),
          room_count(idle_whole_gpus(state.gpus)),
          room_count(state.ebs_attachments),
          room_count(shared_attachments(state))};
}

bool ports_fit(const InstanceState& state, const TaskRequirement& task) {
  if (!wants_ports(task)) return true;
  return !overlap(state.tcp_ports, task.tcp_ports) && !overlap(state.udp_ports, task.udp_ports) &&
         ports_with(state, task) <= kReservedPortLimit;
}

CheckSet failing_resources(const InstanceState& state, const TaskRequirement& task) {
  CheckSet failed;
  if (task.cpu > 0 && task.cpu > state.cpu) failed.add(Check::kCpu);
  if (task.memory > 0 && task.memory > state.memory) failed.add(Check::kMemory);
  if (!ports_fit(state, task)) failed.add(Check::kPorts);
  if (!gpus_fit(state.gpus, task)) failed.add(task.wants_neuron() ? Check::kNeuronDevice : Check::kGpu);
  if (task.network_interfaces > 0 && task.network_interfaces > state.network_interfaces) {
    failed.add(Check::kNetworkInterface);
  }
  if (!attachments_fit(state, task)) failed.add(Check::kEbsAttachment);
  return failed;
}

void check_resources(const InstanceState& state, const TaskRequirement& task, CheckSet& failed, Shortfall& shortfall) {
  const CheckSet own = failing_resources(state, task);
  failed.add(own);
  if (own.has(Check::kCpu)) shortfall.cpu = task.cpu - state.cpu;
  if (own.has(Check::kMemory)) shortfall.memory = task.memory - state.memory;
  if (own.has(Check::kPorts)) {
    shortfall.tcp_ports = common(state.tcp_ports, task.tcp_ports);
    shortfall.udp_ports = common(state.udp_ports, task.udp_ports);
    shortfall.ports_over_limit = std::max<std::int64_t>(0, ports_with(state, task) - kReservedPortLimit);
  }
  if (own.has(Check::kGpu) || own.has(Check::kNeuronDevice)) add_gpu_shortfall(state.gpus, task, shortfall);
  if (own.has(Check::kNetworkInterface)) {
    shortfall.network_interfaces = task.network_interfaces - state.network_interfaces;
  }
  if (own.has(Check::kEbsAttachment)) shortfall.ebs_attachments = missing_attachments(state, task);
}

std::int64_t missing_attachments(const InstanceState& state, const TaskRequirement& task) {
  return std::max(task.ebs_volumes - state.ebs_attachments,
                  task.ebs_volumes + task.network_interfaces - shared_attachments(state));
}

std::vector<ContainerGpus> take(InstanceState& state, const TaskRequirement& task, std::uint32_t group) {
  assert(resources_fit(state, task));
  state.cpu -= task.cpu;
  state.memory -= task.memory;
  state.network_interfaces -= task.network_interfaces;
  state.ebs_attachments -= task.ebs_volumes;
  add_ports(state.tcp_ports, task.tcp_ports);
  add_ports(state.udp_ports, task.udp_ports);
  ++state.tasks;
  enter_group(state, group);
  return take_gpus(state.gpus, task);
}

void leave_group(InstanceState& state, std::uint32_t group) {
  const auto entry = entry_of(state.tasks_by_group, group);
  assert(entry != state.tasks_by_group.end() && entry->group == group);
  if (--entry->tasks == 0) state.tasks_by_group.erase(entry);
}

void give_back(InstanceState& state, const InstanceProfile& profile, const TaskRequirement& task,
               const std::vector<std::uint32_t>& gpus) {
  state.cpu = std::min(profile.cpu, state.cpu + task.cpu);
  state.memory = std::min(profile.memory, state.memory + task.memory);
  state.network_interfaces = std::min(profile.network_interfaces, state.network_interfaces + task.network_interfaces);
  state.ebs_attachments = std::min(profile.ebs_attachments, state.ebs_attachments + task.ebs_volumes);
  remove_ports(state.tcp_ports, task.tcp_ports);
  remove_ports(state.udp_ports, task.udp_ports);
  --state.tasks;
  give_back_gpus(state.gpus, task, gpus);
}

}  // namespace bayplan::placement
