#include "report/timeline/timeline_words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::Scenario;

namespace {

/// Some events of one key, and how to speak of them.
class Sentence {
 public:
  Sentence(const TimelineReport& report, std::span<const Event* const> alike)
      : report_(report), history_(report.history()), scenario_(report.scenario()), alike_(alike), first_(*alike[0]) {}

  std::string words() const {
    switch (first_.kind) {
      case EventKind::kZoneLost:
        return subject() + " is lost";
      case EventKind::kServiceUpdated:
        return service_name(*placement::named_service(event())) + " is updated";
      case EventKind::kDeploymentStopped:
        return "the deployment of " + service_name(*placement::named_service(event())) + " is stopped";
      case EventKind::kAlarmRaised:
        return "alarm " + subject() + " goes into ALARM";
      case EventKind::kDesiredCapacitySet:
        return fmt::format("the desired capacity of {} is set to {}", subject(), first_.value);
      case EventKind::kTaskProtectionUpdated: {
        const auto lasts = std::get<placement::UpdateTaskProtection>(event()).expires_after;
        return lasts > 0 ? fmt::format("{} is protected from scale-in for {}", subject(), duration(lasts))
                         : subject() + " is no longer protected from scale-in";
      }
      case EventKind::kNothingNamed:
        if (const auto* stop = std::get_if<placement::StopServiceDeployment>(&event()))
          return service_name(stop->service) + " has no deployment in progress to stop: no effect";
        if (const auto service = placement::named_service(event())) return service_name(*service) + ": no effect";
        if (std::holds_alternative<placement::UpdateTaskProtection>(event()))
          return subject() +
                 ": no effect (ECS protects running tasks of services, and none while protected ones hold up a "
                 "deployment)";
        return subject() + " names nothing that is there any more: no effect";
      case EventKind::kSteadyState:
        return service_name(first_.subject) + " is in a steady state";
      case EventKind::kLaunchRateReached:
        return fmt::format("{} reaches its launch rate of {} a minute; more tasks follow as it permits",
                           service_name(first_.subject), count_of(scenario_.timetable.timing.launch_rate, "task"));
      case EventKind::kRebalancingStarted:
        return service_name(first_.subject) + " starts to rebalance its tasks over the zones";
      case EventKind::kRebalancingCompleted:
        return service_name(first_.subject) + " has rebalanced its tasks over the zones";
      case EventKind::kScaleOut:
      case EventKind::kScaleIn:
        return scaled();
      case EventKind::kJobStarted:
        return "all tasks of a job are placed: " + job();
      case EventKind::kJobFailed:
        return "a job fails, and with it all its tasks: " + job();
      case EventKind::kDeploymentStarted:
      case EventKind::kDeploymentCompleted:
      case EventKind::kDeploymentFailed:
      case EventKind::kDeploymentStuck:
      case EventKind::kDeploymentStage:
      case EventKind::kRollback:
        return about_deployment();
      case EventKind::kTaskArrived:
      case EventKind::kTaskPlaced:
      case EventKind::kTaskWaiting:
      case EventKind::kTaskCouldStart:
      case EventKind::kTaskProvisioning:
      case EventKind::kTaskFailed:
      case EventKind::kTaskRunning:
      case EventKind::kTaskHealthy:
      case EventKind::kTaskStopping:
      case EventKind::kTaskStopped:
        return tasks().append(" ").append(about_tasks());
      case EventKind::kInstanceLaunched:
      case EventKind::kInstanceActive:
      case EventKind::kInstanceDraining:
      case EventKind::kInstanceTerminated:
      case EventKind::kSpotInterruption:
      case EventKind::kRebalanceRecommendation:
        return instances().append(" ").append(about_instances());
    }
    return {};
  }

 private:
  bool one() const { return alike_.size() == 1; }
  /// "waits", "wait"
  std::string verb(std::string_view singular, std::string_view plural) const {
    return std::string(one() ? singular : plural);
  }
  std::string are() const { return verb("is", "are"); }
  const Task& task() const { return history_.tasks[first_.subject]; }

