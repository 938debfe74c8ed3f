// A replica service's turn.
#include <algorithm>

#include "placement/model/capacity_providers.hpp"
#include "placement/model/strategies.hpp"
#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::StrategyType;

Indices PlainRun::tasks_of(std::uint32_t service) const {
  Indices tasks;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].service == service && is_active_task(i)) tasks.push_back(i);
  }
  return tasks;
}

Indices PlainRun::new_tasks(std::uint32_t service) const {
  Indices tasks;
  for (const auto i : tasks_of(service)) {
    const auto& own = history_.tasks[i];
    const bool is_leaving = own.instance != kNoIndex && is_draining(*own.instance);
    if (own.deployment == services_[service].newest && !is_leaving) tasks.push_back(i);
  }
  return tasks;
}

Indices PlainRun::old_tasks(std::uint32_t service) const {
  Indices tasks;
  const auto fresh = new_tasks(service);
  for (const auto i : tasks_of(service)) {
    if (std::find(fresh.begin(), fresh.end(), i) == fresh.end()) tasks.push_back(i);
  }
  return tasks;
}

std::int64_t PlainRun::healthy_of(const Indices& tasks) const {
  return std::count_if(tasks.begin(), tasks.end(), [&](auto i) { return tasks_[i].is_healthy; });
}

std::int64_t PlainRun::stopping_tasks(std::uint32_t service) const {
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].service == service && is_stopping(i) && !tasks_[i].stops_for_ever) ++count;
  }
  return count;
}

/// Tasks of the newest deployment without a place, less those that are PROVISIONING.
std::int64_t PlainRun::lacking(std::uint32_t service) const {
  std::int64_t count = 0;
  for (const auto i : new_tasks(service)) count += has_no_place(i) && !is_provisioning(i) ? 1 : 0;
  return count;
}

std::int64_t PlainRun::lower(const ServiceNotes& service, std::int64_t desired) const {
  return (desired * service.minimum_percent + 99) / 100;
}

std::int64_t PlainRun::upper(const ServiceNotes& service, std::int64_t desired) const {
  return desired * service.maximum_percent / 100;
}

const placement::Workload& PlainRun::newest_workload(const ServiceNotes& service) const {
  return world_.workloads[history_.deployments[service.newest].workload];
}

void PlainRun::take_replica_turn(std::uint32_t index) {
  auto& service = services_[index];
  if (!service.has_had_a_turn) log(EventKind::kDeploymentStarted, index);
  service.has_had_a_turn = true;
  look_at_move(service);
  if (breaker_opens(index)) {
    give_up(index, DeploymentFailure::kCircuitBreaker, service.plan.circuit_breaker.rollback);
  }
  stop_pending_on_draining(index);
  if (service.source) {
    take_turn_of_both(index);
  } else {
    take_rolling_turn(index);
  }
}

void PlainRun::take_rolling_turn(std::uint32_t index) {
  auto& service = services_[index];
  stop_surplus(index);
  if (newest(service).state != Deployment::State::kFailed) {
    want_more(index);
    try_new_tasks(index);
    set_retry_timer(index);
    const bool rolls_back = service.plan.circuit_breaker.rollback;
    if (breaker_opens(index) && give_up(index, DeploymentFailure::kCircuitBreaker, rolls_back)) start_over(index);
  }
  if (newest(service).state != Deployment::State::kFailed) {
    succeed_early(index);
    replace_old(index);
    make_room(index);
  }
  end_turn(index);
}

/// After a rollback in the middle of the turn.
void PlainRun::start_over(std::uint32_t index) {
  stop_surplus(index);
  want_more(index);
  try_new_tasks(index);
  set_retry_timer(index);
  if (breaker_opens(index)) {
    give_up(index, DeploymentFailure::kCircuitBreaker, services_[index].plan.circuit_breaker.rollback);
  }
}

void PlainRun::look_at_move(ServiceNotes& service) {
  if (!service.move) return;
  if (is_active_task(*service.move) && !tasks_[*service.move].is_healthy) return;
  service.has_moved = is_active_task(*service.move);
  service.move.reset();
}

void PlainRun::stop_pending_on_draining(std::uint32_t service) {
  for (const auto i : tasks_of(service)) {
    const auto& own = history_.tasks[i];
    if (holds_a_place(i) && !own.started_at && is_draining(*own.instance)) stop(i, StopCause::kDraining);
  }
}

