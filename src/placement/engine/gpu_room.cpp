#include "placement/engine/gpu_room.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "placement/engine/gpu_demand.hpp"

namespace bayplan::placement {
namespace {

bool is_distinct(const Workload& kind) {
  return std::any_of(kind.constraints.begin(), kind.constraints.end(),
                     [](const Constraint& constraint) { return constraint.type == ConstraintType::kDistinctInstance; });
}

/// Instances that hold a task of the group.
std::set<std::uint32_t> find_holders(const Scenario& scenario, const Outcome& outcome, const std::string& group) {
  std::set<std::uint32_t> holders;
  for (const auto& task : scenario.running) {
    if (!task.stopping && task.group == group) holders.insert(task.instance);
  }
  for (const auto& placement : outcome.placements) {
    if (scenario.workloads[placement.attempt.workload].group == group) holders.insert(placement.instance);
  }
  return holders;
}

/// Fills one instance after another with copies of one kind.
class Filling {
 public:
  Filling(const Scenario& scenario, const Outcome& outcome, const GpuDemand& demand, std::size_t index)
      : outcome_(outcome), demand_(demand), index_(index), kind_(demand.kind(index)), distinct_(is_distinct(kind_)) {
    if (distinct_) holders_ = find_holders(scenario, outcome, kind_.group);
    room_.task_definition = kind_.task_definition;
    room_.requirement = kind_.requirement;
  }

  void fill(std::uint32_t instance) {
    const InstanceState& state = outcome_.instances[instance];
    if (const CheckSet failed = demand_.lasting_failures(index_, instance); !failed.empty())
      return strand(idle_gpus(state.gpus), failed.first());
    if (holders_.count(instance) > 0) return strand(idle_gpus(state.gpus), Check::kDistinctInstance);
    if (!resources_fit(state, kind_.requirement)) return strand_rest(state);
    InstanceState filled = state;
    do {
      take(filled, kind_.requirement, 0);
      ++room_.copies;
    } while (!distinct_ && resources_fit(filled, kind_.requirement));
    distinct_ ? strand(idle_gpus(filled.gpus), Check::kDistinctInstance) : strand_rest(filled);
  }

  GpuRoom room() && { return std::move(room_); }

 private:
  void strand(std::int64_t gpus, Check because) {
    room_.stranded += gpus;
    room_.stranded_by_check[static_cast<std::size_t>(because)] += gpus;
  }

  void strand_rest(const InstanceState& state) {
    const std::int64_t idle = idle_gpus(state.gpus);
    if (idle > 0) strand(idle, failing_resources(state, kind_.requirement).first());
  }

  const Outcome& outcome_;
  const GpuDemand& demand_;
  std::size_t index_;
  const Workload& kind_;
  bool distinct_;
  std::set<std::uint32_t> holders_;
  GpuRoom room_;
};

/// Instances that can take tasks and have GPUs.
std::vector<std::uint32_t> gpu_instances(const Scenario& scenario) {
  std::vector<std::uint32_t> instances;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    if (profile.gpu_count > 0 && profile.status == InstanceStatus::kActive && profile.agent_connected)
      instances.push_back(i);
  }
  return instances;
}

}  // namespace

std::vector<FreeGpus> free_gpus(const Scenario& scenario, const Outcome& outcome) {
  std::map<std::int64_t, std::int64_t, std::greater<>> counts;
  for (const auto instance : gpu_instances(scenario)) ++counts[idle_gpus(outcome.instances[instance].gpus)];
  std::vector<FreeGpus> blocks;
  for (const auto& [free, instances] : counts) blocks.push_back({free, instances});
  return blocks;
}

std::vector<GpuRoom> gpu_room(const Scenario& scenario, const Outcome& outcome) {
  const auto instances = gpu_instances(scenario);
  std::vector<GpuRoom> rooms;
  if (instances.empty()) return rooms;
  const GpuDemand demand(scenario);
  std::vector<Filling> fillings;
  for (std::size_t kind = 0; kind < std::min(demand.size(), kMaxGpuRoomLooks / instances.size()); ++kind)
    fillings.emplace_back(scenario, outcome, demand, kind);
  for (const auto instance : instances) {
    for (auto& filling : fillings) filling.fill(instance);
  }
  for (auto& filling : fillings) rooms.push_back(std::move(filling).room());
  return rooms;
}

}  // namespace bayplan::placement
