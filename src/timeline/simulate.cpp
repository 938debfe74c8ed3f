#include "timeline/simulate.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/core.h>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "timeline/base_service.hpp"
#include "timeline/cluster.hpp"
#include "timeline/daemon_service.hpp"
#include "timeline/instance_groups.hpp"
#include "timeline/replica_service.hpp"
#include "timeline/spot_interruptions.hpp"
#include "timeline/task_queue.hpp"

namespace bayplan::timeline {

namespace {

/// The data points of managed groups, as long as one can lead to something.
class Ticks {
 public:
  Ticks(const Cluster& cluster, const InstanceGroups& groups)
      : cluster_(cluster), is_needed_(groups.has_managed()), most_quiet_(groups.quiet_ticks()) {}

  Seconds next() const {
    if (!is_needed_ || (is_off_ && !has_news())) return kNever;
    const Seconds period = cluster_.timetable().timing.metric_period;
    return (std::max(cluster_.now, last_) / period + 1) * period;
  }
  /// Whether there is one now.
  bool is_now() const {
    const Seconds now = cluster_.now;
    return is_needed_ && !(is_off_ && !has_news()) && now > 0 && now % cluster_.timetable().timing.metric_period == 0;
  }
  /// Must be called before the data points.
  void begin() {
    quiet_ = has_news() ? 0 : quiet_ + 1;
    is_off_ = quiet_ >= most_quiet_;
    seen_ = cluster_.history().events.size();
    last_ = cluster_.now;
  }

 private:
  bool has_news() const { return cluster_.history().events.size() != seen_; }

  const Cluster& cluster_;
  bool is_needed_;
  std::int64_t most_quiet_;
  std::int64_t quiet_ = 0;
  bool is_off_ = false;
  std::size_t seen_ = 0;
  Seconds last_ = 0;
};

/// What an event names: one thing by its name, which is the most frequent and is compared at once, or all that a glob
/// matches.
class NamedSubject {
 public:
  explicit NamedSubject(const std::string& pattern) : pattern_(pattern), is_glob_(is_glob(pattern)) {}
  bool is(const std::string& name) const { return is_glob_ ? glob_matches(pattern_, name) : pattern_ == name; }

 private:
  const std::string& pattern_;
  bool is_glob_;
};

/// Applies the scenario's own events, one after another.
class ScenarioEvents {
 public:
  ScenarioEvents(Cluster& cluster, InstanceGroups& groups, std::vector<std::unique_ptr<Service>>& services,
                 SpotInterruptions& spot)
      : cluster_(cluster), groups_(groups), services_(services), spot_(spot) {}

  Seconds next() const;
  /// All of this instant. False when one contradicts what has happened: History::errors says how.
  bool apply_due();

 private:
  bool apply(std::uint32_t index, const placement::AddInstances& event);
  bool apply(std::uint32_t index, const placement::TerminateInstances& event);
  bool apply(std::uint32_t index, const placement::DrainInstances& event);
  bool apply(std::uint32_t index, const placement::LoseAvailabilityZone& event);
  bool apply(std::uint32_t index, const placement::UpdateService& event);
  bool apply(std::uint32_t index, const placement::StopTasks& event);
  bool apply(std::uint32_t index, const placement::StopServiceDeployment& event);
  bool apply(std::uint32_t index, const placement::RaiseAlarm& event);
  bool apply(std::uint32_t index, const placement::InterruptSpotInstances& event);
  bool apply(std::uint32_t index, const placement::RecommendRebalance& event);
  bool apply(std::uint32_t index, const placement::SetDesiredCapacity& event);
  bool apply(std::uint32_t index, const placement::UpdateTaskProtection& event);
  std::vector<std::uint32_t> spot_instances(const std::string& pattern) const;
  /// Nothing is named: without effect, or an error when such a thing has never been there.
  bool nothing_named(std::uint32_t index, bool was_there, std::string_view what);
  bool no_task_named(std::uint32_t index, const NamedSubject& named);
  /// Notes that the event cannot happen.
  bool contradict(std::uint32_t index, std::string_view what);
  std::string name_of_task(std::uint32_t task) const;
  const std::vector<std::uint32_t>& tasks_not_stopped();

