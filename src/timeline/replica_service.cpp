#include "timeline/replica_service.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "placement/model/capacity_providers.hpp"
#include "placement/model/service_terms.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::timeline {

bool ReplicaService::needs_reconcile() const {
  if ((has_unplaced_ || wants_move_) && has_version_changed()) return true;
  if (waits_to_provision_ && cluster_.provisioning_count() < timing().provisioning_limit) return true;
  return rebalances_ && cluster_.occupancy().changes() != changes_;
}

bool ReplicaService::is_of(std::uint32_t task, Revision revision) const {
  switch (revision) {
    case Revision::kAll:
      return true;
    case Revision::kSource:
      return !is_newest(task) && cluster_.task(task).workload == staged_->source_workload;
    case Revision::kTarget:
      break;
  }
  return is_newest(task);
}

std::uint32_t ReplicaService::workload_of(Revision revision) const {
  return revision == Revision::kSource ? staged_->source_workload : deployment().workload;
}

ReplicaService::RetainedTasks ReplicaService::retained_tasks(Revision revision) const {
  RetainedTasks kept;
  auto& counts = kept.counts;
  for (const std::uint32_t task : tasks_) {
    const auto& own = cluster_.task(task);
    if (own.stopped_at || !is_of(task, revision)) continue;
    const bool is_wanted = revision == Revision::kSource || is_newest(task);
    if (!own.placed_at) {
      (is_wanted ? kept.current_unplaced : kept.outdated_unplaced).push_back(task);
      continue;
    }
    if (!cluster_.is_up(task)) {
      ++counts.stopping;
      continue;
    }
    const bool is_current = is_wanted && cluster_.instance(*own.instance).stage == InstanceStage::kActive;
    (is_current ? kept.current_placed : kept.outdated_placed).push_back(task);
    const bool is_healthy = cluster_.live(task).is_healthy;
    if (is_healthy) ++(is_current ? counts.current_healthy : counts.outdated_healthy);
    if (is_current || !cluster_.is_protected(task)) continue;
    ++counts.outdated_protected;
    if (is_healthy) ++counts.outdated_protected_healthy;
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

/// Tasks of its own are about to make room: the lack of a place says nothing of the deployment.
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
  if (is_in_progress() && !is_stopping_any() && unplaced_of_newest() > 0) count_failed_try();
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
  settings_ = update.settings.value_or(settings_);
}

/// The last deployment of the service that completed; nothing when none did.
std::optional<std::uint32_t> ReplicaService::last_completed() const {
  const auto& deployments = cluster_.history().deployments;
  for (auto i = static_cast<std::uint32_t>(deployments.size()); i-- > 0;) {
    if (deployments[i].service == index_ && deployments[i].state == Deployment::State::kCompleted) return i;
  }
  return std::nullopt;
}

void ReplicaService::restart(EventKind kind) {
  is_rollback_ = false;
  is_early_ = false;
  is_removing_ = false;
  baked_at_ = -1;
  stage_due_ = -1;
  staged_.reset();
  const auto source = last_completed();
  if (kind == EventKind::kDeploymentStarted && settings_.runs_both() && source) {
    staged_ = StagedDeployment{.source_deployment = *source,
                               .source_workload = cluster_.history().deployments[*source].workload,
                               .stages = stage_times(settings_, timing())};
  }
  failed_tasks_ = 0;
  failed_try_at_ = -1;
  stop_counting();
  forget_move();
}

void ReplicaService::stop_counting() {
  retry_at_ = -1;
  retry_delay_ = timing().placement_retry_delay;
}

void ReplicaService::forget_move() {
  move_.reset();
  is_rebalancing_ = false;
  just_moved_ = false;
}

void ReplicaService::reconcile() {
  waits_to_provision_ = false;
  drop_stopped();
  follow_move();
  open_breaker();
  stop_pending_on_draining();
  staged_ ? reconcile_stages() : reconcile_rolling();
}

void ReplicaService::reconcile_rolling() {
  fit_to_target();
  if (open_breaker()) fit_to_target();
  if (!has_failed()) {
    succeed_early();
    stop_replaced();
    make_room();
  }
  settle();
}

/// Enough new tasks are healthy: the deployment succeeds, and old tasks go, before the last new ones start.
void ReplicaService::succeed_early() {
  const auto& early = settings_.early_success;
  if (!early.enabled || settings_.runs_both() || is_rollback_ || is_first()) return;
  const bool has_old = std::any_of(tasks_.begin(), tasks_.end(), [&](std::uint32_t task) { return !is_newest(task); });
  if (!is_in_progress() && !has_old) is_removing_ = false;  // what drains later is replaced first
  if (!is_removing_) {
    if (!is_in_progress()) return;
    is_early_ |= retained_tasks().counts.current_healthy >= early.required(terms_.desired);
    if (!is_early_ || !has_baked()) return;
    is_removing_ = true;
    if (early.is_deferred) complete();
  }
  stop_outdated(Revision::kAll, [](const ServiceCounts& counts) { return counts.outdated() > 0; });
}

bool ReplicaService::has_baked() {
  if (!settings_.alarms.enabled || is_rollback_ || is_first()) return true;
  if (baked_at_ < 0) {
    baked_at_ = cluster_.now + timing().alarm_bake_time;
    stage_due_ = baked_at_;
    cluster_.agenda.add(Step::kRetry, stage_due_, index_);
  }
  return baked_at_ <= cluster_.now;
}

// Deployments that run both revisions: BLUE_GREEN, LINEAR, CANARY, CodeDeploy and external controllers.

void ReplicaService::reconcile_stages() {
  if (deployment().stages.empty()) enter_stage(0);
  for (bool goes_on = true; goes_on && staged_;) {
    const auto stage = staged_->stages[staged_->current].stage;
    stop_strays();
    stage == model::DeploymentStage::kCleanUp ? stop_source() : keep(Revision::kSource);
    if (stage >= model::DeploymentStage::kScaleUp) keep(Revision::kTarget);
    goes_on = staged_ && (open_breaker() || advance());
  }
  staged_ ? settle_stages() : reconcile_rolling();
}

void ReplicaService::keep(Revision revision) {
  scale_in(revision);
  want_more(revision);
  place(revision);
  stop_replaced(revision);
  make_room(revision);
}

/// Tasks of neither revision: of a deployment that failed, or that this one superseded.
void ReplicaService::stop_strays() {
  for (const std::uint32_t task : std::vector(tasks_)) {
    const bool is_stray = !is_of(task, Revision::kSource) && !is_of(task, Revision::kTarget);
    const bool is_there = cluster_.is_up(task) || cluster_.needs_placement(task);
    if (is_stray && is_there && !cluster_.is_protected(task)) cluster_.stop(task, find_cause(task), reason_);
  }
}

/// Green is complete: nothing has to stay healthy of blue. Protected tasks stay until they are not any more.
void ReplicaService::stop_source() {
  for (const std::uint32_t task : std::vector(tasks_)) {
    const bool is_there = cluster_.is_up(task) || cluster_.needs_placement(task);
    if (is_of(task, Revision::kSource) && is_there && !cluster_.is_protected(task))
      cluster_.stop(task, find_cause(task), reason_);
  }
}

bool ReplicaService::is_stage_over(const StageTime& stage) const {
  if (is_timed(stage.stage)) return cluster_.now >= staged_->since + stage.lasts;
  if (stage.stage == model::DeploymentStage::kScaleUp) {
    const auto counts = retained_tasks(Revision::kTarget).counts;
    return counts.current_placed == terms_.desired && counts.current_healthy == counts.current_placed &&
           counts.current_unplaced == 0;
  }
  return std::all_of(tasks_.begin(), tasks_.end(),
                     [&](std::uint32_t task) { return is_newest(task) || cluster_.task(task).stopped_at.has_value(); });
}

bool ReplicaService::advance() {
  const auto& stage = staged_->stages[staged_->current];
  if (is_stage_over(stage)) {
    if (staged_->current + 1 < staged_->stages.size()) {
      enter_stage(staged_->current + 1);
      return true;
    }
    staged_.reset();
    complete();
    return false;
  }
  if (!stage.limit || cluster_.now < staged_->since + *stage.limit) return false;
  const bool is_hook = is_timed(stage.stage);
  give_up(is_hook ? DeploymentFailure::kHook : DeploymentFailure::kStageLimit, true, reason_);
  return false;
}

void ReplicaService::enter_stage(std::size_t number) {
  staged_->current = number;
  staged_->since = cluster_.now;
  const auto& stage = staged_->stages[number];
  deployment().stages.push_back({stage.stage, cluster_.now});
  reason_ = cluster_.log({.kind = EventKind::kDeploymentStage,
                          .subject = deployment_,
                          .cause = reason_,
                          .value = static_cast<std::int64_t>(stage.stage)});
  stage_due_ = -1;
  if (is_timed(stage.stage)) stage_due_ = cluster_.now + std::min(stage.lasts, stage.limit.value_or(stage.lasts));
  if (!is_timed(stage.stage) && stage.limit) stage_due_ = cluster_.now + *stage.limit;
  if (stage_due_ > cluster_.now) cluster_.agenda.add(Step::kRetry, stage_due_, index_);
}

void ReplicaService::settle_stages() {
  has_unplaced_ =
      std::any_of(tasks_.begin(), tasks_.end(), [&](std::uint32_t task) { return cluster_.needs_placement(task); });
  wants_move_ = false;
  set_steady(false);
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
    const auto& instance = cluster_.instance(*cluster_.task(task).instance);
    if (instance.stage == InstanceStage::kDraining) cluster_.stop(task, StopCause::kDraining, instance.last_event);
  }
}

