#include "placement/model/service_terms.hpp"

#include <algorithm>

namespace bayplan::placement {

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
  if (workload.requirement.network_interfaces > 0) workload.availability_zones = service.availability_zones;
  workload.capacity_providers = service.capacity_providers;
  workload.minimum_healthy_percent = service.minimum_healthy_percent;
  workload.maximum_percent = service.maximum_percent;
}

}  // namespace bayplan::placement