  Cluster& cluster_;
  InstanceGroups& groups_;
  std::vector<std::unique_ptr<Service>>& services_;
  SpotInterruptions& spot_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> not_stopped_;  ///< Tasks among the first `listed_` that had not stopped, ascending.
  std::uint32_t listed_ = 0;
};

/// The instances that an event is about: by index, or by name.
template <class Event>
class NamedInstances {
 public:
  NamedInstances(const Event& event, const Cluster& cluster)
      : event_(event), cluster_(cluster), named_(event.pattern) {}
  bool include(std::uint32_t instance) const {
    if (event_.pattern.empty()) return std::binary_search(event_.instances.begin(), event_.instances.end(), instance);
    if (placement::names_pool(event_.pattern)) return named_.is(placement::spot_pool(cluster_.profile(instance)));
    return named_.is(cluster_.history().instances[instance].id);
  }

 private:
  const Event& event_;
  const Cluster& cluster_;
  NamedSubject named_;
};

Seconds ScenarioEvents::next() const {
  const auto& all = cluster_.timetable().events;
  return next_ < all.size() ? all[next_].at : kNever;
}

bool ScenarioEvents::apply_due() {
  while (next() == cluster_.now) {
    const std::uint32_t index = next_++;
    const auto& timed = cluster_.timetable().events[index];
    if (!std::visit([&](const auto& event) { return apply(index, event); }, timed.event)) return false;
  }
  return true;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::AddInstances& event) {
  for (const auto& instance : event.instances) {
    const auto& zone = cluster_.scenario().profiles[instance.profile].availability_zone;
    if (groups_.is_lost(zone)) return contradict(index, fmt::format("availability zone {} is lost by then", zone));
  }
  for (const auto& instance : event.instances) {
    const auto id = instance.id.empty() ? groups_.next_id(instance.profile) : instance.id;
    cluster_.activate(cluster_.launch(instance.profile, kNoIndex, id, kNoIndex));
  }
  return true;
}

bool ScenarioEvents::nothing_named(std::uint32_t index, bool was_there, std::string_view what) {
  const auto& subject = placement::named_subject(cluster_.timetable().events[index].event);
  if (was_there || is_glob(subject)) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  return contradict(index, fmt::format("{}: {}", subject, what));
}

bool ScenarioEvents::contradict(std::uint32_t index, std::string_view what) {
  const auto& at = cluster_.timetable().events[index].origin;
  cluster_.history().errors.push_back(
      {.message = fmt::format("at {}: {}", placement::duration_text(cluster_.now), what),
       .file = at.file,
       .line = at.line,
       .column = at.column,
       .help = "let the event happen at another time, or name what is there by then"});
  return false;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::DrainInstances& event) {
  const NamedInstances named(event, cluster_);
  bool found = false;
  bool was_there = false;
  bool boots = false;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    if (!named.include(i)) continue;
    const auto stage = cluster_.instance(i).stage;
    boots |= stage == InstanceStage::kBooting;
    was_there |= stage != InstanceStage::kBooting;
    if (stage != InstanceStage::kActive) continue;
    found = true;
    cluster_.drain(i, kNoIndex);
  }
  return found || nothing_named(index, was_there, boots ? "this instance is not ACTIVE yet" : "no such instance yet");
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::TerminateInstances& event) {
  const NamedInstances named(event, cluster_);
  bool found = false;
  bool was_there = false;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    if (!named.include(i)) continue;
    was_there = true;
    if (cluster_.instance(i).stage == InstanceStage::kGone) continue;
    found = true;
    cluster_.terminate(i, kNoIndex);
  }
  return found || nothing_named(index, was_there, "no such instance yet");
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::LoseAvailabilityZone& event) {
  if (groups_.is_lost(event.zone)) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  groups_.lose_zone(event.zone);
  const std::uint32_t lost = cluster_.log({.kind = EventKind::kZoneLost, .subject = index});
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    const bool is_there = cluster_.instance(i).stage != InstanceStage::kGone;
    if (is_there && cluster_.profile(i).availability_zone == event.zone) cluster_.terminate(i, lost);
  }
  return true;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::UpdateService& event) {
  const std::uint32_t updated = cluster_.log({.kind = EventKind::kServiceUpdated, .subject = index});
  services_[event.service]->update(event, updated);
  return true;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::StopServiceDeployment& event) {
  if (!services_[event.service]->is_deploying()) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  const std::uint32_t stopped = cluster_.log({.kind = EventKind::kDeploymentStopped, .subject = index});
  services_[event.service]->fail_deployment(DeploymentFailure::kStopped, stopped);
  return true;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::RaiseAlarm& event) {
  const std::uint32_t raised = cluster_.log({.kind = EventKind::kAlarmRaised, .subject = index});
  for (const auto& service : services_) {
    if (service->watches(event.name)) service->fail_deployment(DeploymentFailure::kAlarm, raised);
  }
  return true;
}

