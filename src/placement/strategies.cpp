#include "placement/strategies.hpp"

#include <string>

namespace bayplan::placement {
namespace {

constexpr std::string_view kZone = "ecs.availability-zone";

Strategy zone_spread() {
  return {StrategyType::kSpread, "attribute:" + std::string(kZone)};
}
Strategy instance_spread() {
  return {StrategyType::kSpread, "instanceId"};
}

}  // namespace

bool gets_second_key(const Workload& workload) {
  return workload.kind == WorkloadKind::kService && workload.strategies.size() == 1 &&
         workload.strategies.front() == zone_spread();
}

std::vector<Strategy> effective_strategies(const Workload& workload) {
  if (gets_second_key(workload)) return {zone_spread(), instance_spread()};
  if (!workload.strategies.empty()) return workload.strategies;
  if (workload.kind == WorkloadKind::kService) return {zone_spread(), instance_spread()};
  return {{StrategyType::kRandom, {}}};
}

}  // namespace bayplan::placement
