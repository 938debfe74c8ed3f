#include "placement/explain/result_summary.hpp"

#include <algorithm>
#include <numeric>

#include "placement/engine/gpu_demand.hpp"
#include "placement/explain/ecs_words.hpp"

namespace bayplan::placement {
namespace {

bool takes_tasks(const InstanceProfile& profile) {
  return profile.status == InstanceStatus::kActive && profile.agent_connected;
}

void add_resources(const InstanceProfile& profile, const InstanceState& state, Summary& summary) {
  summary.cpu.registered += profile.cpu;
  summary.cpu.reserved += profile.cpu - state.cpu;
  summary.memory.registered += profile.memory;
  summary.memory.reserved += profile.memory - state.memory;
  summary.gpu_devices.registered += profile.gpu_count;
  summary.gpu_devices.reserved += profile.gpu_count - idle_gpus(state.gpus);
  summary.gpu.total += profile.gpu_count;
  summary.neuron_devices.registered += profile.neuron_devices;
  summary.neuron_devices.reserved += profile.neuron_devices - idle_neuron_devices(state.gpus);
  if (state.tasks > 0) ++summary.instances_used;
}

}  // namespace

void add_cluster(const Scenario& scenario, const std::vector<InstanceState>& states,
                 const std::vector<std::uint32_t>& instances, Summary& summary) {
  summary.instances = static_cast<std::int64_t>(instances.size());
  summary.hourly_cost = 0;
  const GpuDemand demand(scenario);
  for (const std::uint32_t i : instances) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    const auto& state = states[i];
    add_resources(profile, state, summary);
    if (!profile.hourly_price) summary.hourly_cost.reset();
    if (summary.hourly_cost) *summary.hourly_cost += *profile.hourly_price;
    if (!takes_tasks(profile)) continue;
    const std::int64_t free = idle_gpus(state.gpus);
    summary.gpu.free += free;
    summary.gpu.largest_free_block = std::max(summary.gpu.largest_free_block, free);
    if (free > 0 && !demand.empty() && !demand.fits(i, state)) summary.gpu.stranded += free;
  }
}

Summary summarize(const Scenario& scenario, const Outcome& outcome) {
  Summary summary;
  summary.placed = static_cast<std::int64_t>(outcome.placements.size());
  summary.provisioning = std::count_if(outcome.failures.begin(), outcome.failures.end(),
                                       [&](const Failure& failure) { return is_provisioning(scenario, failure); });
  summary.unplaced = static_cast<std::int64_t>(outcome.failures.size()) - summary.provisioning;
  std::vector<std::uint32_t> instances(scenario.instances.size());
  std::iota(instances.begin(), instances.end(), 0);
  add_cluster(scenario, outcome.instances, instances, summary);
  summary.ties = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                               [](const Placement& placement) { return placement.tied; });
  return summary;
}

}  // namespace bayplan::placement