/// Spot instances that can be interrupted: by id, glob, or pool.
std::vector<std::uint32_t> ScenarioEvents::spot_instances(const std::string& pattern) const {
  const NamedSubject named(pattern);
  const bool is_pool = placement::names_pool(pattern);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    const auto name = is_pool ? placement::spot_pool(cluster_.profile(i)) : cluster_.history().instances[i].id;
    if (spot_.can_interrupt(i) && named.is(name)) found.push_back(i);
  }
  return found;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::InterruptSpotInstances& event) {
  const auto found = spot_instances(event.pattern);
  const bool is_pool = placement::names_pool(event.pattern);
  if (is_pool) groups_.lose_pools(event.pattern);
  for (const std::uint32_t i : found) spot_.interrupt(i);
  return !found.empty() || is_pool || nothing_named(index, false, "no such Spot instance is there");
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::RecommendRebalance& event) {
  const auto found = spot_instances(event.pattern);
  for (const std::uint32_t i : found) spot_.recommend_rebalance(i);
  return !found.empty() || nothing_named(index, false, "no such Spot instance is there");
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::SetDesiredCapacity& event) {
  const auto group = placement::find_group(cluster_.timetable(), event.capacity_provider);
  if (!group) return contradict(index, fmt::format("{} has no Auto Scaling group", event.capacity_provider));
  const std::uint32_t set =
      cluster_.log({.kind = EventKind::kDesiredCapacitySet, .subject = index, .value = event.desired_capacity});
  groups_.set_desired_capacity(*group, event.desired_capacity, set);
  return true;
}

std::string ScenarioEvents::name_of_task(std::uint32_t task) const {
  const auto& own = cluster_.task(task);
  if (own.running != kNoIndex) return cluster_.scenario().running[*own.running].id;
  return cluster_.scenario().workloads[*own.workload].name + "#" + std::to_string(own.number);
}

/// Over a long run nearly all tasks of the history have stopped: an event that stops tasks does not look at them.
const std::vector<std::uint32_t>& ScenarioEvents::tasks_not_stopped() {
  const auto& tasks = cluster_.history().tasks;
  for (; listed_ < tasks.size(); ++listed_) not_stopped_.push_back(listed_);
  std::erase_if(not_stopped_, [&](std::uint32_t task) { return tasks[task].stopped_at.has_value(); });
  return not_stopped_;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::StopTasks& event) {
  const NamedSubject named(event.pattern);
  bool found = false;
  for (const std::uint32_t task : tasks_not_stopped()) {
    if (!cluster_.is_up(task) && !cluster_.needs_placement(task)) continue;
    if (!named.is(name_of_task(task))) continue;
    found = true;
    cluster_.stop(task, StopCause::kStopTask, kNoIndex);
  }
  return found || no_task_named(index, named);
}

bool ScenarioEvents::no_task_named(std::uint32_t index, const NamedSubject& named) {
  bool was_there = false;
  for (std::uint32_t task = 0; task < cluster_.history().tasks.size() && !was_there; ++task)
    was_there = named.is(name_of_task(task));
  return nothing_named(index, was_there, "no such task yet");
}

