// Deployments: failed tasks, the circuit breaker, rollback; and rebalancing of zones.
#include <algorithm>
#include <map>

#include "placement/model/service_terms.hpp"
#include "placement/model/strategies.hpp"
#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::InstanceStatus;

void PlainRun::start_deployment(std::uint32_t index, std::uint32_t workload, EventKind kind) {
  auto& service = services_[index];
  service.newest = static_cast<std::uint32_t>(history_.deployments.size());
  service.failures_in_a_row = 0;
  service.restart_at.reset();
  service.has_told_rate = false;
  service.breaker_count = 0;
  service.last_lack.reset();
  service.retry_at.reset();
  service.retry_delay = table_.timing.placement_retry_delay;
  service.is_steady = false;
  service.move.reset();
  service.has_moved = false;
  service.is_rebalancing = false;
  service.has_rolled_back = kind == EventKind::kRollback;
  service.was_healthy_enough = false;
  service.removes_old = false;
  service.bakes_until.reset();
  service.stage = 0;
  service.source.reset();
  if (kind == EventKind::kDeploymentStarted && service.plan.settings.runs_both() &&
      world_.workloads[workload].kind == placement::WorkloadKind::kService) {
    service.source = completed_before(index);
    service.stages = stage_times(service.plan.settings, table_.timing);
  }
  history_.deployments.push_back({index, workload, now_, {}, Deployment::State::kInProgress, false, 0});
  log(kind, service.newest);
}

/// Of the deployment's own tasks; counts for the breaker while it is the newest and in progress.
void PlainRun::count_failures(std::uint32_t index, std::int64_t count) {
  auto& deployment = history_.deployments[index];
  auto& service = services_[deployment.service];
  deployment.failed_tasks += count;
  const bool counts = service.newest == index && deployment.state == Deployment::State::kInProgress;
  if (counts) service.breaker_count += count;
}

/// One failed task an instant, however many lack a place.
void PlainRun::count_lack(std::uint32_t index) {
  auto& service = services_[history_.deployments[index].service];
  if (history_.deployments[index].state != Deployment::State::kInProgress || service.last_lack == now_) return;
  service.last_lack = now_;
  count_failures(index, 1);
}

/// It ended before it was healthy: the service waits a little before it wants another.
void PlainRun::note_failed_task(std::uint32_t task) {
  services_[*tasks_[task].service].restart_at = now_ + table_.timing.restart_delay;
  if (history_.tasks[task].deployment != kNoIndex) count_failures(*history_.tasks[task].deployment, 1);
}

/// It never ran: longer each time, tasks of one instant together.
void PlainRun::note_timed_out_task(std::uint32_t task) {
  auto& service = services_[*tasks_[task].service];
  if (service.last_time_out != now_) ++service.failures_in_a_row;
  service.last_time_out = now_;
  Seconds delay = table_.timing.restart_delay;
  for (int i = 1; i < service.failures_in_a_row && delay < table_.timing.restart_delay_limit; ++i) delay *= 2;
  service.restart_at = now_ + std::min(delay, table_.timing.restart_delay_limit);
  if (history_.tasks[task].deployment != kNoIndex) count_failures(*history_.tasks[task].deployment, 1);
}

bool PlainRun::breaker_opens(std::uint32_t index) {
  auto& service = services_[index];
  const auto& breaker = service.plan.circuit_breaker;
  return breaker.enabled && !service.has_rolled_back && newest(service).state == Deployment::State::kInProgress &&
         service.breaker_count >= breaker.threshold(service.plan.desired_count);
}

std::optional<std::uint32_t> PlainRun::completed_before(std::uint32_t index) const {
  std::optional<std::uint32_t> last;
  for (std::uint32_t i = 0; i < history_.deployments.size(); ++i) {
    const auto& one = history_.deployments[i];
    if (one.service == index && one.state == Deployment::State::kCompleted) last = i;
  }
  return last;
}