  std::vector<std::uint32_t> subjects() const {
    std::vector<std::uint32_t> all;
    for (const Event* event : alike_) all.push_back(event->subject);
    return all;
  }
  std::string tasks() const { return one() ? task_id(scenario_, task()) : task_names(scenario_, history_, subjects()); }
  std::string instances() const {
    return one() ? instance_name(history_.instances[first_.subject]) : instance_names(history_, subjects());
  }

  /// The instances that the tasks are or were placed on; empty when none of them ever was.
  std::string hosts() const {
    std::vector<std::uint32_t> all;
    for (const Event* event : alike_) {
      const OptionalIndex instance = host(*event);
      if (instance && std::find(all.begin(), all.end(), *instance) == all.end()) all.push_back(*instance);
    }
    if (all.empty()) return {};
    return one() ? instance_name(history_.instances[all.front()]) : instance_names(history_, all);
  }

  OptionalIndex host(const Event& event) const {
    return event.instance ? event.instance : history_.tasks[event.subject].instance;
  }

  /// A daemon's task that found no room stops with the instance that it was meant for.
  std::string gone() const {
    const std::string names = hosts();
    return names.empty() ? verb(": its instance is gone", ": their instances are gone") : ": " + names + " is gone";
  }

  std::string waited() const {
    const Seconds seconds = first_.at - task().arrived_at;
    return seconds == 0 ? "" : fmt::format(" ({}waited {})", one() ? "" : "each ", duration(seconds));
  }

  std::string why() const {
    const auto* failure = report_.why(task());
    return failure == nullptr ? "" : ": " + report_.why_words(*failure);
  }

  /// Explains why a PROVISIONING task failed.
  std::string why_at_last() const {
    if (report_.why(task()) == nullptr) return {};
    using State = TaskWithoutPlace::State;
    return ": " + reason_words(report_, {first_.subject, first_.at, State::kFailed, report_.why(task())});
  }

  std::string behind() const {
    return report_.figures().was_behind[first_.subject] ? " behind others in the queue" : why();
  }

  std::string about_tasks() const {
    switch (first_.kind) {
      case EventKind::kTaskArrived:
        return verb("arrives", "arrive");
      case EventKind::kTaskPlaced:
        return placed() + waited();
      case EventKind::kTaskWaiting:
        return verb("waits", "wait") + behind();
      case EventKind::kTaskCouldStart:
        return fmt::format("could start, but {} is before {} in the queue", front(), one() ? "it" : "them");
      case EventKind::kTaskProvisioning:
        return are() + " PROVISIONING" + why();
      case EventKind::kTaskFailed:
        return failed();
      case EventKind::kTaskRunning:
        return are() + " RUNNING";
      case EventKind::kTaskHealthy:
        return are() + " healthy";
      case EventKind::kTaskStopping:
        return verb("receives", "receive") + " the stop signal" + stop_words();
      default:
        return stopped();
    }
  }

  std::string placed() const {
    const auto& own = task();
    if (own.job != kNoIndex && history_.jobs[*own.job].started_at != std::optional(first_.at)) {
      return fmt::format("{} resources on {} and {} for the rest of the job", verb("reserves", "reserve"), hosts(),
                         verb("waits", "wait"));
    }
    const bool at_once = own.started_at == std::optional(first_.at);
    return (at_once ? verb("starts", "start") : are() + " placed") + " on " + hosts();
  }

  std::string front() const { return task_id(scenario_, history_.tasks[static_cast<std::size_t>(first_.value)]); }

  std::string failed() const {
    switch (first_.stop) {
      case StopCause::kProvisioningTimeout:
        return verb("fails", "fail") + " after " + duration(first_.at - task().arrived_at) + " of PROVISIONING" +
               why_at_last();
      case StopCause::kProvisioningLimit:
        return verb("fails", "fail") + ": " + std::to_string(scenario_.timetable.timing.provisioning_limit) +
               " tasks are PROVISIONING already";
      case StopCause::kJobFailed:
        return verb("fails", "fail") + " with the rest of the job";
      case StopCause::kStopTask:
        return verb("is", "are") + " canceled (stopTask)";
      default:
        return verb("cannot", "cannot") + " be placed" + why();
    }
  }