/// Of tasks of services alone: ECS refuses others (TASK_NOT_VALID).
bool ScenarioEvents::apply(std::uint32_t index, const placement::UpdateTaskProtection& event) {
  const NamedSubject named(event.pattern);
  std::vector<std::uint32_t> found;
  for (const std::uint32_t task : tasks_not_stopped()) {
    const OptionalIndex service = cluster_.live(task).service;
    if (service == kNoIndex || !cluster_.is_up(task) || !named.is(name_of_task(task))) continue;
    if (event.expires_after == 0 || !services_[*service]->is_held_up_by_protection()) found.push_back(task);
  }
  if (found.empty()) return no_task_named(index, named);
  cluster_.log({.kind = EventKind::kTaskProtectionUpdated, .subject = index});
  for (const std::uint32_t task : found) cluster_.protect(task, cluster_.now + event.expires_after);
  return true;
}

}  // namespace

using placement::WorkloadKind;

namespace {

class Simulation {
 public:
  explicit Simulation(const placement::Scenario& scenario)
      : cluster_(scenario),
        groups_(cluster_),
        spot_(cluster_, groups_),
        queue_(cluster_, scenario),
        events_(cluster_, groups_, services_, spot_),
        ticks_(cluster_, groups_) {
    const auto& plans = cluster_.timetable().services;
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
      if (scenario.workloads[plans[i].workload].kind == WorkloadKind::kDaemon) {
        services_.push_back(std::make_unique<DaemonService>(cluster_, i));
      } else {
        services_.push_back(std::make_unique<ReplicaService>(cluster_, i));
      }
    }
  }

  History run() &&;

 private:
  Seconds next_of_agenda() {
    return cluster_.agenda.next([&](Step step, Seconds at, std::uint32_t index) { return holds(step, at, index); });
  }

  bool holds(Step step, Seconds at, std::uint32_t index) const {
    if (step == Step::kRetry) return services_[index]->retries_at(at);
    return step == Step::kIdle ? groups_.ends_idle_at(index, at) : cluster_.holds(step, at, index);
  }

  bool stops_before(Seconds next) {
    auto& reason = cluster_.history().end_reason;
    const Seconds until = cluster_.timetable().until.value_or(kNever);
    const Seconds limit = endless_limit();
    const bool is_stated = events_.next() != kNever || queue_.next_arrival() != kNever;
    if (next > limit && limit < until && !is_stated && !is_standalones(next)) {
      reason = EndReason::kEndless;
    } else if (next > until) {
      reason = EndReason::kUntil;
    }
    return reason != EndReason::kNothingLeft;
  }

  Seconds endless_limit() const { return last_progress_ + cluster_.timetable().timing.endless_after; }

  /// What is due next is a task that no service keeps, the end of a protection, or the age of an instance, which is no
  /// repetition.
  bool is_standalones(Seconds next) {
    const auto is_one = [&](Step step, std::uint32_t index) {
      if (step == Step::kAge || step == Step::kInterruption) return true;
      if (step == Step::kUnprotected) return holds(step, next, index);
      return is_of_task(step) && cluster_.live(index).service == kNoIndex;
    };
    return cluster_.agenda.has_due(next, is_one);
  }

  void instant();
  void settle();
  void schedule();

  void take_up_due(bool is_first) {
    take_up(Step::kStop, [&](std::uint32_t task) { end(task); });
    take_up(Step::kActive, [&](std::uint32_t instance) { cluster_.activate(instance); });
    take_up(Step::kRunning, [&](std::uint32_t task) { cluster_.run(task); });
    take_up(Step::kHealthy, [&](std::uint32_t task) {
      cluster_.become_healthy(task);
      services_[*cluster_.live(task).service]->note_healthy_task(task);
    });
    if (is_first && events_.next() == cluster_.now) last_progress_ = cluster_.now;
    if (is_first && !events_.apply_due()) return;
    if (is_first) queue_.arrive();
    // Not before the schedulers have tried once more: something may have become free at this very instant.
    if (!is_first) take_up(Step::kTimeout, [&](std::uint32_t task) { time_out(task); });
    take_up(Step::kRetry, [&](std::uint32_t service) { services_[service]->retry(); });
    take_up(Step::kInterruption, [&](std::uint32_t instance) {
      spot_.interrupt(instance);
      last_progress_ = cluster_.now;
    });
    take_up(Step::kUnprotected, [&](std::uint32_t task) {
      cluster_.touch(task);
      last_progress_ = cluster_.now;
    });
    take_up(Step::kReclaim, [&](std::uint32_t instance) { spot_.reclaim(instance); });
    take_up(Step::kAge, [&](std::uint32_t instance) {
      groups_.age(instance);
      last_progress_ = cluster_.now;
    });
    // Like a timeout: a task may have come at this very instant.
    if (!is_first) take_up(Step::kIdle, [&](std::uint32_t instance) { groups_.end_idle(instance); });
  }

