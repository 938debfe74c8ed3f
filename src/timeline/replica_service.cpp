#include "timeline/replica_service.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "placement/model/capacity_providers.hpp"
#include "placement/model/service_terms.hpp"
#include "placement/model/stop_rule.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::timeline {

bool ReplicaService::needs_reconcile() const {
  if ((has_unplaced_ || wants_move_) && has_version_changed()) return true;
  return rebalances_ && cluster_.occupancy().changes() != changes_;
}

ReplicaService::RetainedTasks ReplicaService::retained_tasks() const {
  RetainedTasks kept;
  auto& counts = kept.counts;
  for (const std::uint32_t task : tasks_) {
    const auto& own = cluster_.task(task);
    if (own.stopped_at) continue;
    if (!own.placed_at) {
      (is_newest(task) ? kept.current_unplaced : kept.outdated_unplaced).push_back(task);
      continue;
    }
    if (!cluster_.is_up(task)) {
      ++counts.stopping;
      continue;
    }
    const bool is_current = is_newest(task) && cluster_.instance(own.instance).stage == InstanceStage::kActive;
    (is_current ? kept.current_placed : kept.outdated_placed).push_back(task);
    if (cluster_.live(task).is_healthy) ++(is_current ? counts.current_healthy : counts.outdated_healthy);
  }
  const auto count = [](const std::vector<std::uint32_t>& tasks) { return static_cast<std::int64_t>(tasks.size()); };
  counts.current_unplaced = count(kept.current_unplaced);
  counts.current_placed = count(kept.current_placed);
  counts.outdated_unplaced = count(kept.outdated_unplaced);
  counts.outdated_placed = count(kept.outdated_placed);
  return kept;
}

std::int64_t ReplicaService::unplaced_of_newest() const {
  return std::count_if(tasks_.begin(), tasks_.end(), [&](std::uint32_t task) {
    return is_newest(task) && cluster_.needs_placement(task) && !cluster_.is_provisioning(task);
  });
}

/// Tasks of its own are about to make room: the lack of a place tells nothing of the deployment.
bool ReplicaService::is_stopping_any() const {
  return std::any_of(tasks_.begin(), tasks_.end(), [&](std::uint32_t task) {
    const auto& own = cluster_.task(task);
    return own.placed_at && !own.stopped_at && cluster_.live(task).stopping != StopCause::kNone;
  });
}

void ReplicaService::count_failed_try() {
  if (failed_try_at_ == cluster_.now) return;
  failed_try_at_ = cluster_.now;
  ++deployment().failed_tasks;
  ++failed_tasks_;
}

void ReplicaService::count_failed(std::uint32_t task) {
  Service::count_failed(task);
  if (is_newest(task) && is_in_progress()) ++failed_tasks_;
}

void ReplicaService::note_healthy_task(std::uint32_t task) {
  Service::note_healthy_task(task);
  if (is_newest(task) && breaker_.reset_on_healthy_task) failed_tasks_ = 0;
}

void ReplicaService::retry() {
  Service::retry();
  if (retry_at_ != cluster_.now) return;
  if (!is_stopping_any() && unplaced_of_newest() > 0) count_failed_try();
  retry_delay_ = std::min(2 * retry_delay_, timing().restart_delay_limit);
  count_again_later();
}

void ReplicaService::count_again_later() {
  retry_at_ = cluster_.now + retry_delay_;
  cluster_.agenda.add(Step::kRetry, retry_at_, index_);
}

void ReplicaService::take_over(const placement::UpdateService& update) {
  rebalances_ = update.rebalances.value_or(rebalances_);
  breaker_ = update.circuit_breaker.value_or(breaker_);
}

void ReplicaService::restart() {
  is_rollback_ = false;
  failed_tasks_ = 0;
  failed_try_at_ = -1;
  stop_counting();
  forget_move();
}

void ReplicaService::stop_counting() {
  retry_at_ = -1;
  retry_delay_ = timing().restart_delay;
}

void ReplicaService::forget_move() {
  move_.reset();
  is_rebalancing_ = false;
  just_moved_ = false;
}

void ReplicaService::reconcile() {
  drop_stopped();
  follow_move();
  open_breaker();
  stop_pending_on_draining();
  fit_to_target();
  if (open_breaker()) fit_to_target();
  if (!has_failed()) {
    stop_replaced();
    make_room();
  }
  settle();
}

void ReplicaService::follow_move() {
  if (move_ && (cluster_.task(*move_).stopped_at || !cluster_.is_up(*move_))) move_.reset();
  if (move_ && cluster_.live(*move_).is_healthy) {
    move_.reset();
    just_moved_ = true;
  }
}

void ReplicaService::fit_to_target() {
  scale_in();
  if (has_failed()) return;
  want_more();
  place();
}

