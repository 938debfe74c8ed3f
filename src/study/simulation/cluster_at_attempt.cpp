#include "study/simulation/cluster_at_attempt.hpp"

#include <algorithm>
#include <iterator>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using Ports = std::vector<std::uint16_t>;

Ports without(const Ports& taken, const Ports& reserved) {
  Ports rest;
  std::set_difference(taken.begin(), taken.end(), reserved.begin(), reserved.end(), std::back_inserter(rest));
  return rest;
}

GpuUse use_of(const GpuDevice& device) {
  if (device.state == GpuState::kNvidiaMps)
    return {.shared_memory = device.memory - device.remaining_memory, .is_shared = true};
  if (device.state == GpuState::kIdle) return {};
  if (!device.is_fraction() || device.remaining_fraction_millionths == 0) return {.dedicated = true};
  return {.share_millionths = device.fraction_millionths - device.remaining_fraction_millionths};
}

}  // namespace

std::vector<const Placement*> placed_before(const Outcome& outcome, const PlacementAttempt& attempt) {
  std::vector<const Placement*> placed;
  for (const auto& placement : outcome.placements) {
    if (placement.attempt.step >= attempt.step) break;
    placed.push_back(&placement);
  }
  for (const auto& withdrawn : outcome.withdrawn) {
    if (outcome.failures[withdrawn.failure].attempt.step != attempt.step) continue;
    for (const auto& placement : withdrawn.placements) placed.push_back(&placement);
  }
  return placed;
}

ClusterAtAttempt cluster_at_attempt(const Scenario& scenario, const Outcome& outcome, const PlacementAttempt& attempt) {
  ClusterAtAttempt standing;
  standing.states.reserve(scenario.instances.size());
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i)
    standing.states.push_back(starting_state(scenario, i, standing.groups));
  for (const auto& workload : scenario.workloads) standing.group_of.push_back(standing.groups.number(workload.group));
  for (const auto* placement : placed_before(outcome, attempt)) {
    const std::uint32_t workload = placement->attempt.workload;
    take(standing.states[placement->instance], scenario.workloads[workload].requirement, standing.group_of[workload]);
  }
  return standing;
}

InstanceUse use_of(const InstanceState& state, const InstanceProfile& profile) {
  InstanceUse use;
  use.cpu = profile.cpu - state.cpu;
  use.memory = profile.memory - state.memory;
  use.network_interfaces = profile.network_interfaces - state.network_interfaces;
  use.ebs_volumes = profile.ebs_attachments - state.ebs_attachments;
  use.tcp_ports = without(state.tcp_ports, profile.reserved_tcp_ports);
  use.udp_ports = without(state.udp_ports, profile.reserved_udp_ports);
  use.tasks = state.tasks;
  for (const auto& device : state.gpus) use.gpus.push_back(use_of(device));
  return use;
}

}  // namespace bayplan::study
