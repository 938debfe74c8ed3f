#include "placement/task_classes.hpp"

#include <algorithm>

namespace bayplan::placement {

TaskClasses::TaskClasses(const Scenario& scenario) {
  first_.reserve(scenario.workloads.size());
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& providers = scenario.workloads[i].capacity_providers;
    first_.push_back(static_cast<std::uint32_t>(workloads_.size()));
    workloads_.insert(workloads_.end(), std::max<std::size_t>(1, providers.size()), i);
    for (const auto& share : providers) providers_.push_back(share.capacity_provider);
    if (providers.empty()) providers_.emplace_back();
  }
}

}  // namespace bayplan::placement
