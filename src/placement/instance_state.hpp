#pragma once
#include <cstdint>
#include <vector>

#include "placement/gpu_devices.hpp"
#include "placement/groups.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// At most so many reserved ports on one instance at a time, the agent's own among them; both protocols counted
/// together, dynamic ports not (ECS developer guide, task_definition_parameters.html, hostPort).
inline constexpr std::int64_t kReservedPortLimit = 100;

/// Tasks of one group on one instance.
struct GroupTasks {
  std::uint32_t group = 0;
  std::uint32_t tasks = 0;
  bool operator==(const GroupTasks&) const = default;
};

/// What is left of one instance. Plain data; the engine changes it by `take` and `give_back`.
struct InstanceState {
  CpuUnits cpu = 0;                     ///< Remaining.
  MiB memory = 0;                       ///< Remaining.
  std::int64_t network_interfaces = 0;  ///< Remaining.
  std::int64_t tasks = 0;
  std::vector<std::uint16_t> tcp_ports;  ///< Taken, sorted: the agent's and the tasks'.
  std::vector<std::uint16_t> udp_ports;
  std::vector<GpuDevice> gpus;             ///< In registered order.
  std::vector<GroupTasks> tasks_by_group;  ///< Sorted by group, none without tasks.

  std::int64_t tasks_of(std::uint32_t group) const;
  bool operator==(const InstanceState&) const = default;
};

/// What most tasks need of an instance, close together: a look at every instance reads this and little else.
struct Room {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  std::int64_t whole_gpus = 0;  ///< Idle, on types that are not fractional.
};
Room room_of(const InstanceState& state);

InstanceState empty_instance(const InstanceProfile& profile);

/// The instance before the first turn. Every group that has tasks on it gets a number.
InstanceState starting_state(const Scenario& scenario, std::uint32_t instance, Groups& groups);

/// Both in order.
void add_ports(std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& wanted);

bool ports_fit(const InstanceState& state, const capacity::TaskRequirement& task);

/// CPU, memory, ports, GPUs and network interfaces together. A task that reserves nothing of a resource passes its
/// check whatever is left.
inline bool resources_fit(const InstanceState& state, const capacity::TaskRequirement& task) {
  if (task.cpu > 0 && task.cpu > state.cpu) return false;
  if (task.memory > 0 && task.memory > state.memory) return false;
  if (task.network_interfaces > 0 && task.network_interfaces > state.network_interfaces) return false;
  if (task.wants_gpu() && !gpus_fit(state.gpus, task)) return false;
  return (task.tcp_ports.empty() && task.udp_ports.empty()) || ports_fit(state, task);
}

/// The resource checks that fail.
CheckSet failing_resources(const InstanceState& state, const capacity::TaskRequirement& task);

/// Adds the resource checks that fail to `failed` and says by how much.
void check_resources(const InstanceState& state, const capacity::TaskRequirement& task, CheckSet& failed,
                     Shortfall& shortfall);

/// Puts one task of `group` on the instance; `resources_fit` must hold.
std::vector<ContainerGpus> take(InstanceState& state, const capacity::TaskRequirement& task, std::uint32_t group);

/// A task of the group on the instance counts in it no longer; what it takes it keeps. It must count there.
void leave_group(InstanceState& state, std::uint32_t group);

/// What a task on the devices `gpus` (`devices_of`) took is free again: with `leave_group` the exact inverse of `take`.
/// Never more is left than the profile registers, even where the description of a live cluster says that less was
/// taken than the task takes.
void give_back(InstanceState& state, const InstanceProfile& profile, const capacity::TaskRequirement& task,
               const std::vector<std::uint32_t>& gpus);

}  // namespace bayplan::placement