/// True when the deployment failed.
bool ReplicaService::open_breaker() {
  if (!breaker_.enabled || is_rollback_ || !is_in_progress() || failed_tasks_ < breaker_.threshold(terms_.desired))
    return false;
  give_up(DeploymentFailure::kCircuitBreaker, breaker_.rollback, reason_);
  return true;
}

void ReplicaService::fail_deployment(DeploymentFailure failure, std::uint32_t event) {
  if (!is_in_progress() || is_rollback_) return;
  give_up(failure, failure == DeploymentFailure::kStopped || settings_.alarms.rollback, event);
  touch();
}

bool ReplicaService::watches(const std::string& alarm) const {
  const auto& names = settings_.alarms.names;
  return settings_.alarms.enabled && is_in_progress() && !is_rollback_ &&
         std::find(names.begin(), names.end(), alarm) != names.end();
}

void ReplicaService::give_up(DeploymentFailure failure, bool rolls_back, OptionalIndex cause) {
  deployment().state = Deployment::State::kFailed;
  deployment().failure = failure;
  deployment().ended_at = cluster_.now;
  stop_counting();
  staged_.reset();
  stage_due_ = -1;
  const std::uint32_t event =
      cluster_.log({.kind = EventKind::kDeploymentFailed, .subject = deployment_, .cause = cause});
  for (const std::uint32_t task : retained_tasks().current_unplaced) cluster_.stop(task, StopCause::kRolledBack, event);
  forget_move();
  reason_ = event;
  if (rolls_back) roll_back(event);
}

