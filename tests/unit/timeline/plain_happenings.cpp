// What the scenario's `events` do.
#include "base/pattern.hpp"
#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::Happening;
using placement::HappeningKind;

namespace {

bool is_glob(const std::string& subject) {
  return subject.find_first_of("*?[") != std::string::npos;
}

}  // namespace

void PlainRun::happen(std::uint32_t index) {
  const Happening happening = table_.happenings[index];
  last_progress_ = now_;
  bool has_effect = true;
  switch (happening.kind) {
    case HappeningKind::kAddInstances:
      for (const auto profile : happening.profiles) {
        if (lost_zones_.contains(world_.profiles[profile].availability_zone))
          return contradict(happening, "the zone is lost");
      }
      for (const auto profile : happening.profiles)
        add_instance(profile, happening.instance_id, kNoIndex, std::nullopt);
      break;
    case HappeningKind::kDrain:
      has_effect = drain_matches(happening);
      break;
    case HappeningKind::kTerminate:
      has_effect = terminate_matches(happening);
      break;
    case HappeningKind::kLoseAvailabilityZone:
      has_effect = !lost_zones_.contains(happening.subject);
      if (!has_effect) break;
      log(EventKind::kZoneLost, index);
      lose_zone(happening.subject);
      break;
    case HappeningKind::kUpdateService:
      log(EventKind::kServiceUpdated, index);
      update_service(happening);
      break;
    case HappeningKind::kStopTask:
      has_effect = stop_matches(happening);
      break;
  }
  if (!has_effect && history_.errors.empty()) log(EventKind::kNothingNamed, index);
}

void PlainRun::contradict(const Happening& happening, const std::string& message) {
  history_.errors.push_back(
      {message, happening.origin.file, happening.origin.line, happening.origin.column, {}, {}, happening.subject});
}

bool PlainRun::drain_matches(const Happening& happening) {
  bool is_known = is_glob(happening.subject);
  bool has_effect = false;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!glob_matches(happening.subject, history_.instances[i].id)) continue;
    if (!is_known && !instances_[i].is_gone && instances_[i].boots_until) {
      contradict(happening, "not ACTIVE yet");
      return false;
    }
    is_known = true;
    if (instances_[i].is_gone || status_of(i) != placement::InstanceStatus::kActive) continue;
    drain(i);
    has_effect = true;
  }
  if (!is_known) contradict(happening, "no such instance");
  return has_effect;
}

bool PlainRun::terminate_matches(const Happening& happening) {
  bool is_known = is_glob(happening.subject);
  bool has_effect = false;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!glob_matches(happening.subject, history_.instances[i].id)) continue;
    is_known = true;
    if (instances_[i].is_gone) continue;
    terminate(i);
    has_effect = true;
  }
  if (!is_known) contradict(happening, "no such instance");
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
  if (own.running != kNoIndex) return world_.running[own.running].id;
  return world_.workloads[own.workload].name + "#" + std::to_string(own.number);
}

bool PlainRun::stop_matches(const Happening& happening) {
  bool is_known = is_glob(happening.subject);
  bool has_effect = false;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!glob_matches(happening.subject, name_of_task(i))) continue;
    is_known = true;
    if (!is_active_task(i)) continue;
    stop(i, StopCause::kStopTask);
    has_effect = true;
  }
  if (!is_known) contradict(happening, "no such task");
  return has_effect;
}

void PlainRun::update_service(const Happening& happening) {
  auto& service = services_[happening.service];
  if (happening.desired_count) service.plan.desired_count = *happening.desired_count;
  if (happening.minimum_healthy_percent) service.minimum_percent = *happening.minimum_healthy_percent;
  if (happening.maximum_percent) service.maximum_percent = *happening.maximum_percent;
  if (happening.rebalances) service.plan.rebalances = *happening.rebalances;
  if (happening.circuit_breaker) service.plan.circuit_breaker = *happening.circuit_breaker;
  if (!happening.workload) return;
  auto& current = newest(service);
  if (current.state == Deployment::State::kInProgress) {
    current.state = Deployment::State::kSuperseded;
    current.ended_at = now_;
  }
  start_deployment(happening.service, *happening.workload, EventKind::kDeploymentStarted);
}

}  // namespace bayplan::timeline::plain
