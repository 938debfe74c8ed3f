#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "placement/model/outcome.hpp"

namespace bayplan::placement {

/// Reserved out of registered, over all instances of the cluster.
struct Share {
  std::int64_t reserved = 0;
  std::int64_t registered = 0;
};

struct GpuSummary {
  std::int64_t total = 0;
  std::int64_t free = 0;                ///< Idle, on instances that can take tasks (ACTIVE, agent connected).
  std::int64_t largest_free_block = 0;  ///< Most of them on one instance.
  std::int64_t stranded = 0;            ///< Free where no GPU task of the scenario fits any more; 0 without GPU tasks.
};

struct Summary {
  std::int64_t placed = 0;
  std::int64_t unplaced = 0;      ///< Failed.
  std::int64_t provisioning = 0;  ///< Tasks that wait for their capacity provider to start instances.
  std::int64_t without_place() const { return unplaced + provisioning; }
  std::int64_t instances = 0;
  std::int64_t instances_used = 0;
  Share cpu;
  Share memory;
  Share gpu_devices;
  Share neuron_devices;
  GpuSummary gpu;
  std::optional<MicroUsd> hourly_cost;  ///< Cost of every instance; nothing when one has no known price.
  std::int64_t ties = 0;
};

/// Fills in what is said of instances: those of `instances`, in the state of `states` (by instance).
void add_cluster(const Scenario& scenario, const std::vector<InstanceState>& states,
                 const std::vector<std::uint32_t>& instances, Summary& summary);

Summary summarize(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
