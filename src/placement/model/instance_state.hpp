#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "placement/engine/gpu_devices.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Maximum number of reserved ports on one instance at a time, including the agent's own; both protocols counted
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
  std::int64_t ebs_attachments = 0;     ///< Remaining if only EBS volumes took them: see `shared_attachments`.
  /// What `network_interfaces` is on the empty instance where interfaces take attachments, too, else so far below zero
  /// that they never do. It does not change.
  std::int64_t interfaces_in_attachments = -kUnlimitedAttachments;
  std::int64_t tasks = 0;
  std::vector<std::uint16_t> tcp_ports;  ///< Taken, sorted: the agent's and the tasks'.
  std::vector<std::uint16_t> udp_ports;
  std::vector<GpuDevice> gpus;             ///< Devices in registered order.
  std::vector<GroupTasks> tasks_by_group;  ///< Sorted by group, none without tasks.

  std::int64_t tasks_of(std::uint32_t group) const;
  bool operator==(const InstanceState&) const = default;
};

/// Remaining attachments that EBS volumes and network interfaces of tasks take together; very many where only volumes
/// take them.
inline std::int64_t shared_attachments(const InstanceState& state) {
  return state.ebs_attachments + state.network_interfaces - state.interfaces_in_attachments;
}

/// Attachments that are left for EBS volumes.
inline std::int64_t free_attachments(const InstanceState& state) {
  return std::min(state.ebs_attachments, shared_attachments(state));
}

/// Keeps what most tasks need of an instance close together: a look at every instance reads this and little else.
/// Counts have 32 bits so that two instances share a cache line.
struct Room {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int32_t network_interfaces = 0;
  std::int32_t whole_gpus = 0;  ///< Idle, on types that are not fractional.
  std::int32_t ebs_attachments = 0;
  std::int32_t shared_attachments = 0;
};
/// Counts beyond 32 bits become the largest that fits.
inline std::int32_t room_count(std::int64_t count) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(count, -kMost, kMost));
}
Room compute_room(const InstanceState& state);

InstanceState empty_instance(const InstanceProfile& profile);

/// The instance before the first placement. Every group that has tasks on it gets a number.
InstanceState starting_state(const Scenario& scenario, std::uint32_t instance, Groups& groups);

/// Both in order.
void add_ports(std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& wanted);

bool ports_fit(const InstanceState& state, const capacity::TaskRequirement& task);

/// A task without EBS volumes and without a network interface passes whatever is left.
inline bool attachments_fit(const InstanceState& state, const capacity::TaskRequirement& task) {
  if (task.ebs_volumes > 0 && task.ebs_volumes > state.ebs_attachments) return false;
  const std::int64_t both = task.ebs_volumes + task.network_interfaces;
  return both == 0 || both <= shared_attachments(state);
}

/// CPU, memory, ports, GPUs or Neuron devices, network interfaces and EBS attachments together. A task that reserves
/// nothing of a resource passes its check whatever is left.
inline bool resources_fit(const InstanceState& state, const capacity::TaskRequirement& task) {
  if (task.cpu > 0 && task.cpu > state.cpu) return false;
  if (task.memory > 0 && task.memory > state.memory) return false;
  if (task.network_interfaces > 0 && task.network_interfaces > state.network_interfaces) return false;
  if (!attachments_fit(state, task)) return false;
  if (task.wants_devices() && !gpus_fit(state.gpus, task)) return false;
  return (task.tcp_ports.empty() && task.udp_ports.empty()) || ports_fit(state, task);
}

/// Attachments that the instance is short of for the task; only for tasks that fail `attachments_fit`.
std::int64_t missing_attachments(const InstanceState& state, const capacity::TaskRequirement& task);

/// The resource checks that fail.
CheckSet failing_resources(const InstanceState& state, const capacity::TaskRequirement& task);

/// Adds the resource checks that fail to `failed` and says by how much.
void check_resources(const InstanceState& state, const capacity::TaskRequirement& task, CheckSet& failed,
                     Shortfall& shortfall);

/// Puts one task of `group` on the instance; `resources_fit` must hold.
std::vector<ContainerGpus> take(InstanceState& state, const capacity::TaskRequirement& task, std::uint32_t group);

/// A task of the group on the instance counts in it no longer; what it takes it keeps. It must count there.
void leave_group(InstanceState& state, std::uint32_t group);

/// What a task on the devices `gpus` (`list_devices`) took is free again: with `leave_group` the exact inverse of
/// `take`. Never more is left than the profile registers, even where the description of a live cluster says that less
/// was taken than the task takes.
void give_back(InstanceState& state, const InstanceProfile& profile, const capacity::TaskRequirement& task,
               const std::vector<std::uint32_t>& gpus);

}  // namespace bayplan::placement
