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

class Ending {
 public:
  Ending(const Scenario& scenario, const History& history)
      : scenario_(scenario), history_(history), requirements_(scenario, history), groups_() {
    result_.scenario = with_all_instances(scenario, history);
    result_.scenario.instances.clear();
  }

  FinalState run() && {
    for (std::uint32_t i = 0; i < history_.instances.size(); ++i) add_instance(i);
    for (const auto& task : history_.tasks) {
      task.running == kNoIndex ? add_task(task) : add_running(task);
    }
    for (auto& failure : result_.outcome.instances)
      std::sort(failure.tasks_by_group.begin(), failure.tasks_by_group.end(), by_group);
    return std::move(result_);
  }

 private:
  static bool by_group(const placement::GroupTasks& a, const placement::GroupTasks& b) { return a.group < b.group; }

  void add_instance(std::uint32_t index) {
    const Instance& instance = history_.instances[index];
    auto& position = positions_.emplace_back();
    const bool is_of_scenario = index < scenario_.instances.size();
    if (instance.terminated_at) return;
    if (!is_of_scenario && !instance.active_at) {
      ++result_.booting;
      return;
    }
    position = static_cast<std::uint32_t>(result_.scenario.instances.size());
    result_.scenario.instances.push_back({instance.id, profile_at_end(instance)});
    const auto& profile = scenario_.profiles[instance.profile];
    result_.outcome.instances.push_back(is_of_scenario ? placement::starting_state(scenario_, index, groups_)
                                                       : placement::empty_instance(profile));
    const auto* use = is_of_scenario ? scenario_.use_of(index) : nullptr;
    if (use == nullptr) return;
    result_.scenario.in_use.resize(*position + 1);
    result_.scenario.in_use.back() = *use;
  }

  std::uint32_t profile_at_end(const Instance& instance) {
    auto& profiles = result_.scenario.profiles;
    if (!instance.draining_at || profiles[instance.profile].status == InstanceStatus::kDraining)
      return instance.profile;
    const auto [entry, is_new] = draining_.try_emplace(instance.profile, static_cast<std::uint32_t>(profiles.size()));
    if (is_new) {
      profiles.push_back(profiles[instance.profile]);
      profiles.back().status = InstanceStatus::kDraining;
    }
    return entry->second;
  }

  void add_running(const Task& task) {
    const auto position = positions_[*task.instance];
    if (!position) return;
    auto& state = result_.outcome.instances[*position];
    const auto& described = scenario_.running[*task.running];
    if (!task.stopped_at) {
      result_.scenario.running.push_back(described);
      result_.scenario.running.back().instance = *position;
      return;
    }
    if (!described.stopping) placement::leave_group(state, groups_.number(described.group));
    const auto& profile = scenario_.profiles[history_.instances[*task.instance].profile];
    placement::give_back(state, profile, requirements_.of(task), described.gpus);
  }

  void add_task(const Task& task) {
    if (!task.placed_at || task.stopped_at || !positions_[*task.instance]) return;
    const auto position = *positions_[*task.instance];
    const auto& workload = scenario_.workloads[*task.workload];
    const auto& requirement = requirements_.of(task);
    auto& state = result_.outcome.instances[position];
    put(state, requirement, placement::list_devices(requirement, task.gpus));
    count_group(state, groups_.number(workload.group));
    auto& placements = result_.outcome.placements;
    const auto step = static_cast<std::int64_t>(placements.size());
    placements.push_back({{*task.workload, task.number, step, task.capacity_provider}, position, task.gpus, task.tied});
  }

  static void count_group(InstanceState& state, std::uint32_t group) {
    auto& groups = state.tasks_by_group;
    const auto own = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.group == group; });
    if (own != groups.end()) {
      ++own->tasks;
    } else {
      groups.push_back({group, 1});
    }
  }

  const Scenario& scenario_;
  const History& history_;
  Requirements requirements_;
  placement::Groups groups_;
  FinalState result_;
  std::vector<std::optional<std::uint32_t>> positions_;  ///< Indexed like History::instances: the index in the result.
  std::map<std::uint32_t, std::uint32_t> draining_;  ///< Keyed by profile: the index of its copy with status DRAINING.
};

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
  return Ending(scenario, history).run();
}

}  // namespace bayplan::timeline