void PlainRun::stop_surplus(std::uint32_t index) {
  auto& service = services_[index];
  const auto cause = service.has_moved ? StopCause::kRebalanced : StopCause::kScaledIn;
  service.has_moved = false;
  while (true) {
    const auto fresh = new_tasks(index);
    if (static_cast<std::int64_t>(fresh.size()) <= target(service)) return;
    const auto homeless = std::find_if(fresh.rbegin(), fresh.rend(), [&](auto i) { return has_no_place(i); });
    Indices free;
    std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(free), [&](auto i) { return !is_protected(i); });
    if (homeless == fresh.rend() && free.empty()) return;
    stop(homeless != fresh.rend() ? *homeless : *by_rule(index, free), cause);
  }
}

void PlainRun::want_more(std::uint32_t index) {
  const auto& service = services_[index];
  if (service.restart_at && now_ < *service.restart_at) return;
  const auto fresh = static_cast<std::int64_t>(new_tasks(index).size());
  const auto all = static_cast<std::int64_t>(tasks_of(index).size());
  const std::int64_t most = std::max(upper(service, service.plan.desired_count), target(service));
  const std::int64_t wanted = std::min(target(service) - fresh, most - all);
  for (std::int64_t i = 0; i < wanted; ++i) {
    if (!may_launch(index)) return;
    const auto task = add_task(history_.deployments[service.newest].workload, index, next_provider(index));
    log(EventKind::kTaskArrived, task);
  }
}

/// All that arrived less than a minute ago, whatever became of them, but for those that the service starts with.
std::vector<Seconds> PlainRun::launches_of_last_minute(std::uint32_t index) const {
  std::vector<Seconds> launches;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const auto& own = history_.tasks[i];
    if (tasks_[i].service != index || own.running != kNoIndex || own.arrived_at <= now_ - 60) continue;
    if (!tasks_[i].is_of_start) launches.push_back(own.arrived_at);
  }
  return launches;
}

/// Else the service waits until the first of the minute is a minute old.
bool PlainRun::may_launch(std::uint32_t index) {
  auto& service = services_[index];
  const auto launches = launches_of_last_minute(index);
  const bool is_start = now_ == 0 && service.newest == index;
  if (is_start || static_cast<std::int64_t>(launches.size()) < table_.timing.launch_rate) return true;
  service.launches_at = *std::min_element(launches.begin(), launches.end()) + 60;
  if (!service.has_told_rate) log(EventKind::kLaunchRateReached, index);
  service.has_told_rate = true;
  return false;
}

/// Of the newest deployment's workload, by what its new tasks have.
std::optional<std::uint32_t> PlainRun::next_provider(std::uint32_t index) const {
  return next_provider_among(history_.deployments[services_[index].newest].workload, new_tasks(index));
}

std::optional<std::uint32_t> PlainRun::next_provider_among(std::uint32_t workload, const Indices& tasks) const {
  const auto& shares = world_.workloads[workload].capacity_providers;
  if (shares.empty()) return std::nullopt;
  std::vector<std::int64_t> running(shares.size());
  for (const auto i : tasks) {
    const auto provider = history_.tasks[i].capacity_provider;
    if (provider != kNoIndex) ++running[*provider];
  }
  return static_cast<std::uint32_t>(placement::ProviderDistributor(shares, running).next());
}

void PlainRun::try_new_tasks(std::uint32_t index) {
  const auto& service = services_[index];
  for (const auto i : new_tasks(index)) {
    if (!has_no_place(i) || try_to_place(i)) continue;
    if (!tasks_[i].was_tried) wait_or_provision(i);
    if (tasks_[i].was_tried && !is_provisioning(i) && may_provision(i)) provision(i);
    if (!tasks_[i].was_tried && !is_provisioning(i) && stopping_tasks(index) == 0) count_lack(service.newest);
    tasks_[i].was_tried = true;
  }
}

void PlainRun::wait_or_provision(std::uint32_t task) {
  if (may_provision(task)) return provision(task);
  log(EventKind::kTaskWaiting, task);
}

bool PlainRun::may_provision(std::uint32_t task) const {
  return is_managed(tasks_[task].provider) && provisioning_count() < table_.timing.provisioning_limit;
}

void PlainRun::provision(std::uint32_t task) {
  tasks_[task].provisioning_since = now_;
  log(EventKind::kTaskProvisioning, task);
}

void PlainRun::set_retry_timer(std::uint32_t index) {
  auto& service = services_[index];
  const bool counts = service.plan.circuit_breaker.enabled && !service.has_rolled_back &&
                      newest(service).state == Deployment::State::kInProgress;
  if (!counts || lacking(index) == 0) {
    service.retry_at.reset();
    service.retry_delay = table_.timing.placement_retry_delay;
  } else if (!service.retry_at) {
    service.retry_at = now_ + service.retry_delay;
  }
}

