#include "timeline/daemon_service.hpp"

#include <algorithm>

namespace bayplan::timeline {

bool DaemonService::needs_reconcile() const {
  if (cluster_.occupancy().changes() != changes_) return true;
  return (looks_at_tasks_ || is_leaving_ || !meant_for_.empty()) && has_version_changed();
}

void DaemonService::reconcile() {
  drop_stopped();
  const auto instances = wanted();
  terms_.desired = static_cast<std::int64_t>(instances.size());
  leave(instances);
  if (may_start()) start(instances);
  replace(instances);
  settle(instances);
}

/// Instances that are to have a task, in their order.
std::vector<std::uint32_t> DaemonService::wanted() {
  const auto& scenario = cluster_.scenario();
  const std::uint32_t own = deployment().workload;
  if (filter_workload_ != own || filter_profiles_ != scenario.profiles.size()) {
    filter_.emplace(scenario, cluster_.occupancy().groups(), workload(), cluster_.occupancy().group_of(own));
    filter_workload_ = own;
    filter_profiles_ = scenario.profiles.size();
    looks_at_tasks_ = filter_->may_recover();
  }
  std::vector<std::uint32_t> instances;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    const bool is_active = cluster_.instance(i).stage == InstanceStage::kActive;
    if (is_active && filter_->allows_daemon(i, cluster_.occupancy().states()[i])) instances.push_back(i);
  }
  return instances;
}

std::map<std::uint32_t, DaemonService::OnInstance> DaemonService::by_instance() const {
  std::map<std::uint32_t, OnInstance> all;
  for (const std::uint32_t task : tasks_) {
    const auto& own = cluster_.task(task);
    if (own.stopped_at) continue;
    auto& here = all[own.placed_at ? *own.instance : meant_for_.at(task)];
    if (own.placed_at && !cluster_.is_up(task)) {
      here.has_stopping = true;
    } else if (is_newest(task)) {
      here.newest = task;
    } else if (own.placed_at) {
      here.old.push_back(task);
    }
  }
  return all;
}

/// Tasks without a place whose instance is no longer wanted give up; on a draining instance a daemon stops last.
void DaemonService::leave(const std::vector<std::uint32_t>& wanted) {
  is_leaving_ = false;
  for (const std::uint32_t task : std::vector(tasks_)) {
    const auto& own = cluster_.task(task);
    const std::uint32_t at = own.placed_at ? *own.instance : meant_for_.at(task);
    const auto& instance = cluster_.instance(at);
    const bool drains = instance.stage == InstanceStage::kDraining;
    if (own.placed_at) {
      is_leaving_ |= drains;
      if (drains && instance.busy == 0 && cluster_.is_up(task))
        cluster_.stop(task, StopCause::kDraining, instance.last_event);
    } else if (!is_newest(task) || !std::binary_search(wanted.begin(), wanted.end(), at)) {
      const StopCause cause = !is_newest(task) ? StopCause::kReplaced
                              : drains         ? StopCause::kDraining
                                               : StopCause::kInstanceGone;
      cluster_.stop(task, cause, instance.last_event ? instance.last_event : reason_);
      meant_for_.erase(task);
    }
  }
}

void DaemonService::start(const std::vector<std::uint32_t>& wanted) {
  const auto before = by_instance();
  for (const std::uint32_t instance : wanted) {
    const auto here = before.find(instance);
    if (here == before.end()) {
      start_on(instance);
    } else if (here->second.newest) {
      if (cluster_.needs_placement(*here->second.newest)) try_on(*here->second.newest, instance);
    } else if (!here->second.has_stopping) {
      const bool may_stand_beside = terms_.maximum_percent > 100 && up() + 1 <= terms_.upper();
      if (here->second.old.empty() || may_stand_beside) start_on(instance);
    }
  }
}

void DaemonService::start_on(std::uint32_t instance) {
  if (launches_left() == 0) return wait_for_launches();
  note_launches(1);
  const OptionalIndex event = cluster_.instance(instance).last_event;
  const std::uint32_t task = cluster_.arrive({.workload = deployment().workload,
                                              .service = index_,
                                              .deployment = deployment_,
                                              .instance = instance,
                                              .cause = event ? event : reason_});
  tasks_.push_back(task);
  meant_for_[task] = instance;
  try_on(task, instance);
}

void DaemonService::try_on(std::uint32_t task, std::uint32_t instance) {
  if (filter_->passes(instance, cluster_.occupancy().states()[instance], {})) {
    meant_for_.erase(task);
    return cluster_.place(task, {instance, false});
  }
  if (cluster_.live(task).is_tried) return;
  cluster_.explain_on(task, instance);
  cluster_.wait(task, instance);
}

void DaemonService::replace(const std::vector<std::uint32_t>& wanted) {
  for (const auto& [instance, here] : by_instance()) {
    if (here.old.empty() || !std::binary_search(wanted.begin(), wanted.end(), instance)) continue;
    for (const std::uint32_t old : here.old) {
      if (cluster_.is_protected(old)) continue;
      const bool has_newest = here.newest && cluster_.task(*here.newest).placed_at;
      const bool is_relieved = has_newest && cluster_.live(*here.newest).is_healthy;
      const bool is_spare = !cluster_.live(old).is_healthy || may_stop_healthy(terms_, healthy());
      if (is_relieved || (!has_newest && is_spare)) cluster_.stop(old, StopCause::kReplaced, reason_);
    }
  }
}

std::int64_t DaemonService::up() const {
  return std::count_if(tasks_.begin(), tasks_.end(),
                       [&](std::uint32_t task) { return cluster_.is_up(task) || cluster_.needs_placement(task); });
}

std::int64_t DaemonService::healthy() const {
  return std::count_if(tasks_.begin(), tasks_.end(),
                       [&](std::uint32_t task) { return cluster_.is_up(task) && cluster_.live(task).is_healthy; });
}

void DaemonService::settle(const std::vector<std::uint32_t>& wanted) {
  const auto all = by_instance();
  const bool is_there = std::all_of(wanted.begin(), wanted.end(), [&](std::uint32_t instance) {
    const auto here = all.find(instance);
    return here != all.end() && here->second.newest && cluster_.live(*here->second.newest).is_healthy &&
           here->second.old.empty();
  });
  if (is_there && is_in_progress()) complete();
  set_steady(is_there);
}

}  // namespace bayplan::timeline