/// Rolls back to the last completed deployment, whose running tasks belong to the new one.
void ReplicaService::roll_back(std::uint32_t event) {
  const auto completed = last_completed();
  if (!completed) return;
  const std::uint32_t workload = cluster_.history().deployments[*completed].workload;
  start_deployment(workload, EventKind::kRollback, event);
  is_rollback_ = true;
  for (const std::uint32_t task : tasks_) {
    auto& own = cluster_.history().tasks[task];
    if (own.workload == workload && !own.stopped_at) own.deployment = deployment_;
  }
}

void ReplicaService::scale_in(Revision revision) {
  auto kept = retained_tasks(revision);
  const StopCause cause = just_moved_ ? StopCause::kRebalanced : StopCause::kScaledIn;
  const auto candidates = without_protected(kept.current_placed);
  auto left = candidates.size();
  std::optional<placement::StopOrder> order;
  while (tasks_to_scale_in(kept.counts, target()) > 0) {
    if (!kept.current_unplaced.empty()) {
      cluster_.stop(kept.current_unplaced.back(), cause, reason_);
      kept.current_unplaced.pop_back();
      --kept.counts.current_unplaced;
      continue;
    }
    if (left == 0) break;  // all others are protected: they stop when that ends
    if (!order) order.emplace(cluster_.occupancy(), stoppable(candidates), group_of(kept), deployment().workload);
    cluster_.stop(order->next(), cause, reason_);
    --left;
    --kept.counts.current_placed;
  }
  just_moved_ = false;
}

std::vector<std::uint32_t> ReplicaService::without_protected(std::vector<std::uint32_t> tasks) const {
  std::erase_if(tasks, [&](std::uint32_t task) { return cluster_.is_protected(task); });
  return tasks;
}