  std::string stopped() const {
    if (first_.stop == StopCause::kEnded) return verb("ends", "end");
    return verb("stops", "stop") + stop_words();
  }

  std::string stop_words() const {
    switch (first_.stop) {
      case StopCause::kStopTask:
        return " (stopTask)";
      case StopCause::kScaledIn:
        return ": the service is scaled in";
      case StopCause::kReplaced:
        return ": replaced by a newer deployment";
      case StopCause::kDraining:
        return ": " + verb("its instance drains", "their instance drains");
      case StopCause::kInstanceGone:
        return gone();
      case StopCause::kRebalanced:
        return ": rebalanced to another zone";
      case StopCause::kProvisioningTimeout:
        return " after " + duration(first_.at - task().arrived_at) + " of PROVISIONING";
      case StopCause::kProvisioningLimit:
        return ": too many tasks are PROVISIONING";
      case StopCause::kJobFailed:
        return ": another task of the job failed";
      case StopCause::kRolledBack:
        return ": its deployment failed";
      default:
        return "";
    }
  }

  std::string about_instances() const {
    const auto& instance = history_.instances[first_.subject];
    switch (first_.kind) {
      case EventKind::kInstanceLaunched:
        return are() + " launched" + because(find_root_event(first_));
      case EventKind::kInstanceActive: {
        const bool booted = instance.launched_at < first_.at;
        if (!booted) return verb("joins", "join") + " the cluster";
        return fmt::format("{} ACTIVE, launched at {}{}", are(), duration(instance.launched_at),
                           because(find_root_event(first_)));
      }
      case EventKind::kSpotInterruption:
        return verb("receives", "receive") + " a Spot interruption notice";
      case EventKind::kRebalanceRecommendation:
        return verb("receives", "receive") + " a rebalance recommendation";
      case EventKind::kInstanceDraining:
        return verb("drains", "drain") + because(is_scaling(find_cause(first_)) ? nullptr : find_cause(first_));
      default:
        return are() + " terminated" + because(is_scaling(find_cause(first_)) ? nullptr : find_cause(first_));
    }
  }

  std::string about_deployment() const {
    const auto& deployment = history_.deployments[first_.subject];
    const auto name = deployment_name(scenario_, deployment);
    switch (first_.kind) {
      case EventKind::kDeploymentStarted:
        return "deployment of " + name + " begins";
      case EventKind::kDeploymentCompleted:
        return "deployment of " + name + " is complete";
      case EventKind::kDeploymentFailed:
        return fmt::format("deployment of {} fails: {}{}", name, failure_words(deployment),
                           deployment.failure == DeploymentFailure::kCircuitBreaker ? " in all" : "");
      case EventKind::kDeploymentStage:
        return fmt::format("deployment of {} enters {}", name,
                           model::name_of(static_cast<model::DeploymentStage>(first_.value)));
      case EventKind::kDeploymentStuck:
        return "deployment of " + name + " never finishes: nothing more can start or stop";
      default:
        return "back to " + name;
    }
  }

  /// "gpu scales out to 1 instance (M 1, N 0) because train#1 waits"
  std::string scaled() const {
    const auto& group = scenario_.timetable.groups[first_.subject];
    return fmt::format("{} scales {} to {}{}{}", group.capacity_provider,
                       first_.kind == EventKind::kScaleOut ? "out" : "in", count_of(first_.value, "instance"), metric(),
                       because(find_cause(first_)));
  }

