#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "base/optional_index.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "model/deployment.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "placement/model/timetable.hpp"

/// What happened: the result of a simulation over time.
namespace bayplan::timeline {

using placement::Seconds;

inline constexpr OptionalIndex kNoIndex;

/// What an event says. In parentheses: what `Event::subject` numbers.
enum class EventKind : std::uint8_t {
  kTaskArrived,            ///< (task) RunTask was called, or a service wants it.
  kTaskPlaced,             ///< (task) PENDING on `instance`.
  kTaskWaiting,            ///< (task) Found no place: waits in the queue, or a service tries again later.
  kTaskCouldStart,         ///< (task) There is a place for it, but the task numbered `value` is before it in the queue.
  kTaskProvisioning,       ///< (task) Found no place on its managed capacity provider: PROVISIONING.
  kTaskFailed,             ///< (task) Found no place, or not in time: for good.
  kTaskRunning,            ///< (task) Its containers run.
  kTaskHealthy,            ///< (task) Service tasks only.
  kTaskStopping,           ///< (task) Began to stop.
  kTaskStopped,            ///< (task) Gave back what it held, or gave up before it had a place.
  kInstanceLaunched,       ///< (instance) Paid for from here on.
  kInstanceActive,         ///< (instance) Takes tasks.
  kInstanceDraining,       ///< (instance)
  kInstanceTerminated,     ///< (instance) Paid for up to here.
  kZoneLost,               ///< (scenario event)
  kServiceUpdated,         ///< (scenario event)
  kDeploymentStopped,      ///< (scenario event) StopServiceDeployment.
  kAlarmRaised,            ///< (scenario event)
  kDesiredCapacitySet,     ///< (scenario event) `value`: the desired capacity of the group from here on.
  kTaskProtectionUpdated,  ///< (scenario event)
  kDeploymentStarted,      ///< (deployment)
  kDeploymentCompleted,    ///< (deployment)
  kDeploymentFailed,       ///< (deployment) Deployment::failure says why.
  kDeploymentStuck,        ///< (deployment) Nothing more can start or stop.
  kDeploymentStage,        ///< (deployment) It enters the DeploymentStage numbered `value`.
  kRollback,               ///< (deployment) The one that is rolled back to, started anew.
  kSteadyState,            ///< (service)
  kLaunchRateReached,      ///< (service) It has requested as many tasks within a minute as ECS launches for it.
  kRebalancingStarted,     ///< (service)
  kRebalancingCompleted,   ///< (service)
  kScaleOut,               ///< (group) `value`: the desired capacity from here on.
  kScaleIn,                ///< (group) `value`: the desired capacity from here on.
  kNothingNamed,           ///< (scenario event) Named a task that has ended, or an instance that is gone: no effect.
  kJobStarted,             ///< (job) Every task of it has a place.
  kJobFailed,              ///< (job) One of its tasks failed.
  kSpotInterruption,       ///< (instance) Spot interruption notice: it ends two minutes later.
  kRebalanceRecommendation,  ///< (instance)
};

std::string_view name_of(EventKind kind);  ///< Returns the name in reports: "TASK_PLACED" ...

constexpr bool is_about_task(EventKind kind) {
  return kind <= EventKind::kTaskStopped;
}
constexpr bool is_about_instance(EventKind kind) {
  return kind >= EventKind::kInstanceLaunched && kind <= EventKind::kInstanceTerminated;
}
/// Its subject is an instance, whose state it does not change.
constexpr bool is_notice(EventKind kind) {
  return kind == EventKind::kSpotInterruption || kind == EventKind::kRebalanceRecommendation;
}
/// Its subject is an event of the scenario that had an effect.
constexpr bool is_about_scenario_event(EventKind kind) {
  return kind >= EventKind::kZoneLost && kind <= EventKind::kTaskProtectionUpdated;
}
constexpr bool is_about_deployment(EventKind kind) {
  return kind >= EventKind::kDeploymentStarted && kind <= EventKind::kRollback;
}

/// Why a task stops, or stopped; the words are the report's.
enum class StopCause : std::uint8_t {
  kNone,
  kEnded,         ///< Its duration was over.
  kStopTask,      ///< An event of the scenario.
  kScaledIn,      ///< The service has too many.
  kReplaced,      ///< A newer deployment replaced it.
  kDraining,      ///< Its instance drains.
  kInstanceGone,  ///< Its instance was terminated.
  kRebalanced,
  kProvisioningTimeout,
  kProvisioningLimit,  ///< Too many PROVISIONING tasks.
  kJobFailed,          ///< Another task of its all-or-nothing job failed.
  kRolledBack,         ///< Its deployment failed.
};
std::string_view name_of(StopCause cause);  ///< Returns the name in reports: "ended" ...

/// One line of the log. The log is in the order in which things happen; times never go back.
struct Event {
  Seconds at = 0;
  EventKind kind = EventKind::kTaskArrived;
  StopCause stop = StopCause::kNone;  ///< kTaskStopping, kTaskStopped, kTaskFailed.
  std::uint32_t subject = 0;
  OptionalIndex instance;  ///< Index into History::instances, where one is concerned.
  OptionalIndex cause;     ///< Index of the event that led to this one; kNoIndex: the scenario itself.
  std::int64_t value = 0;
  bool operator==(const Event&) const = default;
};

/// A task from its arrival to its end.
struct Task {
  OptionalIndex
      workload;  ///< Into Scenario::workloads; none where no service has the definition of a task that ran before.
  std::int64_t number = 0;          ///< "<name>#<number>"
  OptionalIndex deployment;         ///< Service tasks only: index into History::deployments.
  OptionalIndex job;                ///< All-or-nothing calls: index into History::jobs.
  OptionalIndex capacity_provider;  ///< Position in the workload's providers.
  OptionalIndex instance;           ///< Index into History::instances; where it is or was.
  Seconds arrived_at = 0;
  std::optional<Seconds> placed_at;
  std::optional<Seconds> started_at;  ///< RUNNING.
  std::optional<Seconds> stopped_at;  ///< Its resources are free; also of tasks that failed without a place.
  StopCause stop = StopCause::kNone;
  bool failed = false;  ///< Never had a place, and never will.
  bool tied = false;
  OptionalIndex failure;  ///< Index into History::failures: why it has or had no place.
  OptionalIndex running;  ///< Ran before the start: index into Scenario::running.
  std::vector<placement::ContainerGpus> gpus;
  bool operator==(const Task&) const = default;
};

/// An instance from its launch to its end.
struct Instance {
  std::string id;
  std::uint32_t profile = 0;  ///< Index into Scenario::profiles: as it was when it came.
  OptionalIndex group;        ///< Index into Timetable::groups.
  Seconds launched_at = 0;
  std::optional<Seconds> active_at;
  std::optional<Seconds> draining_at;
  std::optional<Seconds> terminated_at;
  bool operator==(const Instance&) const = default;
};

/// Why a deployment is FAILED.
enum class DeploymentFailure : std::uint8_t {
  kNone,
  kCircuitBreaker,
  kStageLimit,  ///< Its new tasks were not healthy in time.
  kAlarm,
  kHook,     ///< A PAUSE hook was not continued before its time-out.
  kStopped,  ///< StopServiceDeployment.
};
std::string_view name_of(DeploymentFailure failure);  ///< Returns the name in reports: "circuitBreaker" ...

/// A deployment that runs both revisions enters a stage.
struct EnteredStage {
  model::DeploymentStage stage = model::DeploymentStage::kPreScaleUp;
  Seconds at = 0;
  bool operator==(const EnteredStage&) const = default;
};

struct Deployment {
  std::uint32_t service = 0;  ///< Index into Timetable::services.
  std::uint32_t workload = 0;
  Seconds started_at = 0;
  std::optional<Seconds> ended_at;
  enum class State : std::uint8_t { kInProgress, kCompleted, kFailed, kSuperseded } state = State::kInProgress;
  bool is_stuck = false;          ///< The deployment is stuck at the end of the run.
  std::int64_t failed_tasks = 0;  ///< Total number of failed tasks.
  DeploymentFailure failure = DeploymentFailure::kNone;
  std::vector<EnteredStage> stages = {};  ///< Empty for deployments that replace tasks as ROLLING does.
  bool operator==(const Deployment&) const = default;
};

/// Tasks of an all-or-nothing call.
struct Job {
  std::vector<std::uint32_t> tasks;
  std::optional<Seconds> started_at;  ///< All of them run.
  bool failed = false;
  bool operator==(const Job&) const = default;
};

/// A data point of CapacityProviderReservation, where it differs from the one before in any figure.
struct Metric {
  Seconds at = 0;
  std::uint32_t group = 0;
  std::int64_t needed = 0;              ///< M
  std::int64_t running = 0;             ///< N
  std::int64_t percent_millionths = 0;  ///< M / N x 100, in millionths of a percent.
  std::int64_t desired_capacity = 0;    ///< Desired capacity before the group acts on it.
  bool operator==(const Metric&) const = default;
};

enum class EndReason : std::uint8_t {
  kNothingLeft,  ///< Nothing more can happen.
  kUntil,        ///< `--until`.
  kEndless,      ///< The same events repeat without end.
};

struct History {
  std::vector<Event> events;
  std::vector<Task> tasks;          ///< Listed in order of arrival; first those that ran before the start.
  std::vector<Instance> instances;  ///< Instances of the scenario first, in its order.
  std::vector<Deployment> deployments;
  std::vector<Job> jobs;
  std::vector<Metric> metrics;
  std::vector<placement::Failure> failures;  ///< Why; tasks refer to them. Instances by History::instances.
  std::vector<Error> errors;  ///< Events of the scenario that contradict what happened; the run ended there.
  Seconds end = 0;
  EndReason end_reason = EndReason::kNothingLeft;
};

}  // namespace bayplan::timeline
