#include "placement/model/outcome.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace bayplan::placement {

std::string task_id(const Scenario& scenario, const PlacementAttempt& attempt) {
  return scenario.workloads[attempt.workload].name + "#" + std::to_string(attempt.number);
}

std::string gpu_id(const Scenario& scenario, std::uint32_t instance, std::uint32_t device) {
  const auto& own = scenario.instances[instance];
  const auto& ids = scenario.profiles[own.profile].gpu_ids;
  return device < ids.size() ? ids[device] : fmt::format("{}/gpu{}", own.id, device);
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
