#include "placement/model/service_terms.hpp"

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

bool runs_elsewhere(const RunningService& service) {
  if (!service.launch_type.empty()) return service.launch_type != "EC2";
  const auto& providers = service.capacity_providers;
  return !providers.empty() && std::all_of(providers.begin(), providers.end(), [](const ProviderShare& share) {
    return share.capacity_provider.starts_with("FARGATE");
  });
}

void take_terms(const RunningService& service, Workload& workload) {
  workload.strategies = service.strategies;
  workload.constraints.insert(workload.constraints.end(), service.constraints.begin(), service.constraints.end());
  if (workload.requirement.network_interfaces > 0) {
    workload.availability_zones = service.availability_zones;
    workload.subnets = service.subnets;
  }
  workload.capacity_providers = service.capacity_providers;
  workload.minimum_healthy_percent = service.minimum_healthy_percent;
  workload.maximum_percent = service.maximum_percent;
}

bool may_rebalance(const Workload& workload, std::int64_t maximum_percent) {
  if (workload.kind != WorkloadKind::kService || maximum_percent <= 100) return false;
  const bool spreads = workload.strategies.empty() || (workload.strategies.front().type == StrategyType::kSpread &&
                                                       workload.strategies.front().field == kZoneField);
  return spreads && std::none_of(workload.constraints.begin(), workload.constraints.end(), ties_to_zones);
}

}  // namespace bayplan::placement
