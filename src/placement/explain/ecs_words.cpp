#include "placement/explain/ecs_words.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

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
  return failure.attempt.capacity_provider.has_value();
}

std::string none_found(const Failure& failure) {
  return fmt::format("No Container Instances were found in your {}.",
                     in_provider(failure) ? "capacity provider" : "cluster");
}

std::string first_reason(const Scenario& scenario, const Rejection& rejection) {
  const auto& profile = scenario.profiles[scenario.instances[rejection.instance].profile];
  return reason_text(rejection.failed.first(), profile.status);
}

/// ECS looks at the instance at all.
bool is_considered(const Rejection& rejection) {
  return !rejection.failed.has(Check::kStatus) && !rejection.failed.has(Check::kCapacityProvider);
}

}  // namespace

bool lists_every_instance(const Failure& explained) {
  const auto& counts = explained.rejected;
  std::int64_t counted = std::accumulate(counts.by_check.begin(), counts.by_check.end(), std::int64_t{0});
  for (const auto& rejection : explained.instances) {
    for (std::size_t i = 0; i < kCheckCount; ++i) counted -= rejection.failed.has(static_cast<Check>(i)) ? 1 : 0;
  }
  return counted == 0;
}

std::optional<std::string> none_to_consider(const Scenario& scenario, const Failure& explained) {
  if (explained.closest) return std::nullopt;
  if (!in_provider(explained)) return none_found(explained);
  const auto all = lists_every_instance(explained) ? explained.instances.size() : scenario.instances.size();
  const auto foreign = static_cast<std::size_t>(explained.rejected.of(Check::kCapacityProvider));
  return foreign == all ? "EMPTY CAPACITY PROVIDER" : "NO ACTIVE INSTANCES";
}

bool is_provisioning(const Scenario& scenario, const Failure& failure) {
  const auto& managed = scenario.managed_providers;
  return in_provider(failure) &&
         std::binary_search(managed.begin(), managed.end(), capacity_provider_of(scenario, failure.attempt));
}

std::vector<ApiFailure> api_failures(const Scenario& scenario, const Failure& explained) {
  if (auto none = none_to_consider(scenario, explained)) return {{std::nullopt, *std::move(none)}};
  std::vector<ApiFailure> failures;
  for (const auto& rejection : explained.instances) {
    if (is_considered(rejection)) failures.push_back({rejection.instance, first_reason(scenario, rejection)});
  }
  return failures;
}

std::string failure_reason(const Scenario& scenario, const Failure& explained) {
  if (explained.closest) return first_reason(scenario, *find_rejection(explained, *explained.closest));
  if (in_provider(explained) || explained.instances.empty()) return *none_to_consider(scenario, explained);
  return first_reason(scenario, explained.instances.front());
}

std::string placement_event(const Scenario& scenario, const Failure& explained) {
  std::string text =
      fmt::format("service {} was unable to place a task because no container instance met all of its requirements. ",
                  scenario.workloads[explained.attempt.workload].name);
  if (explained.closest) {
    const auto& closest = scenario.instances[*explained.closest];
    const Check check = find_rejection(explained, *explained.closest)->failed.first();
    text += fmt::format("The closest matching container-instance {} {}", closest.id,
                        event_words(check, scenario.profiles[closest.profile].status));
  } else {
    text += "Reason: " + none_found(explained);
  }
  return text + " " + std::string(kTroubleshooting);
}

std::string steady_state_event(const Workload& service) {
  return fmt::format("service {} has reached a steady state.", service.name);
}

std::string blocked_deployment_event(const Workload& service) {
  return fmt::format(
      "(service {}) was unable to stop or start tasks during a deployment because of the service deployment "
      "configuration. Update the minimumHealthyPercent or maximumPercent value and try again.",
      service.name);
}

std::string failure_message(const Scenario& scenario, const Failure& explained) {
  const std::string reason = failure_reason(scenario, explained);
  if (is_provisioning(scenario, explained)) {
    return fmt::format("PROVISIONING: waits for capacity provider {} to start an instance; now {}",
                       capacity_provider_of(scenario, explained.attempt), reason);
  }
  if (scenario.workloads[explained.attempt.workload].kind != WorkloadKind::kTasks) {
    return placement_event(scenario, explained);
  }
  if (explained.closest)
    return fmt::format("RunTask failure: {} on {}", reason, scenario.instances[*explained.closest].id);
  if (in_provider(explained)) return "RunTask failure: " + reason;
  if (explained.instances.empty()) return reason;
  return "no container instance can take tasks: " + reason;
}

}  // namespace bayplan::placement