void ReplicaService::stop_pending_on_draining() {
  for (const std::uint32_t task : tasks_) {
    if (!cluster_.is_pending(task)) continue;
    const auto& instance = cluster_.instance(cluster_.task(task).instance);
    if (instance.stage == InstanceStage::kDraining) cluster_.stop(task, StopCause::kDraining, instance.last_event);
  }
}

/// True when the deployment failed.
bool ReplicaService::open_breaker() {
  if (!breaker_.enabled || is_rollback_ || !is_in_progress() || failed_tasks_ < breaker_.threshold(terms_.desired))
    return false;
  deployment().state = Deployment::State::kFailed;
  deployment().ended_at = cluster_.now;
  stop_counting();
  const std::uint32_t event =
      cluster_.log({.kind = EventKind::kDeploymentFailed, .subject = deployment_, .cause = reason_});
  for (const std::uint32_t task : retained_tasks().current_unplaced) cluster_.stop(task, StopCause::kRolledBack, event);
  forget_move();
  reason_ = event;
  if (breaker_.rollback) roll_back(event);
  return true;
}

/// Rolls back to the last completed deployment, whose running tasks belong to the new one.
void ReplicaService::roll_back(std::uint32_t event) {
  const auto& deployments = cluster_.history().deployments;
  for (std::size_t i = deployments.size(); i-- > 0;) {
    if (deployments[i].service != index_ || deployments[i].state != Deployment::State::kCompleted) continue;
    const std::uint32_t workload = deployments[i].workload;
    start_deployment(workload, EventKind::kRollback, event);
    is_rollback_ = true;
    for (const std::uint32_t task : tasks_) {
      auto& own = cluster_.history().tasks[task];
      if (own.workload == workload && !own.stopped_at) own.deployment = deployment_;
    }
    return;
  }
}

void ReplicaService::scale_in() {
  for (auto own = retained_tasks(); tasks_to_scale_in(own.counts, target()) > 0; own = retained_tasks()) {
    const StopCause cause = just_moved_ ? StopCause::kRebalanced : StopCause::kScaledIn;
    const bool is_unplaced = !own.current_unplaced.empty();
    cluster_.stop(is_unplaced ? own.current_unplaced.back() : pick(own.current_placed, own), cause, reason_);
  }
  just_moved_ = false;
}

std::uint32_t ReplicaService::pick(const std::vector<std::uint32_t>& candidates, const RetainedTasks& kept) const {
  const auto stoppable = [&](std::uint32_t task) {
    return placement::StoppableTask{task, cluster_.task(task).instance, &cluster_.requirement_of(task)};
  };
  std::vector<placement::StoppableTask> chosen, tasks;
  for (const std::uint32_t task : candidates) chosen.push_back(stoppable(task));
  for (const std::uint32_t task : kept.current_placed) tasks.push_back(stoppable(task));
  for (const std::uint32_t task : kept.outdated_placed) tasks.push_back(stoppable(task));
  return placement::task_to_stop(cluster_.occupancy(), chosen, tasks, deployment().workload);
}

/// Base and weights are those of the newest deployment's tasks.
std::uint32_t ReplicaService::next_provider(const RetainedTasks& kept) const {
  const auto& shares = workload().capacity_providers;
  if (shares.empty()) return 0;
  std::vector<std::int64_t> running(shares.size());
  for (const auto* tasks : {&kept.current_unplaced, &kept.current_placed}) {
    for (const std::uint32_t task : *tasks) {
      const std::uint32_t provider = cluster_.task(task).capacity_provider;
      if (provider != kNoIndex) ++running[provider];
    }
  }
  return static_cast<std::uint32_t>(placement::ProviderDistributor(shares, running).next());
}

void ReplicaService::want_more() {
  if (!may_start()) return;
  auto own = retained_tasks();
  for (auto count = tasks_to_start(terms_, own.counts, target()); count > 0; --count) {
    tasks_.push_back(cluster_.arrive({.workload = deployment().workload,
                                      .provider = next_provider(own),
                                      .service = index_,
                                      .deployment = deployment_,
                                      .cause = reason_}));
    own.current_unplaced.push_back(tasks_.back());
  }
}

void ReplicaService::place() {
  for (const std::uint32_t task : retained_tasks().current_unplaced) {
    if (!cluster_.try_place(task) && !cluster_.live(task).is_tried) first_unplaced(task);
  }
  watch_unplaced();
}

void ReplicaService::first_unplaced(std::uint32_t task) {
  cluster_.explain(task, ExplanationReason::kWaiting);
  const bool is_managed = cluster_.is_managed(task);
  if (is_managed && cluster_.provisioning_count() < timing().provisioning_limit) return cluster_.provision(task);
  cluster_.wait(task);
  if (is_in_progress() && !is_stopping_any()) count_failed_try();
}