void PlainRun::replace_old(std::uint32_t index) {
  const auto is_over_full = [&] {
    const auto old = static_cast<std::int64_t>(old_tasks(index).size());
    return old + healthy_of(new_tasks(index)) > services_[index].plan.desired_count;
  };
  while (is_over_full() && stop_one_old(index)) {
  }
}

void PlainRun::make_room(std::uint32_t index) {
  const auto& service = services_[index];
  const std::int64_t desired = service.plan.desired_count;
  const auto fresh = new_tasks(index);
  const bool is_at_upper = static_cast<std::int64_t>(tasks_of(index).size()) >= upper(service, desired);
  std::int64_t room = std::count_if(fresh.begin(), fresh.end(), [&](auto i) { return has_no_place(i); });
  if (is_at_upper) room += std::max<std::int64_t>(0, desired - static_cast<std::int64_t>(fresh.size()));
  room -= stopping_tasks(index);
  while (room-- > 0 && stop_one_old(index)) {
  }
}

bool PlainRun::stop_one_old(std::uint32_t index) {
  const auto& service = services_[index];
  Indices homeless;
  Indices unhealthy;
  Indices healthy;
  for (const auto i : old_tasks(index)) {
    if (is_protected(i)) continue;
    (has_no_place(i) ? homeless : tasks_[i].is_healthy ? healthy : unhealthy).push_back(i);
  }
  const bool may_stop_healthy = healthy_of(tasks_of(index)) - 1 >= lower(service, service.plan.desired_count);
  std::optional<std::uint32_t> chosen;
  if (!homeless.empty()) {
    chosen = homeless.back();
  } else if (!unhealthy.empty()) {
    chosen = by_rule(index, unhealthy);
  } else if (may_stop_healthy) {
    chosen = by_rule(index, healthy);
  }
  if (chosen) stop(*chosen, why_old_stops(*chosen));
  return chosen.has_value();
}

StopCause PlainRun::why_old_stops(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (own.instance != kNoIndex && is_draining(*own.instance)) return StopCause::kDraining;
  if (own.deployment == kNoIndex) return StopCause::kReplaced;
  const bool has_failed = history_.deployments[*own.deployment].state == Deployment::State::kFailed;
  return has_failed ? StopCause::kRolledBack : StopCause::kReplaced;
}

/// Which of the tasks, all with a place, stops first.
std::optional<std::uint32_t> PlainRun::by_rule(std::uint32_t index, Indices candidates) {
  if (candidates.empty()) return std::nullopt;
  const auto& workload = newest_workload(services_[index]);
  const std::uint32_t group = groups_.number(workload.group);
  const auto instance_of = [&](std::uint32_t task) { return history_.tasks[task].instance; };
  for (const auto& strategy : effective_strategies(workload, world_.ties)) {
    if (strategy.type == StrategyType::kRandom) continue;
    const auto attribute = strategy.attribute();
    placement::keep_smallest(candidates, [&](std::uint32_t task) -> std::int64_t {
      if (!attribute.empty()) return -tasks_with_value(*instance_of(task), attribute, group);
      if (strategy.type == StrategyType::kSpread) return -group_tasks_on(*instance_of(task), group);
      const auto& state = states_[*instance_of(task)];
      const auto& takes = tasks_[task].requirement;
      return -(strategy.field == "cpu" ? state.cpu + takes.cpu : state.memory + takes.memory);
    });
  }
  return candidates.back();
}

void PlainRun::end_turn(std::uint32_t index) {
  auto& service = services_[index];
  const auto all = tasks_of(index);
  const auto count = static_cast<std::int64_t>(all.size());
  const bool is_full = old_tasks(index).empty() && count == service.plan.desired_count && healthy_of(all) == count &&
                       newest(service).state != Deployment::State::kFailed;
  const bool is_clean = old_tasks(index).empty() && stopping_tasks(index) == 0;
  const bool is_going = newest(service).state == Deployment::State::kInProgress;
  complete(index, is_full, is_going && is_clean && (service.removes_old || (is_full && !bakes(index))));
  rebalance(index);
}

void PlainRun::complete(std::uint32_t index, bool is_steady, bool is_done) {
  auto& service = services_[index];
  auto& deployment = newest(service);
  if (is_done && deployment.state == Deployment::State::kInProgress) {
    deployment.state = Deployment::State::kCompleted;
    deployment.ended_at = now_;
    log(EventKind::kDeploymentCompleted, service.newest);
  }
  is_steady = is_steady && deployment.state != Deployment::State::kInProgress;
  if (is_steady && !service.is_steady) log(EventKind::kSteadyState, index);
  service.is_steady = is_steady;
}

}  // namespace bayplan::timeline::plain
