#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/deployment.hpp"
#include "placement/model/instance_profile.hpp"

/// What can happen to a cluster, in one vocabulary: the `events` of a scenario file, the timeline that runs them, and
/// the variants of whatif and sweep. Changes of the question itself (a size, a strategy) are study::ScenarioChange.
///
/// Two lists say where an event can happen: `TimelineEvent` in a run over time, `InstantEvent` to a placed cluster. All
/// that handles a list visits it without a default, so the compiler names every place that a new event lacks.
///
/// A scenario file names instances and tasks by id or glob, which are looked up when the event happens. A variant of a
/// scenario at time 0 knows them by index.
namespace bayplan::placement {

using Seconds = std::int64_t;

/// Configurable since July 2026: API_DeploymentCircuitBreaker, thresholdConfiguration.
enum class ThresholdType : std::uint8_t { kBoundedPercent, kUnboundedPercent, kCount };

struct CircuitBreaker {
  bool enabled = false;
  bool rollback = false;
  ThresholdType type = ThresholdType::kBoundedPercent;
  std::int64_t value = 50;            ///< Percent of desiredCount, or a count.
  bool reset_on_healthy_task = true;  ///< A task that becomes healthy sets the count of failures back to 0.

  /// Failed tasks that end a deployment of `desired_count` tasks: at least 1; kBoundedPercent 3 to 200.
  std::int64_t threshold(std::int64_t desired_count) const;
};

/// Instances join behind the others, ACTIVE and empty.
struct AddInstances {
  std::vector<InstanceProfile> profiles;  ///< Empty: those of the scenario.
  /// In order. `profile` is a position in `profiles`, or in Scenario::profiles when there are none. Without an id they
  /// are "<type>#<n>", after those that there were before.
  std::vector<ContainerInstance> instances;
};

/// The instances are gone, and their tasks with them.
struct TerminateInstances {
  std::vector<std::uint32_t> instances;  ///< Indexes into Scenario::instances, sorted.
  std::string pattern = {};              ///< Id or glob; empty when `instances` says.
};

/// The instances take no more tasks; those of services move within their healthy percents.
struct DrainInstances {
  std::vector<std::uint32_t> instances;  ///< Instances as in TerminateInstances.
  std::string pattern = {};
};

struct LoseAvailabilityZone {
  std::string zone;
};

/// Terminates `count` instances of the type: those with the fewest tasks but for daemons, the last in file order among
/// equals.
struct RemoveInstances {
  std::string instance_type;
  std::int64_t count = 0;
};

struct UpdateService {
  std::uint32_t service = 0;              ///< Index into Timetable::services.
  std::optional<std::uint32_t> workload;  ///< A new deployment: workload of its tasks; not in `calls`.
  std::optional<std::int64_t> desired_count;
  std::optional<std::int64_t> minimum_healthy_percent;  ///< It applies to this and later deployments.
  std::optional<std::int64_t> maximum_percent;
  std::optional<CircuitBreaker> circuit_breaker;
  std::optional<bool> rebalances;
  std::optional<model::DeploymentSettings> settings;  ///< How the deployment that it starts, and later ones, proceed.
};

/// StopServiceDeployment with stopType ROLLBACK: the deployment in progress fails, and the service rolls back whatever
/// its settings (stop-service-deployment).
struct StopServiceDeployment {
  std::uint32_t service = 0;  ///< Index into Timetable::services.
};

/// A CloudWatch alarm goes into ALARM: every deployment in progress that watches it fails.
struct RaiseAlarm {
  std::string name;
};

/// Spot instances receive an interruption notice and are terminated two minutes later.
struct InterruptSpotInstances {
  std::string
      pattern;  ///< Id, glob, or Spot capacity pool ("m5.large@us-east-1a"), which has no capacity from then on.
};

/// Spot instances receive a rebalance recommendation: groups with capacityRebalance launch replacements first.
struct RecommendRebalance {
  std::string pattern;  ///< Pattern as in InterruptSpotInstances; a pool keeps its capacity.
};

/// SetDesiredCapacity of the Auto Scaling group of a provider, within its minSize and maxSize.
struct SetDesiredCapacity {
  std::string capacity_provider;
  std::int64_t desired_capacity = 0;
};

/// UpdateTaskProtection: until it expires, neither scale-in nor a deployment stops the tasks, which belong to services.
struct UpdateTaskProtection {
  std::string pattern;        ///< Id of a running task, "<service>#<n>", or a glob.
  Seconds expires_after = 0;  ///< 0: the protection ends now.
};

/// desiredCount of a service, or the number of tasks of all RunTask calls of the family together.
struct Scale {
  std::vector<std::uint32_t> workloads;  ///< One service, or the RunTask workloads of one name in order.
  std::int64_t count = 0;
};

/// A rolling deployment of a service, once the cluster has settled after the other events.
struct Deploy {
  std::uint32_t workload = 0;         ///< The service.
  std::uint32_t task_definition = 0;  ///< Index into Scenario::task_definitions.
};

struct StopTasks {
  std::string pattern;  ///< Id of a running task, "<workload>#<n>", or a glob.
};

/// What can happen in a run over time: each is a key of the entries of `events` (scenario/load_events.cpp).
using TimelineEvent = std::variant<AddInstances, DrainInstances, TerminateInstances, LoseAvailabilityZone,
                                   UpdateService, StopTasks, StopServiceDeployment, RaiseAlarm, InterruptSpotInstances,
                                   RecommendRebalance, SetDesiredCapacity, UpdateTaskProtection>;

/// What can happen to a placed cluster at one instant (study::ClusterSimulation). study/whatif turns RemoveInstances
/// and Scale into events of a run when it knows what runs.
using InstantEvent = std::variant<AddInstances, TerminateInstances, DrainInstances, RemoveInstances, Scale>;

/// What the event names by a text; null when it names a service, or nothing.
inline const std::string* subject_of(const AddInstances&) {
  return nullptr;
}
inline const std::string* subject_of(const DrainInstances& event) {
  return &event.pattern;
}
inline const std::string* subject_of(const TerminateInstances& event) {
  return &event.pattern;
}
inline const std::string* subject_of(const LoseAvailabilityZone& event) {
  return &event.zone;
}
inline const std::string* subject_of(const UpdateService&) {
  return nullptr;
}
inline const std::string* subject_of(const StopTasks& event) {
  return &event.pattern;
}
inline const std::string* subject_of(const StopServiceDeployment&) {
  return nullptr;
}
inline const std::string* subject_of(const RaiseAlarm& event) {
  return &event.name;
}
inline const std::string* subject_of(const InterruptSpotInstances& event) {
  return &event.pattern;
}
inline const std::string* subject_of(const RecommendRebalance& event) {
  return &event.pattern;
}
inline const std::string* subject_of(const SetDesiredCapacity& event) {
  return &event.capacity_provider;
}
inline const std::string* subject_of(const UpdateTaskProtection& event) {
  return &event.pattern;
}

/// The instances, zone, tasks, alarm or capacity provider that the event names; empty when it names none.
const std::string& named_subject(const TimelineEvent& event);

/// The service that the event names, an index into Timetable::services; nothing when it names none.
std::optional<std::uint32_t> named_service(const TimelineEvent& event);

/// One entry of the scenario's `events`.
struct TimedEvent {
  Seconds at = 0;
  TimelineEvent event;
  Origin origin;
};

}  // namespace bayplan::placement