std::vector<placement::StoppableTask> ReplicaService::stoppable(const std::vector<std::uint32_t>& tasks) const {
  std::vector<placement::StoppableTask> placed;
  placed.reserve(tasks.size());
  for (const std::uint32_t task : tasks)
    placed.push_back({task, *cluster_.task(task).instance, &cluster_.requirement_of(task)});
  return placed;
}

/// Both revisions are of one group.
std::vector<placement::StoppableTask> ReplicaService::group_of(const RetainedTasks& kept) const {
  const RetainedTasks all = staged_ ? retained_tasks() : kept;
  auto group = stoppable(all.current_placed);
  const auto outdated = stoppable(all.outdated_placed);
  group.insert(group.end(), outdated.begin(), outdated.end());
  return group;
}

/// Base and weights are those of the newest deployment's tasks.
std::uint32_t ReplicaService::next_provider(const RetainedTasks& kept, std::uint32_t workload) const {
  const auto& shares = cluster_.scenario().workloads[workload].capacity_providers;
  if (shares.empty()) return 0;
  std::vector<std::int64_t> running(shares.size());
  for (const auto* tasks : {&kept.current_unplaced, &kept.current_placed}) {
    for (const std::uint32_t task : *tasks) {
      const OptionalIndex provider = cluster_.task(task).capacity_provider;
      if (provider != kNoIndex) ++running[*provider];
    }
  }
  return static_cast<std::uint32_t>(placement::ProviderDistributor(shares, running).next());
}

void ReplicaService::want_more(Revision revision) {
  if (!may_start()) return;
  auto own = retained_tasks(revision);
  const std::uint32_t workload = workload_of(revision);
  const auto wanted = tasks_to_start(terms_, own.counts, target());
  const auto launched = std::min(wanted, launches_left());
  for (auto count = launched; count > 0; --count) {
    tasks_.push_back(
        cluster_.arrive({.workload = workload,
                         .provider = next_provider(own, workload),
                         .service = index_,
                         .deployment = revision == Revision::kSource ? staged_->source_deployment : deployment_,
                         .cause = reason_}));
    own.current_unplaced.push_back(tasks_.back());
  }
  note_launches(launched);
  if (wanted > launched) wait_for_launches();
}

void ReplicaService::place(Revision revision) {
  for (const std::uint32_t task : retained_tasks(revision).current_unplaced) {
    if (cluster_.try_place(task)) continue;
    if (!cluster_.live(task).is_tried) {
      first_unplaced(task);
    } else if (!cluster_.is_provisioning(task) && may_provision(task)) {
      cluster_.provision(task);  // when it arrived, too many were PROVISIONING
    }
    waits_to_provision_ = waits_to_provision_ || (cluster_.is_managed(task) && !cluster_.is_provisioning(task));
  }
  watch_unplaced();
}

bool ReplicaService::may_provision(std::uint32_t task) const {
  return cluster_.is_managed(task) && cluster_.provisioning_count() < timing().provisioning_limit;
}

void ReplicaService::first_unplaced(std::uint32_t task) {
  cluster_.explain(task, ExplanationReason::kWaiting);
  if (may_provision(task)) return cluster_.provision(task);
  cluster_.wait(task);
  if (is_newest(task) && is_in_progress() && !is_stopping_any()) count_failed_try();
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
  if (own.placed_at && cluster_.instance(*own.instance).stage == InstanceStage::kDraining) return StopCause::kDraining;
  if (own.deployment == kNoIndex) return StopCause::kReplaced;
  const auto state = cluster_.history().deployments[*own.deployment].state;
  return state == Deployment::State::kFailed ? StopCause::kRolledBack : StopCause::kReplaced;
}

