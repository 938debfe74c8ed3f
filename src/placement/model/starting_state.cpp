// What already runs, on the way into the first placement.
#include <map>

#include "placement/model/instance_state.hpp"

namespace bayplan::placement {
namespace {

void use(GpuDevice& device, const GpuUse& use) {
  if (use.dedicated) {
    device.state = GpuState::kDedicated;
    device.remaining_memory = 0;
    device.remaining_fraction_millionths = 0;
  } else if (use.share_millionths > 0) {
    device.state = GpuState::kDedicated;
    device.remaining_fraction_millionths -= use.share_millionths;
    device.remaining_memory = device.memory * device.remaining_fraction_millionths / device.fraction_millionths;
  } else if (use.is_shared) {
    device.state = GpuState::kNvidiaMps;
    device.remaining_memory -= use.shared_memory;
  }
}

}  // namespace

InstanceState starting_state(const Scenario& scenario, std::uint32_t instance, Groups& groups) {
  InstanceState state = empty_instance(scenario.profiles[scenario.instances[instance].profile]);
  const InstanceUse* taken = scenario.use_of(instance);
  if (taken == nullptr) return state;
  state.cpu -= taken->cpu;
  state.memory -= taken->memory;
  state.network_interfaces -= taken->network_interfaces;
  state.ebs_attachments -= taken->ebs_volumes;
  state.tasks = taken->tasks;
  add_ports(state.tcp_ports, taken->tcp_ports);
  add_ports(state.udp_ports, taken->udp_ports);
  for (std::size_t i = 0; i < taken->gpus.size(); ++i) use(state.gpus[i], taken->gpus[i]);
  std::map<std::uint32_t, std::uint32_t> tasks;
  for (const auto& task : scenario.running_on(instance)) {
    if (!task.stopping) ++tasks[groups.number(task.group)];
  }
  for (const auto& [group, count] : tasks) state.tasks_by_group.push_back({group, count});
  return state;
}

}  // namespace bayplan::placement
