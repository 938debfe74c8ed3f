// What the scenario's `events` do.
#include <algorithm>

#include "base/pattern.hpp"
#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::TimedEvent;

namespace {

bool is_glob(const std::string& subject) {
  return subject.find_first_of("*?[") != std::string::npos;
}

}  // namespace

/// Each says whether the event has an effect.
struct PlainRun::Happening {
  PlainRun& run;
  const TimedEvent& timed;
  std::uint32_t index;

  bool operator()(const placement::AddInstances& event) const {
    for (const auto& one : event.instances) {
      if (!run.lost_zones_.contains(run.world_.profiles[one.profile].availability_zone)) continue;
      run.contradict(timed, "the zone is lost");
      return true;
    }
    for (const auto& one : event.instances) run.add_instance(one.profile, one.id, kNoIndex, std::nullopt);
    return true;
  }

  bool operator()(const placement::DrainInstances&) const { return run.drain_matches(timed); }
  bool operator()(const placement::TerminateInstances&) const { return run.terminate_matches(timed); }

  bool operator()(const placement::LoseAvailabilityZone& event) const {
    if (run.lost_zones_.contains(event.zone)) return false;
    run.log(EventKind::kZoneLost, index);
    run.lose_zone(event.zone);
    return true;
  }

  bool operator()(const placement::UpdateService& event) const {
    run.log(EventKind::kServiceUpdated, index);
    run.update_service(event);
    return true;
  }

  bool operator()(const placement::StopTasks&) const { return run.stop_matches(timed); }
  bool operator()(const placement::UpdateTaskProtection& event) const {
    return run.protect_matches(timed, event.expires_after, index);
  }

  bool operator()(const placement::StopServiceDeployment& event) const {
    if (!can_fail(event.service)) return false;
    run.log(EventKind::kDeploymentStopped, index);
    run.fail_from_outside(event.service, DeploymentFailure::kStopped);
    return true;
  }

  bool operator()(const placement::RaiseAlarm& event) const {
    run.log(EventKind::kAlarmRaised, index);
    for (std::uint32_t i = 0; i < run.services_.size(); ++i) {
      const auto& alarms = run.services_[i].plan.settings.alarms;
      const bool watches = alarms.enabled && std::count(alarms.names.begin(), alarms.names.end(), event.name) > 0;
      if (watches && can_fail(i)) run.fail_from_outside(i, DeploymentFailure::kAlarm);
    }
    return true;
  }

  bool operator()(const placement::SetDesiredCapacity& event) const {
    for (std::uint32_t i = 0; i < run.table_.groups.size(); ++i) {
      if (run.table_.groups[i].capacity_provider != event.capacity_provider) continue;
      run.log(EventKind::kDesiredCapacitySet, index, {}, StopCause::kNone, event.desired_capacity);
      run.scaling_[i].desired = event.desired_capacity;
    }
    return true;
  }

  // There are no Spot instances here, and random timelines have none.
  bool operator()(const placement::InterruptSpotInstances&) const { return not_plain(); }
  bool operator()(const placement::RecommendRebalance&) const { return not_plain(); }

 private:
  /// A deployment is in progress that something from outside can end.
  bool can_fail(std::uint32_t number) const {
    const auto& service = run.services_[number];
    const bool is_daemon = run.world_.workloads[service.plan.workload].kind == placement::WorkloadKind::kDaemon;
    return !is_daemon && run.history_.deployments[service.newest].state == Deployment::State::kInProgress &&
           !service.has_rolled_back;
  }

  bool not_plain() const {
    run.contradict(timed, "not simulated plainly");
    return true;
  }
};

void PlainRun::happen(std::uint32_t index) {
  const TimedEvent timed = table_.events[index];
  last_progress_ = now_;
  const bool has_effect = std::visit(Happening{*this, timed, index}, timed.event);
  if (!has_effect && history_.errors.empty()) log(EventKind::kNothingNamed, index);
}

void PlainRun::contradict(const TimedEvent& timed, const std::string& message) {
  history_.errors.push_back({message,
                             timed.origin.file,
                             timed.origin.line,
                             timed.origin.column,
                             {},
                             {},
                             placement::named_subject(timed.event)});
}

