#include "placement/engine/rebalancing.hpp"

#include <algorithm>
#include <string_view>

namespace bayplan::placement {
namespace {

constexpr std::string_view kZoneField = "attribute:ecs.availability-zone";

bool ties_to_zones(const Constraint& constraint) {
  if (!constraint.expression) return false;
  const auto& predicates = constraint.expression->predicates();
  return std::any_of(predicates.begin(), predicates.end(),
                     [](const auto& one) { return query::name_of(one.subject, one.attribute) == kZoneField; });
}

}  // namespace

bool may_rebalance(const Workload& workload, std::int64_t maximum_percent) {
  if (workload.kind != WorkloadKind::kService || maximum_percent <= 100) return false;
  const bool spreads = workload.strategies.empty() || (workload.strategies.front().type == StrategyType::kSpread &&
                                                       workload.strategies.front().field == kZoneField);
  return spreads && std::none_of(workload.constraints.begin(), workload.constraints.end(), ties_to_zones);
}

}  // namespace bayplan::placement
