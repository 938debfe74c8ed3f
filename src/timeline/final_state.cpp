#include "timeline/final_state.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "timeline/tasks.hpp"

namespace bayplan::timeline {

using capacity::GpuForm;
using capacity::TaskRequirement;
using placement::GpuDevice;
using placement::GpuState;
using placement::InstanceState;
using placement::InstanceStatus;
using placement::Scenario;

namespace {

void take_device(GpuDevice& device, const TaskRequirement& task) {
  if (task.gpu_form == GpuForm::kMps) {
    device.state = GpuState::kNvidiaMps;
    device.remaining_memory -= task.mps_memory;
    return;
  }
  device.state = GpuState::kDedicated;
  const std::int64_t share =
      task.gpu_form == GpuForm::kFraction ? task.gpu_fraction_millionths : device.remaining_fraction_millionths;
  device.remaining_fraction_millionths -= share;
  device.remaining_memory = device.memory * device.remaining_fraction_millionths / device.fraction_millionths;
}

void add_ports(std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& more) {
  const auto middle = static_cast<std::ptrdiff_t>(taken.size());
  taken.insert(taken.end(), more.begin(), more.end());
  std::inplace_merge(taken.begin(), taken.begin() + middle, taken.end());
}

/// Does the same as `placement::take`, with the GPUs that the task already has.
void put(InstanceState& state, const TaskRequirement& task, const std::vector<std::uint32_t>& gpus) {
  state.cpu -= task.cpu;
  state.memory -= task.memory;
  state.network_interfaces -= task.network_interfaces;
  state.ebs_attachments -= task.ebs_volumes;
  ++state.tasks;
  add_ports(state.tcp_ports, task.tcp_ports);
  add_ports(state.udp_ports, task.udp_ports);
  for (const auto gpu : gpus) take_device(state.gpus[gpu], task);
}

}  // namespace

Scenario with_all_instances(const Scenario& scenario, const History& history) {
  Scenario all = scenario;
  all.calls.clear();
  all.in_use.clear();
  all.running.clear();
  all.instances.clear();
  for (const auto& instance : history.instances) all.instances.push_back({instance.id, instance.profile});
  return all;
}

FinalState final_state(const Scenario& scenario, const History& history) {
  const Requirements requirements(scenario, history);
  placement::Groups groups;
  FinalState result;
  result.scenario = with_all_instances(scenario, history);
  result.scenario.instances.clear();
  auto& profiles = result.scenario.profiles;
  auto& states = result.outcome.instances;

  // Instances that are there at the end. Those that drain since the run began have a profile that says so.
  std::vector<std::optional<std::uint32_t>> positions(history.instances.size());  // in the result
  std::map<std::uint32_t, std::uint32_t> draining;  // by profile: its copy with status DRAINING
  for (std::uint32_t i = 0; i < history.instances.size(); ++i) {
    const Instance& instance = history.instances[i];
    const bool is_of_scenario = i < scenario.instances.size();
    if (instance.terminated_at) continue;
    if (!is_of_scenario && !instance.active_at) {
      ++result.booting;
      continue;
    }
    std::uint32_t profile = instance.profile;
    if (instance.draining_at && profiles[profile].status != InstanceStatus::kDraining) {
      const auto [entry, is_new] = draining.try_emplace(profile, static_cast<std::uint32_t>(profiles.size()));
      if (is_new) {
        profiles.push_back(profiles[profile]);
        profiles.back().status = InstanceStatus::kDraining;
      }
      profile = entry->second;
    }
    positions[i] = static_cast<std::uint32_t>(result.scenario.instances.size());
    result.scenario.instances.push_back({instance.id, profile});
    states.push_back(is_of_scenario ? placement::starting_state(scenario, i, groups)
                                    : placement::empty_instance(scenario.profiles[instance.profile]));
    const auto* use = is_of_scenario ? scenario.use_of(i) : nullptr;
    if (use == nullptr) continue;
    result.scenario.in_use.resize(*positions[i] + 1);
    result.scenario.in_use.back() = *use;
  }

  for (const Task& task : history.tasks) {
    if (task.instance == kNoIndex || !positions[*task.instance]) continue;
    const std::uint32_t position = *positions[*task.instance];
    InstanceState& state = states[position];
    if (task.running == kNoIndex) {
      // A task of the run takes its resources while it runs.
      if (!task.placed_at || task.stopped_at) continue;
      const auto& requirement = requirements.of(task);
      put(state, requirement, placement::list_devices(requirement, task.gpus));
      const std::uint32_t group = groups.number(scenario.workloads[*task.workload].group);
      auto& own = state.tasks_by_group;
      const auto known = std::find_if(own.begin(), own.end(), [&](const auto& one) { return one.group == group; });
      known == own.end() ? own.push_back({group, 1}) : void(++known->tasks);
      auto& placements = result.outcome.placements;
      const auto step = static_cast<std::int64_t>(placements.size());
      placements.push_back(
          {{*task.workload, task.number, step, task.capacity_provider}, position, task.gpus, task.tied});
    } else if (const auto& described = scenario.running[*task.running]; !task.stopped_at) {
      result.scenario.running.push_back(described);
      result.scenario.running.back().instance = position;
    } else {
      // A task that ran before is part of the instance's starting state: what it held is returned.
      if (!described.stopping) placement::leave_group(state, groups.number(described.group));
      const auto& profile = scenario.profiles[history.instances[*task.instance].profile];
      placement::give_back(state, profile, requirements.of(task), described.gpus);
    }
  }
  for (InstanceState& state : states) {
    std::sort(state.tasks_by_group.begin(), state.tasks_by_group.end(),
              [](const placement::GroupTasks& a, const placement::GroupTasks& b) { return a.group < b.group; });
  }
  return result;
}

}  // namespace bayplan::timeline
