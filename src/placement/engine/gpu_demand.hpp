#pragma once
#include <cstdint>
#include <vector>

#include "placement/engine/filters.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// The kinds of GPU tasks that a scenario knows: its workloads, and the definitions that no workload uses. Workloads
/// that ask for the same thing are one kind.
class GpuDemand {
 public:
  explicit GpuDemand(const Scenario& scenario);
  GpuDemand(const GpuDemand&) = delete;
  GpuDemand& operator=(const GpuDemand&) = delete;

  bool empty() const { return kinds_.empty(); }
  std::size_t size() const { return kinds_.size(); }
  /// One task of the kind; views the scenario's definition.
  const Workload& kind(std::size_t index) const { return kinds_[index]; }

  /// What keeps the kind off the instance whatever runs there: status, agent, attributes, location, capacity provider,
  /// memberOf on attributes.
  CheckSet lasting_failures(std::size_t kind, std::uint32_t instance) const;

  /// One task of some kind would fit on the instance in this state: its resources, and nothing that lasts is against
  /// it.
  bool fits(std::uint32_t instance, const InstanceState& state) const;

 private:
  const Scenario& scenario_;
  Groups groups_;
  std::vector<Workload> kinds_;
  std::vector<Filter> filters_;  ///< One a kind; they refer to `kinds_`.
};

}  // namespace bayplan::placement