  template <class Act>
  void take_up(Step step, Act act) {
    while (const auto index = cluster_.agenda.take(step, cluster_.now)) {
      if (holds(step, cluster_.now, *index)) act(*index);
    }
  }

  void end(std::uint32_t task) {
    const bool was_stopping = !cluster_.is_up(task);
    const bool was_healthy = cluster_.live(task).is_healthy;
    cluster_.finish(task);
    const OptionalIndex service = cluster_.live(task).service;
    if (service != kNoIndex && !was_stopping && !was_healthy) services_[*service]->note_failed_task(task);
  }

  void time_out(std::uint32_t task) {
    const OptionalIndex service = cluster_.live(task).service;
    // What it lacks now, not when it came.
    if (!cluster_.has_place(cluster_.class_of(task))) cluster_.explain(task, ExplanationReason::kFailed);
    if (service == kNoIndex) return queue_.time_out(task);
    cluster_.stop(task, StopCause::kProvisioningTimeout, cluster_.live(task).last_event);
    services_[*service]->note_task_that_never_ran(task);
  }

  /// Services and groups start tasks and instances for as long as an event of the scenario is still to come.
  void check_counts() {
    auto& history = cluster_.history();
    const auto& timetable = cluster_.timetable();
    for (; counted_tasks_ < history.tasks.size(); ++counted_tasks_) {
      const bool is_restart = history.tasks[counted_tasks_].arrived_at > 0 &&
                              cluster_.live(static_cast<std::uint32_t>(counted_tasks_)).service != kNoIndex;
      restarts_ += is_restart ? 1 : 0;
    }
    for (; counted_instances_ < history.instances.size(); ++counted_instances_) {
      const auto& instance = history.instances[counted_instances_];
      launches_ += instance.group != kNoIndex && instance.launched_at > 0 ? 1 : 0;
    }
    if (static_cast<std::int64_t>(history.tasks.size()) > timetable.most_tasks) {
      give_up(fmt::format("more than {} tasks", timetable.most_tasks));
    } else if (restarts_ > timetable.most_restarts) {
      give_up(fmt::format("more than {} tasks that services start after the beginning", timetable.most_restarts));
    } else if (launches_ > timetable.most_launches) {
      give_up(fmt::format("more than {} instances that capacity providers start", timetable.most_launches));
    }
  }

  void give_up(const std::string& what) {
    auto& history = cluster_.history();
    const auto at = history.tasks.empty() ? placement::Origin() : origin_of(history.tasks.back());
    history.errors.push_back({.message = fmt::format("at {}: {} are too many for a run over time",
                                                     placement::duration_text(cluster_.now), what),
                              .file = at.file,
                              .line = at.line,
                              .column = at.column,
                              .help = "end the run earlier with --until, or let its tasks last longer"});
  }

  placement::Origin origin_of(const Task& task) const {
    return task.workload == kNoIndex ? placement::Origin() : cluster_.scenario().workloads[*task.workload].origin;
  }

  /// What the scenario states comes to an end some day; what services and groups do by themselves need not.
  void note_progress() {
    const auto& events = cluster_.history().events;
    for (; seen_ < events.size(); ++seen_) {
      const auto& event = events[seen_];
      if (is_progress(event)) last_progress_ = event.at;
    }
  }

  bool is_progress(const Event& event) const {
    switch (event.kind) {
      case EventKind::kTaskArrived:
      case EventKind::kTaskPlaced:
      case EventKind::kTaskRunning:
      case EventKind::kTaskStopping:
      case EventKind::kTaskStopped:
      case EventKind::kTaskFailed:
        return cluster_.live(event.subject).service == kNoIndex;
      default:
        return false;
    }
  }

