#pragma once
#include <cstdint>
#include <vector>

#include "placement/filters.hpp"
#include "placement/groups.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// The GPU tasks that a scenario knows: its workloads, and the definitions that no workload uses.
class GpuDemand {
 public:
  explicit GpuDemand(const Scenario& scenario);
  GpuDemand(const GpuDemand&) = delete;
  GpuDemand& operator=(const GpuDemand&) = delete;

  bool empty() const { return tasks_.empty(); }

  /// One of them would fit on the instance in this state: its resources, and all that its profile decides.
  bool fits(std::uint32_t instance, const InstanceState& state) const;

 private:
  const Scenario& scenario_;
  Groups groups_;
  std::vector<Workload> tasks_;
  std::vector<Filter> filters_;  ///< One a task; they refer to `tasks_`.
};

}  // namespace bayplan::placement
