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

void PlainRun::happen(std::uint32_t index) {
  const TimedEvent timed = table_.events[index];
  last_progress_ = now_;
  bool has_effect = true;
  if (const auto* added = std::get_if<placement::AddInstances>(&timed.event)) {
    for (const auto& one : added->instances) {
      if (lost_zones_.contains(world_.profiles[one.profile].availability_zone))
        return contradict(timed, "the zone is lost");
    }
    for (const auto& one : added->instances) add_instance(one.profile, one.id, kNoIndex, std::nullopt);
  } else if (std::holds_alternative<placement::DrainInstances>(timed.event)) {
    has_effect = drain_matches(timed);
  } else if (std::holds_alternative<placement::TerminateInstances>(timed.event)) {
    has_effect = terminate_matches(timed);
  } else if (const auto* lost = std::get_if<placement::LoseAvailabilityZone>(&timed.event)) {
    has_effect = !lost_zones_.contains(lost->zone);
    if (has_effect) {
      log(EventKind::kZoneLost, index);
      lose_zone(lost->zone);
    }
  } else if (const auto* update = std::get_if<placement::UpdateService>(&timed.event)) {
    log(EventKind::kServiceUpdated, index);
    update_service(*update);
  } else if (const auto* stop = std::get_if<placement::StopServiceDeployment>(&timed.event)) {
    const auto& service = services_[stop->service];
    const bool is_daemon = world_.workloads[service.plan.workload].kind == placement::WorkloadKind::kDaemon;
    has_effect = !is_daemon && history_.deployments[service.newest].state == Deployment::State::kInProgress &&
                 !service.has_rolled_back;
    if (has_effect) {
      log(EventKind::kDeploymentStopped, index);
      fail_from_outside(stop->service, DeploymentFailure::kStopped);
    }
  } else if (const auto* alarm = std::get_if<placement::RaiseAlarm>(&timed.event)) {
    log(EventKind::kAlarmRaised, index);
    for (std::uint32_t i = 0; i < services_.size(); ++i) {
      const auto& service = services_[i];
      const auto& alarms = service.plan.settings.alarms;
      const bool is_daemon = world_.workloads[service.plan.workload].kind == placement::WorkloadKind::kDaemon;
      const bool watches = alarms.enabled && std::count(alarms.names.begin(), alarms.names.end(), alarm->name) > 0;
      const bool is_going = history_.deployments[service.newest].state == Deployment::State::kInProgress;
      if (!is_daemon && watches && is_going && !service.has_rolled_back)
        fail_from_outside(i, DeploymentFailure::kAlarm);
    }
  } else {
    has_effect = stop_matches(timed);
  }
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
