#include "fleet/recommended/candidate_policies.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace bayplan::fleet {

using placement::Scenario;
using placement::Strategy;
using placement::StrategyType;
using placement::TaskOrder;
using placement::Workload;
using placement::WorkloadKind;

namespace {

std::string name_of(const std::vector<Strategy>& strategies) {
  std::string name;
  for (const Strategy& one : strategies) {
    if (!name.empty()) name += ',';
    name += (one.type == StrategyType::kBinpack ? "binpack:" : "spread:") + one.field;
  }
  return name;
}

bool is_placed_by(const Scenario& scenario, const std::vector<Strategy>& strategies) {
  return std::all_of(scenario.workloads.begin(), scenario.workloads.end(), [&](const Workload& workload) {
    return workload.kind == WorkloadKind::kDaemon || workload.strategies == strategies;
  });
}

/// Chains of strategies. ECS has none that packs GPUs: binpack takes `cpu` or `memory` (API_PlacementStrategy).
std::vector<std::vector<Strategy>> chains(std::size_t zones) {
  const Strategy memory = {StrategyType::kBinpack, "memory"};
  const Strategy cpu = {StrategyType::kBinpack, "cpu"};
  const Strategy spread_zones = {StrategyType::kSpread, "attribute:ecs.availability-zone"};
  const Strategy spread_instances = {StrategyType::kSpread, "instanceId"};
  if (zones <= 1) return {{memory}, {cpu}, {spread_instances}};
  // "AZ balanced binpack" and "AZ balanced spread" are templates of the ECS console.
  return {{memory}, {cpu}, {spread_zones, memory}, {spread_instances}, {spread_zones, spread_instances}};
}

bool has_calls_of_different_size(const Scenario& scenario) {
  std::set<std::tuple<int, std::int64_t, std::int64_t, MiB, CpuUnits>> sizes;
  for (const Workload& workload : scenario.workloads) {
    const auto& task = workload.requirement;
    if (workload.kind != WorkloadKind::kTasks || workload.count == 0) continue;
    sizes.emplace(static_cast<int>(task.gpu_form), task.gpu_count, task.gpu_fraction_millionths, task.memory, task.cpu);
  }
  return sizes.size() > 1;
}

}  // namespace

Scenario with_policy(Scenario scenario, const Policy& policy) {
  for (Workload& workload : scenario.workloads) {
    if (!policy.is_as_written && workload.kind != WorkloadKind::kDaemon) workload.strategies = policy.strategies;
  }
  for (const auto& [workload, constraint] : policy.constraints)
    scenario.workloads[workload].constraints.push_back(constraint);
  scenario.order = policy.order;
  return scenario;
}

std::vector<Policy> candidate_policies(
    const Scenario& scenario, std::size_t zones,
    const std::vector<std::pair<std::uint32_t, placement::Constraint>>& constraints) {
  std::vector<Policy> policies = {{"as written", {}, true, scenario.order, constraints}};
  for (const auto& chain : chains(zones)) {
    if (is_placed_by(scenario, chain)) continue;
    policies.push_back({name_of(chain), chain, false, scenario.order, constraints});
  }
  if (scenario.order == TaskOrder::kLargestFirst || !has_calls_of_different_size(scenario)) return policies;
  for (std::size_t i = 0, given = policies.size(); i < given; ++i) {
    policies.push_back(policies[i]);
    policies.back().order = TaskOrder::kLargestFirst;
  }
  return policies;
}

}  // namespace bayplan::fleet
