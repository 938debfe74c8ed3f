#include "placement/model/strategies.hpp"

#include <algorithm>
#include <string>

namespace bayplan::placement {
namespace {

constexpr std::string_view kZoneAttribute = "ecs.availability-zone";

Strategy zone_spread() {
  return {StrategyType::kSpread, "attribute:" + std::string(kZoneAttribute)};
}
Strategy instance_spread() {
  return {StrategyType::kSpread, "instanceId"};
}

Strategy random() {
  return {StrategyType::kRandom, {}};
}

std::vector<Strategy> stated_or_default(const Workload& workload) {
  if (gets_second_key(workload)) return {zone_spread(), instance_spread()};
  if (!workload.strategies.empty()) return workload.strategies;
  if (workload.kind == WorkloadKind::kService) return {zone_spread(), instance_spread()};
  return {random()};
}

}  // namespace

bool gets_second_key(const Workload& workload) {
  return workload.kind == WorkloadKind::kService && workload.strategies.size() == 1 &&
         workload.strategies.front() == zone_spread();
}

std::vector<Strategy> effective_strategies(const Workload& workload, TieOrder ties) {
  auto strategies = stated_or_default(workload);
  if (ties == TieOrder::kDrawn) strategies.push_back(random());
  return strategies;
}

bool draws(const Workload& workload, TieOrder ties) {
  if (workload.kind == WorkloadKind::kDaemon) return false;
  const auto strategies = effective_strategies(workload, ties);
  return std::any_of(strategies.begin(), strategies.end(),
                     [](const Strategy& strategy) { return strategy.type == StrategyType::kRandom; });
}

bool draws(Policy policy, TieOrder ties) {
  if (policy == Policy::kFirstFit) return false;
  return policy == Policy::kRandom || ties == TieOrder::kDrawn;
}

bool is_startable(const Workload& workload) {
  return workload.kind == WorkloadKind::kTasks && workload.capacity_providers.empty();
}

bool chosen_by_policy(const Workload& workload, const Scenario& scenario) {
  return scenario.policy && (!scenario.policy_by_start_task || is_startable(workload));
}

bool draws(const Workload& workload, const Scenario& scenario) {
  if (!chosen_by_policy(workload, scenario)) return draws(workload, scenario.ties);
  return workload.kind != WorkloadKind::kDaemon && draws(*scenario.policy, scenario.ties);
}

std::string strategy_text(const Strategy& strategy) {
  switch (strategy.type) {
    case StrategyType::kRandom:
      return "random";
    case StrategyType::kSpread:
      return "spread:" + strategy.field;
    case StrategyType::kBinpack:
      return "binpack:" + strategy.field;
  }
  return {};
}

}  // namespace bayplan::placement