/// StopServiceDeployment, or an alarm.
void PlainRun::fail_from_outside(std::uint32_t index, DeploymentFailure failure) {
  const bool always = failure == DeploymentFailure::kStopped;
  give_up(index, failure, always || services_[index].plan.settings.alarms.rollback);
}

/// The newest deployment fails. Whether an earlier one takes over.
bool PlainRun::give_up(std::uint32_t index, DeploymentFailure failure, bool rolls_back) {
  auto& service = services_[index];
  const std::uint32_t failed = service.newest;
  newest(service).state = Deployment::State::kFailed;
  newest(service).failure = failure;
  service.source.reset();
  newest(service).ended_at = now_;
  service.retry_at.reset();
  log(EventKind::kDeploymentFailed, failed);
  for (const auto i : tasks_of(index)) {
    if (history_.tasks[i].deployment == failed && has_no_place(i)) stop(i, StopCause::kRolledBack);
  }
  if (!rolls_back) return false;
  for (std::uint32_t i = failed; i-- > 0;) {
    const auto earlier = history_.deployments[i];
    if (earlier.service != index || earlier.state != Deployment::State::kCompleted) continue;
    start_deployment(index, earlier.workload, EventKind::kRollback);
    for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
      auto& own = history_.tasks[task];
      if (tasks_[task].service != index || is_over(task) || own.deployment == kNoIndex) continue;
      if (own.workload == earlier.workload) own.deployment = service.newest;
    }
    return true;
  }
  return false;
}

void PlainRun::rebalance(std::uint32_t index) {
  auto& service = services_[index];
  const bool may_start = !service.restart_at || now_ >= *service.restart_at;
  const bool is_quiet = service.is_steady && may_start && stopping_tasks(index) == 0 && !service.move;
  const bool may_move =
      service.plan.rebalances && placement::may_rebalance(newest_workload(service), service.maximum_percent);
  if (!may_move || !is_quiet || placement::draws(newest_workload(service), world_.ties)) return;
  if (move_one(index) || !service.is_rebalancing) return;
  service.is_rebalancing = false;
  log(EventKind::kRebalancingCompleted, index);
}

bool PlainRun::move_one(std::uint32_t index) {
  auto& service = services_[index];
  const std::int64_t desired = service.plan.desired_count;
  std::map<std::string, std::int64_t> zones;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!instances_[i].is_gone && status_of(i) == InstanceStatus::kActive && !zone_of(i).empty()) zones[zone_of(i)] = 0;
  }
  for (const auto i : tasks_of(index)) {
    const auto zone = zones.find(zone_of(*history_.tasks[i].instance));
    if (zone != zones.end()) ++zone->second;
  }
  if (zones.empty() || desired + 1 > upper(service, desired)) return false;
  std::int64_t most = 0;
  std::int64_t fewest = desired;
  for (const auto& [zone, count] : zones) most = std::max(most, count);
  for (const auto& [zone, count] : zones) fewest = std::min(fewest, count);
  const auto all = tasks_of(index);
  const bool may_leave = std::any_of(all.begin(), all.end(), [&](auto i) {
    const auto zone = zones.find(zone_of(*history_.tasks[i].instance));
    return zone != zones.end() && zone->second == most && !is_protected(i);
  });
  if (most - fewest < 2 || !may_leave) return false;
  const std::uint32_t workload = history_.deployments[service.newest].workload;
  const auto provider = next_provider(index);
  const auto choice =
      choose(workload, provider ? world_.workloads[workload].capacity_providers[*provider].capacity_provider : "");
  if (!choice) return false;
  const auto zone = zones.find(zone_of(choice->instance));
  if (zone == zones.end() || zone->second > most - 2) return false;
  if (!may_launch(index)) return true;
  if (!service.is_rebalancing) log(EventKind::kRebalancingStarted, index);
  service.is_rebalancing = true;
  service.move = add_task(workload, index, provider);
  log(EventKind::kTaskArrived, *service.move);
  place(*service.move, *choice);
  return true;
}

}  // namespace bayplan::timeline::plain