/// Stops outdated tasks as long as `goes_on` says so of what is left, or until the service has to wait. The order of
/// the tasks is kept from one stop to the next: a service that replaces many would look at all of them for each.
void ReplicaService::stop_outdated(Revision revision, const std::function<bool(const ServiceCounts&)>& goes_on) {
  auto kept = retained_tasks(revision);
  std::optional<placement::StopOrder> order;
  OutdatedStop ordered = OutdatedStop::kWait;
  while (goes_on(kept.counts)) {
    const OutdatedStop next = next_outdated_to_stop(terms_, kept.counts);
    if (next == OutdatedStop::kWait) return;
    if (next == OutdatedStop::kUnplaced) {
      const std::uint32_t task = kept.outdated_unplaced.back();
      cluster_.stop(task, find_cause(task), reason_);
      kept.outdated_unplaced.pop_back();
      --kept.counts.outdated_unplaced;
      continue;
    }
    if (next != ordered) {
      kept = retained_tasks(revision);
      auto candidates = without_protected(kept.outdated_placed);
      if (next == OutdatedStop::kUnhealthy)
        std::erase_if(candidates, [&](std::uint32_t task) { return cluster_.live(task).is_healthy; });
      order.emplace(cluster_.occupancy(), stoppable(candidates), group_of(kept), deployment().workload);
      ordered = next;
    }
    const std::uint32_t task = order->next();
    const bool is_healthy = cluster_.live(task).is_healthy;
    cluster_.stop(task, find_cause(task), reason_);
    --kept.counts.outdated_placed;
    if (is_healthy) --kept.counts.outdated_healthy;
    if (!cluster_.task(task).stopped_at) ++kept.counts.stopping;
  }
}

void ReplicaService::stop_replaced(Revision revision) {
  stop_outdated(revision, [&](const ServiceCounts& counts) { return has_replaced_tasks(terms_, counts); });
}

void ReplicaService::make_room(Revision revision) {
  auto count = tasks_to_make_room_for(terms_, retained_tasks(revision).counts);
  stop_outdated(revision, [&](const ServiceCounts&) { return count-- > 0; });
}

void ReplicaService::settle() {
  const auto own = retained_tasks();
  has_unplaced_ = !own.current_unplaced.empty();
  wants_move_ = false;
  if (has_failed()) return set_steady(false);
  const auto& counts = own.counts;
  const bool is_full = counts.current_unplaced == 0 && counts.current_placed == terms_.desired &&
                       counts.current_healthy == counts.current_placed && counts.outdated() == 0;
  // A deployment ends when its old tasks are gone (early-success-criteria: source tasks are cleaned up).
  const bool is_clean = counts.outdated() == 0 && counts.stopping == 0;
  if (is_in_progress() && is_clean && (is_removing_ || (is_full && has_baked()))) complete();
  const bool is_there = is_full && !is_in_progress();
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
    const auto zone = tasks.find(cluster_.profile(*cluster_.task(task).instance).availability_zone);
    if (zone != tasks.end()) ++zone->second;
  }
  if (tasks.empty()) return false;
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto extremes = std::minmax_element(tasks.begin(), tasks.end(), by_count);
  const auto fewest = extremes.first;
  const auto most = extremes.second;
  // A task that is protected does not move (TASKSET_SCALE_IN_FAILURE_BY_TASK_PROTECTION).
  const bool may_leave = std::any_of(kept.current_placed.begin(), kept.current_placed.end(), [&](std::uint32_t task) {
    const auto zone = tasks.find(cluster_.profile(*cluster_.task(task).instance).availability_zone);
    return zone != tasks.end() && zone->second == most->second && !cluster_.is_protected(task);
  });
  wants_move_ = may_leave && most->second - fewest->second >= 2 && terms_.desired + 1 <= terms_.upper();
  if (!wants_move_) return false;
  const std::uint32_t provider = next_provider(kept, deployment().workload);
  const auto choice = cluster_.find_place_of(cluster_.occupancy().classes().number(deployment().workload, provider));
  if (!choice) return false;
  const auto zone = tasks.find(cluster_.profile(choice->instance).availability_zone);
  if (zone == tasks.end() || zone->second > most->second - 2) return false;
  if (launches_left() == 0) {
    wait_for_launches();
    return true;
  }
  OptionalIndex cause = reason_;
  if (!is_rebalancing_)
    cause = cluster_.log({.kind = EventKind::kRebalancingStarted, .subject = index_, .cause = reason_});
  is_rebalancing_ = true;
  tasks_.push_back(cluster_.arrive({.workload = deployment().workload,
                                    .provider = provider,
                                    .service = index_,
                                    .deployment = deployment_,
                                    .cause = cause}));
  move_ = tasks_.back();
  note_launches(1);
  cluster_.place(*move_, *choice);
  return true;
}

}  // namespace bayplan::timeline
