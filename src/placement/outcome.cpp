#include "placement/outcome.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bayplan::placement {
namespace {

constexpr std::string_view kTroubleshooting =
    "For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.";

/// The words of service events; where no event was seen in public they follow the form of the others.
std::string event_words(Check check, InstanceStatus status) {
  switch (check) {
    case Check::kCpu:
      return "has insufficient CPU units available.";
    case Check::kMemory:
      return "has insufficient memory available.";
    case Check::kPorts:
      return "is already using a port required by your task.";
    case Check::kAttribute:
      return "is missing an attribute required by your task.";
    case Check::kAgent:
      return "doesn't have the agent connected.";
    default:
      return fmt::format("encountered error \"{}\".", reason_text(check, status));
  }
}

bool in_provider(const Failure& failure) {
  return !failure.turn.capacity_provider.empty();
}

std::string none_found(const Failure& failure) {
  return fmt::format("No Container Instances were found in your {}.",
                     in_provider(failure) ? "capacity provider" : "cluster");
}

struct Reason {
  Check check;
  InstanceStatus status;
};

std::optional<Reason> reason_of(const Scenario& scenario, const Failure& failure) {
  const Rejection* rejection = failure.closest ? rejection_of(failure, *failure.closest)
                                               : (failure.instances.empty() ? nullptr : &failure.instances.front());
  if (rejection == nullptr) return std::nullopt;
  const auto& profile = scenario.profiles[scenario.instances[rejection->instance].profile];
  return Reason{rejection->failed.first(), profile.status};
}

}  // namespace

std::string task_id(const Scenario& scenario, const Turn& turn) {
  return fmt::format("{}#{}", scenario.workloads[turn.workload].name, turn.number);
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

const Rejection* rejection_of(const Failure& failure, std::uint32_t instance) {
  const auto found = std::find_if(failure.instances.begin(), failure.instances.end(),
                                  [instance](const auto& rejection) { return rejection.instance == instance; });
  return found == failure.instances.end() ? nullptr : &*found;
}

std::string failure_reason(const Scenario& scenario, const Failure& explained) {
  const auto reason = reason_of(scenario, explained);
  return reason ? reason_text(reason->check, reason->status) : none_found(explained);
}

std::string failure_message(const Scenario& scenario, const Failure& explained) {
  const auto& workload = scenario.workloads[explained.turn.workload];
  const auto reason = reason_of(scenario, explained);
  if (workload.kind == WorkloadKind::kTasks) {
    if (!reason) return none_found(explained);
    if (!explained.closest)
      return "no container instance can take tasks: " + reason_text(reason->check, reason->status);
    return fmt::format("RunTask failure: {} on {}", reason_text(reason->check, reason->status),
                       scenario.instances[*explained.closest].id);
  }
  std::string text =
      fmt::format("service {} was unable to place a task because no container instance met all of its requirements. ",
                  workload.name);
  if (reason && explained.closest) {
    text += fmt::format("The closest matching container-instance {} {}", scenario.instances[*explained.closest].id,
                        event_words(reason->check, reason->status));
  } else {
    text += "Reason: " + none_found(explained);
  }
  return text + " " + std::string(kTroubleshooting);
}

}  // namespace bayplan::placement
