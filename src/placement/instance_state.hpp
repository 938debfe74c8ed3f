#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "placement/gpu_devices.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// At most so many reserved ports on one instance at a time, the agent's own among them; both protocols counted
/// together, dynamic ports not (ECS developer guide, task_definition_parameters.html, hostPort).
inline constexpr std::int64_t kReservedPortLimit = 100;

/// What is left of one instance. Plain data; the engine changes it by `take`.
struct InstanceState {
  CpuUnits cpu = 0;                      ///< Remaining.
  MiB memory = 0;                        ///< Remaining.
  std::int64_t network_interfaces = 0;   ///< Remaining.
  std::vector<std::uint16_t> tcp_ports;  ///< Taken, sorted: the agent's and the tasks'.
  std::vector<std::uint16_t> udp_ports;
  std::vector<GpuDevice> gpus;                                         ///< In registered order.
  std::vector<std::pair<std::uint32_t, std::int64_t>> tasks_by_group;  ///< Group number, tasks; in order of arrival.
  std::int64_t tasks = 0;

  std::int64_t tasks_of(std::uint32_t group) const;
};

InstanceState empty_instance(const InstanceProfile& profile);

bool ports_fit(const InstanceState& state, const capacity::TaskRequirement& task);

/// CPU, memory, ports, GPUs and network interfaces together.
bool resources_fit(const InstanceState& state, const capacity::TaskRequirement& task);

/// Adds the resource checks that fail to `failed` and says by how much.
void check_resources(const InstanceState& state, const capacity::TaskRequirement& task, CheckSet& failed,
                     Shortfall& shortfall);

/// Puts one task of `group` on the instance; `resources_fit` must hold.
std::vector<ContainerGpus> take(InstanceState& state, const capacity::TaskRequirement& task, std::uint32_t group);

}  // namespace bayplan::placement
