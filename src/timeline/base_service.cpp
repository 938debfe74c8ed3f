#include "timeline/base_service.hpp"

#include <algorithm>
#include <limits>

namespace bayplan::timeline {

Service::Service(Cluster& cluster, std::uint32_t index)
    : cluster_(cluster),
      index_(index),
      terms_{plan().desired_count, cluster.scenario().workloads[plan().workload].minimum_healthy_percent,
             cluster.scenario().workloads[plan().workload].maximum_percent} {
  for (std::uint32_t i = 0; i < cluster.history().tasks.size(); ++i) {
    if (cluster.live(i).service == index) tasks_.push_back(i);
  }
  deployment_ = static_cast<std::uint32_t>(cluster.history().deployments.size());
  cluster.history().deployments.push_back({.service = index, .workload = plan().workload});
}

std::uint32_t Service::start_deployment(std::uint32_t workload, EventKind kind, OptionalIndex cause) {
  auto& deployments = cluster_.history().deployments;
  deployment_ = static_cast<std::uint32_t>(deployments.size());
  deployments.push_back({.service = index_, .workload = workload, .started_at = cluster_.now});
  failures_in_a_row_ = 0;
  restart_at_ = 0;
  is_steady_ = false;
  is_rate_reported_ = false;
  restart(kind);
  const std::uint32_t event = cluster_.log({.kind = kind, .subject = deployment_, .cause = cause});
  reason_ = event;
  return event;
}

void Service::update(const placement::UpdateService& update, std::uint32_t event) {
  terms_.desired = update.desired_count.value_or(terms_.desired);
  terms_.minimum_healthy_percent = update.minimum_healthy_percent.value_or(terms_.minimum_healthy_percent);
  terms_.maximum_percent = update.maximum_percent.value_or(terms_.maximum_percent);
  take_over(update);
  reason_ = event;
  is_touched_ = true;
  if (!update.workload) return;
  if (is_in_progress()) {
    deployment().state = Deployment::State::kSuperseded;
    deployment().ended_at = cluster_.now;
  }
  start_deployment(*update.workload, EventKind::kDeploymentStarted, event);
}

// A sliding minute: AWS says "per minute" and no more.
constexpr Seconds kMinute = 60;

std::int64_t Service::launches_left() {
  if (is_start()) return std::numeric_limits<std::int64_t>::max();
  while (!launches_.empty() && launches_.front().first + kMinute <= cluster_.now) launches_.pop_front();
  std::int64_t left = timing().launch_rate;
  for (const auto& [at, count] : launches_) left -= count;
  return left;
}

void Service::note_launches(std::int64_t count) {
  if (count > 0 && !is_start()) launches_.emplace_back(cluster_.now, count);
}

void Service::wait_for_launches() {
  const Seconds at = launches_.front().first + kMinute;
  if (at != launches_at_) cluster_.agenda.add(Step::kRetry, at, index_);
  launches_at_ = at;
  if (is_rate_reported_) return;
  is_rate_reported_ = true;
  cluster_.log({.kind = EventKind::kLaunchRateReached, .subject = index_, .cause = reason_});
}

void Service::restart_after(Seconds delay) {
  restart_at_ = cluster_.now + delay;
  cluster_.agenda.add(Step::kRetry, restart_at_, index_);
}

void Service::note_failed_task(std::uint32_t task) {
  count_failed(task);
  restart_after(timing().restart_delay);
}

/// Tasks that never reach RUNNING are tried at growing intervals; those of one instant are one try.
void Service::note_task_that_never_ran(std::uint32_t task) {
  count_failed(task);
  if (failed_at_ != cluster_.now) ++failures_in_a_row_;
  failed_at_ = cluster_.now;
  Seconds delay = timing().restart_delay;
  for (std::int64_t i = 1; i < failures_in_a_row_ && delay < timing().restart_delay_limit; ++i) delay *= 2;
  restart_after(std::min(delay, timing().restart_delay_limit));
}

void Service::count_failed(std::uint32_t task) {
  const OptionalIndex own = cluster_.task(task).deployment;
  if (own) ++cluster_.history().deployments[*own].failed_tasks;
}

void Service::note_healthy_task(std::uint32_t task) {
  if (is_newest(task)) failures_in_a_row_ = 0;
}

bool Service::is_held_up_by_protection() const {
  return is_in_progress() && std::any_of(tasks_.begin(), tasks_.end(), [&](std::uint32_t task) {
           return cluster_.is_up(task) && !is_newest(task) && cluster_.is_protected(task);
         });
}

void Service::drop_stopped() {
  for (const std::uint32_t task : tasks_) {
    const OptionalIndex event = cluster_.live(task).last_event;
    if (event && (!reason_ || *event > *reason_)) reason_ = event;
  }
  std::erase_if(tasks_, [&](std::uint32_t task) { return cluster_.task(task).stopped_at.has_value(); });
}

void Service::complete() {
  deployment().state = Deployment::State::kCompleted;
  deployment().ended_at = cluster_.now;
  cluster_.log({.kind = EventKind::kDeploymentCompleted, .subject = deployment_, .cause = reason_});
}

void Service::set_steady(bool is_steady) {
  if (is_steady && !is_steady_) cluster_.log({.kind = EventKind::kSteadyState, .subject = index_, .cause = reason_});
  is_steady_ = is_steady;
}

void Service::reconcile_if_needed() {
  if (!is_touched_ && !needs_reconcile()) return;
  if (is_new_) {
    const std::uint32_t event = cluster_.log({.kind = EventKind::kDeploymentStarted, .subject = index_});
    if (!reason_) reason_ = event;
  }
  is_new_ = false;
  is_touched_ = false;
  reconcile();
  version_ = cluster_.version();
  changes_ = cluster_.occupancy().changes();
}

}  // namespace bayplan::timeline
