#include "placement/model/outcome.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/numbered_name.hpp"
#include "placement/model/capacity_providers.hpp"

namespace bayplan::placement {

PlacementsByInstance::PlacementsByInstance(const Outcome& outcome)
    : begins_(outcome.instances.size() + 2), placements_(outcome.placements.size()) {
  // Each begin is kept one entry behind its instance until the instance is filled, which moves it to its place.
  for (const auto& placement : outcome.placements) ++begins_[placement.instance + 2];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  for (std::uint32_t i = 0; i < placements_.size(); ++i) {
    placements_[begins_[outcome.placements[i].instance + 1]++] = i;
  }
}

std::string task_id(const Scenario& scenario, const PlacementAttempt& attempt) {
  return numbered_name(scenario.workloads[attempt.workload].name, attempt.number);
}

std::string_view capacity_provider_of(const Scenario& scenario, const PlacementAttempt& attempt) {
  return provider_name(scenario.workloads[attempt.workload], attempt.capacity_provider);
}

std::string gpu_id(const Scenario& scenario, std::uint32_t instance, std::uint32_t device) {
  const auto& own = scenario.instances[instance];
  const auto& ids = scenario.profiles[own.profile].gpu_ids;
  if (device < ids.size()) return ids[device];
  const bool is_neuron = scenario.profiles[own.profile].neuron_devices > 0;
  return fmt::format("{}/{}{}", own.id, is_neuron ? "neuron" : "gpu", device);
}

bool uses_device(const Placement& placement, std::uint32_t device) {
  return std::any_of(placement.gpus.begin(), placement.gpus.end(), [device](const ContainerGpus& container) {
    return std::find(container.devices.begin(), container.devices.end(), device) != container.devices.end();
  });
}

const Failure& explained(const Outcome& outcome, const Failure& failure) {
  return failure.same_as ? outcome.failures[*failure.same_as] : failure;
}

const Rejection* find_rejection(const Failure& failure, std::uint32_t instance) {
  const auto found = std::find_if(failure.instances.begin(), failure.instances.end(),
                                  [instance](const auto& rejection) { return rejection.instance == instance; });
  return found == failure.instances.end() ? nullptr : &*found;
}

}  // namespace bayplan::placement