  /// The group's data point that was in force.
  std::string metric() const {
    const auto is_before = [&](const Metric& metric) { return metric.at <= first_.at; };
    auto next = std::partition_point(history_.metrics.begin(), history_.metrics.end(), is_before);
    while (next != history_.metrics.begin()) {
      --next;
      if (next->group == first_.subject) return fmt::format(" (M {}, N {})", next->needed, next->running);
    }
    return {};
  }

  /// The line above says so.
  static bool is_scaling(const Event* cause) { return cause != nullptr && cause->kind == EventKind::kScaleIn; }

  std::string job() const { return task_names(scenario_, history_, history_.jobs[first_.subject].tasks); }
  const placement::TimelineEvent& event() const { return scenario_.timetable.events[first_.subject].event; }
  const std::string& subject() const { return placement::named_subject(event()); }
  std::string service_name(std::uint32_t service) const {
    return scenario_.workloads[scenario_.timetable.services[service].workload].name;
  }

  const Event* find_cause(const Event& event) const {
    return event.cause == kNoIndex ? nullptr : &history_.events[*event.cause];
  }

  /// An instance comes because a group scales, which scales because of a task: the task is what a reader asks for.
  const Event* find_root_event(const Event& event) const {
    const Event* root = find_cause(event);
    const auto is_in_between = [](EventKind kind) {
      return kind == EventKind::kInstanceLaunched || kind == EventKind::kScaleOut;
    };
    while (root != nullptr && is_in_between(root->kind) && find_cause(*root) != nullptr) root = find_cause(*root);
    return root;
  }

  std::string because(const Event* cause) const {
    return cause == nullptr ? "" : " because " + short_words(report_, *cause);
  }

  const TimelineReport& report_;
  const History& history_;
  const Scenario& scenario_;
  const std::span<const Event* const> alike_;
  const Event& first_;
};

std::string_view past_of(EventKind kind) {
  switch (kind) {
    case EventKind::kTaskArrived:
      return "arrived";
    case EventKind::kTaskPlaced:
      return "was placed";
    case EventKind::kTaskWaiting:
      return "waits";
    case EventKind::kTaskProvisioning:
      return "waits";
    case EventKind::kTaskFailed:
      return "failed";
    case EventKind::kTaskRunning:
      return "runs";
    case EventKind::kTaskHealthy:
      return "is healthy";
    case EventKind::kTaskStopping:
      return "is stopping";
    case EventKind::kTaskStopped:
      return "stopped";
    case EventKind::kInstanceLaunched:
      return "was launched";
    case EventKind::kInstanceActive:
      return "is ACTIVE";
    case EventKind::kInstanceDraining:
      return "drains";
    case EventKind::kInstanceTerminated:
      return "is gone";
    case EventKind::kSpotInterruption:
      return "was interrupted";
    case EventKind::kRebalanceRecommendation:
      return "received a rebalance recommendation";
    default:
      return "";
  }
}

}  // namespace

std::string short_words(const TimelineReport& report, const Event& event) {
  const auto& history = report.history();
  const auto& scenario = report.scenario();
  if (is_about_task(event.kind)) {
    const bool ended = event.kind == EventKind::kTaskStopped && event.stop == StopCause::kEnded;
    return task_id(scenario, history.tasks[event.subject]) + " " + std::string(ended ? "ended" : past_of(event.kind));
  }
  if (is_about_instance(event.kind) || is_notice(event.kind))
    return history.instances[event.subject].id + " " + std::string(past_of(event.kind));
  return event_words(report, event);
}

std::string event_words(const TimelineReport& report, std::span<const Event* const> alike) {
  return Sentence(report, alike).words();
}

std::string event_words(const TimelineReport& report, const Event& event) {
  const Event* const alone = &event;
  return event_words(report, {&alone, 1});
}

std::string_view rollout_state(Deployment::State state) {
  switch (state) {
    case Deployment::State::kCompleted:
      return "COMPLETED";
    case Deployment::State::kFailed:
      return "FAILED";
    case Deployment::State::kSuperseded:
      return "SUPERSEDED";
    default:
      return "IN_PROGRESS";
  }
}

}  // namespace bayplan::report