  void finish() {
    auto& history = cluster_.history();
    if (history.errors.empty()) {
      if (history.end_reason == EndReason::kNothingLeft) tell_stuck();
      explain_at_the_end();
    }
    history.end = end();
  }

  Seconds end() const {
    const auto& history = cluster_.history();
    if (!history.errors.empty()) return cluster_.now;
    if (history.end_reason == EndReason::kEndless) return endless_limit();
    return cluster_.timetable().until.value_or(last_event_at());
  }

  Seconds last_event_at() const {
    const auto& events = cluster_.history().events;
    return events.empty() ? 0 : events.back().at;
  }

  /// Why tasks that still wait have no place.
  void explain_at_the_end() {
    for (std::uint32_t task = 0; task < cluster_.history().tasks.size(); ++task) {
      if (!cluster_.needs_placement(task) || !cluster_.live(task).is_tried ||
          cluster_.workload_of(task).kind == WorkloadKind::kDaemon)
        continue;
      // One of an older deployment is not tried any more, and may have room by now.
      if (!cluster_.has_place(cluster_.class_of(task))) cluster_.explain(task, ExplanationReason::kAtTheEnd);
    }
  }

  void tell_stuck() {
    auto& history = cluster_.history();
    cluster_.now = last_event_at();
    for (std::uint32_t i = 0; i < history.deployments.size(); ++i) {
      if (history.deployments[i].state != Deployment::State::kInProgress) continue;
      history.deployments[i].is_stuck = true;
      cluster_.log({.kind = EventKind::kDeploymentStuck, .subject = i});
    }
  }

  Cluster cluster_;
  InstanceGroups groups_;
  SpotInterruptions spot_;
  TaskQueue queue_;
  std::vector<std::unique_ptr<Service>> services_;
  ScenarioEvents events_;
  Ticks ticks_;
  std::size_t counted_tasks_ = 0;
  std::size_t counted_instances_ = 0;
  std::int64_t restarts_ = 0;
  std::int64_t launches_ = 0;
  Seconds last_progress_ = 0;
  std::size_t seen_ = 0;  ///< Events that were looked at for progress.
};

History Simulation::run() && {
  groups_.fill_up_at_start();
  instant();
  while (cluster_.history().errors.empty()) {
    const Seconds next = std::min({next_of_agenda(), events_.next(), queue_.next_arrival(), ticks_.next()});
    if (next == kNever) break;
    if (stops_before(next)) break;
    cluster_.now = next;
    instant();
  }
  finish();
  return std::move(cluster_.history());
}

/// Everything of one instant, in rounds: what the schedulers do may make more due.
void Simulation::instant() {
  const auto& events = cluster_.history().events;
  take_up_due(true);
  settle();
  if (ticks_.is_now() && cluster_.history().errors.empty()) {
    const std::size_t settled = events.size();
    ticks_.begin();
    groups_.at_data_point();
    if (events.size() != settled) settle();
  }
  spot_.draw_for_new();
  note_progress();
}

/// Schedulers act until nothing more is due at this second: what one frees, another may take.
void Simulation::settle() {
  const auto& events = cluster_.history().events;
  while (cluster_.history().errors.empty()) {
    const std::size_t before = events.size();
    schedule();
    if (events.size() == before && next_of_agenda() > cluster_.now) return;
    take_up_due(false);
  }
}

/// ECS places the tasks of daemons first; then services, waiting tasks and, for those still waiting, groups.
void Simulation::schedule() {
  for (const bool daemons : {true, false}) {
    for (const std::uint32_t service : cluster_.take_touched_services()) services_[service]->touch();
    for (std::size_t i = 0; i < services_.size(); ++i) {
      const auto kind = cluster_.scenario().workloads[cluster_.timetable().services[i].workload].kind;
      if ((kind == WorkloadKind::kDaemon) == daemons) services_[i]->reconcile_if_needed();
    }
  }
  queue_.place();
  groups_.settle();
  check_counts();
}

}  // namespace

History simulate(const placement::Scenario& scenario) {
  return Simulation(scenario).run();
}

}  // namespace bayplan::timeline