/// The lack of places is counted again and again, as ECS tries again and again.
void ReplicaService::watch_unplaced() {
  if (unplaced_of_newest() == 0 || !breaker_.enabled || is_rollback_ || !is_in_progress()) {
    stop_counting();
  } else if (retry_at_ < 0) {
    count_again_later();
  }
}

StopCause ReplicaService::find_cause(std::uint32_t task) const {
  const auto& own = cluster_.task(task);
  if (own.placed_at && cluster_.instance(own.instance).stage == InstanceStage::kDraining) return StopCause::kDraining;
  if (own.deployment == kNoIndex) return StopCause::kReplaced;
  const auto state = cluster_.history().deployments[own.deployment].state;
  return state == Deployment::State::kFailed ? StopCause::kRolledBack : StopCause::kReplaced;
}

/// False when the service has to wait.
bool ReplicaService::stop_one_outdated(const RetainedTasks& kept) {
  const auto stop = [&](std::uint32_t task) { cluster_.stop(task, find_cause(task), reason_); };
  switch (next_outdated_to_stop(terms_, kept.counts)) {
    case OutdatedStop::kWait:
      return false;
    case OutdatedStop::kUnplaced:
      stop(kept.outdated_unplaced.back());
      break;
    case OutdatedStop::kUnhealthy: {
      auto unhealthy = kept.outdated_placed;
      std::erase_if(unhealthy, [&](std::uint32_t task) { return cluster_.live(task).is_healthy; });
      stop(pick(unhealthy, kept));
      break;
    }
    case OutdatedStop::kHealthy:
      stop(pick(kept.outdated_placed, kept));
      break;
  }
  return true;
}

void ReplicaService::stop_replaced() {
  for (auto own = retained_tasks(); has_replaced_tasks(terms_, own.counts); own = retained_tasks()) {
    if (!stop_one_outdated(own)) return;
  }
}

void ReplicaService::make_room() {
  for (auto count = tasks_to_make_room_for(terms_, retained_tasks().counts); count > 0; --count) {
    if (!stop_one_outdated(retained_tasks())) return;
  }
}

void ReplicaService::settle() {
  const auto own = retained_tasks();
  has_unplaced_ = !own.current_unplaced.empty();
  wants_move_ = false;
  if (has_failed()) return set_steady(false);
  const auto& counts = own.counts;
  const bool is_there = counts.current_unplaced == 0 && counts.current_placed == terms_.desired &&
                        counts.current_healthy == counts.current_placed && counts.outdated() == 0;
  if (is_there && is_in_progress()) complete();
  set_steady(is_there);
  if (is_there) rebalance(own);
}

void ReplicaService::rebalance(const RetainedTasks& kept) {
  const bool is_quiet =
      kept.counts.stopping == 0 && !move_ && may_start() && !placement::draws(workload(), cluster_.scenario().ties);
  if (!rebalances_ || !is_quiet || !placement::may_rebalance(workload(), terms_.maximum_percent)) return;
  if (start_move(kept) || !is_rebalancing_) return;
  is_rebalancing_ = false;
  cluster_.log({.kind = EventKind::kRebalancingCompleted, .subject = index_, .cause = reason_});
}

/// One more task in a zone with at least two fewer than the fullest.
bool ReplicaService::start_move(const RetainedTasks& kept) {
  std::map<std::string_view, std::int64_t> tasks;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    const std::string_view zone = cluster_.profile(i).availability_zone;
    if (cluster_.instance(i).stage == InstanceStage::kActive && !zone.empty()) tasks.try_emplace(zone);
  }
  for (const std::uint32_t task : kept.current_placed) {
    const auto zone = tasks.find(cluster_.profile(cluster_.task(task).instance).availability_zone);
    if (zone != tasks.end()) ++zone->second;
  }
  if (tasks.empty()) return false;
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [fewest, most] = std::minmax_element(tasks.begin(), tasks.end(), by_count);
  wants_move_ = most->second - fewest->second >= 2 && terms_.desired + 1 <= terms_.upper();
  if (!wants_move_) return false;
  const std::uint32_t provider = next_provider(kept);
  const auto choice = cluster_.find_place_of(cluster_.occupancy().classes().number(deployment().workload, provider));
  if (!choice) return false;
  const auto zone = tasks.find(cluster_.profile(choice->instance).availability_zone);
  if (zone == tasks.end() || zone->second > most->second - 2) return false;
  std::uint32_t cause = reason_;
  if (!is_rebalancing_)
    cause = cluster_.log({.kind = EventKind::kRebalancingStarted, .subject = index_, .cause = reason_});
  is_rebalancing_ = true;
  tasks_.push_back(cluster_.arrive({.workload = deployment().workload,
                                    .provider = provider,
                                    .service = index_,
                                    .deployment = deployment_,
                                    .cause = cause}));
  move_ = tasks_.back();
  cluster_.place(*move_, *choice);
  return true;
}

}  // namespace bayplan::timeline