bool PlainRun::drain_matches(const TimedEvent& timed) {
  bool is_known = is_glob(placement::named_subject(timed.event));
  bool has_effect = false;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!glob_matches(placement::named_subject(timed.event), history_.instances[i].id)) continue;
    if (!is_known && !instances_[i].is_gone && instances_[i].boots_until) {
      contradict(timed, "not ACTIVE yet");
      return false;
    }
    is_known = true;
    if (instances_[i].is_gone || status_of(i) != placement::InstanceStatus::kActive) continue;
    drain(i);
    has_effect = true;
  }
  if (!is_known) contradict(timed, "no such instance");
  return has_effect;
}

bool PlainRun::terminate_matches(const TimedEvent& timed) {
  bool is_known = is_glob(placement::named_subject(timed.event));
  bool has_effect = false;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!glob_matches(placement::named_subject(timed.event), history_.instances[i].id)) continue;
    is_known = true;
    if (instances_[i].is_gone) continue;
    terminate(i);
    has_effect = true;
  }
  if (!is_known) contradict(timed, "no such instance");
  return has_effect;
}

void PlainRun::lose_zone(const std::string& zone) {
  lost_zones_.insert(zone);
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!instances_[i].is_gone && zone_of(i) == zone) terminate(i);
  }
}

std::string PlainRun::name_of_task(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (own.running != kNoIndex) return world_.running[*own.running].id;
  return world_.workloads[*own.workload].name + "#" + std::to_string(own.number);
}

bool PlainRun::stop_matches(const TimedEvent& timed) {
  bool is_known = is_glob(placement::named_subject(timed.event));
  bool has_effect = false;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!glob_matches(placement::named_subject(timed.event), name_of_task(i))) continue;
    is_known = true;
    if (!is_active_task(i)) continue;
    stop(i, StopCause::kStopTask);
    has_effect = true;
  }
  if (!is_known) contradict(timed, "no such task");
  return has_effect;
}

bool PlainRun::protect_matches(const TimedEvent& timed, Seconds lasts, std::uint32_t index) {
  const auto is_held_up = [&](std::uint32_t service) {
    const std::uint32_t newest = services_[service].newest;
    const auto tasks = tasks_of(service);
    return history_.deployments[newest].state == Deployment::State::kInProgress &&
           std::any_of(tasks.begin(), tasks.end(),
                       [&](auto i) { return history_.tasks[i].deployment != newest && is_protected(i); });
  };
  bool is_known = is_glob(placement::named_subject(timed.event));
  Indices found;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!glob_matches(placement::named_subject(timed.event), name_of_task(i))) continue;
    is_known = true;
    if (!is_active_task(i) || !holds_a_place(i) || is_standalone(i)) continue;
    if (lasts == 0 || !is_held_up(*tasks_[i].service)) found.push_back(i);
  }
  if (!is_known) contradict(timed, "no such task");
  if (!found.empty()) log(EventKind::kTaskProtectionUpdated, index);
  for (const auto i : found) tasks_[i].protected_until = now_ + lasts;
  return !found.empty();
}

void PlainRun::update_service(const placement::UpdateService& update) {
  auto& service = services_[update.service];
  if (update.desired_count) service.plan.desired_count = *update.desired_count;
  if (update.minimum_healthy_percent) service.minimum_percent = *update.minimum_healthy_percent;
  if (update.maximum_percent) service.maximum_percent = *update.maximum_percent;
  if (update.rebalances) service.plan.rebalances = *update.rebalances;
  if (update.circuit_breaker) service.plan.circuit_breaker = *update.circuit_breaker;
  if (update.settings) service.plan.settings = *update.settings;
  if (!update.workload) return;
  auto& current = newest(service);
  if (current.state == Deployment::State::kInProgress) {
    current.state = Deployment::State::kSuperseded;
    current.ended_at = now_;
  }
  start_deployment(update.service, *update.workload, EventKind::kDeploymentStarted);
}

}  // namespace bayplan::timeline::plain
