// A daemon service's turn.
#include <algorithm>

#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

void PlainRun::take_daemon_turn(std::uint32_t index) {
  auto& service = services_[index];
  if (!service.has_had_a_turn) log(EventKind::kDeploymentStarted, index);
  service.has_had_a_turn = true;
  const auto wanted = wanted_instances(index);
  stop_misplaced_daemons(index, wanted);
  start_daemons(index, wanted);
  replace_daemons(index, wanted);
  const bool is_complete = std::all_of(wanted.begin(), wanted.end(), [&](auto instance) {
    const auto fresh = new_daemon_for(index, instance);
    return fresh && tasks_[*fresh].is_healthy && old_daemons_on(index, instance).empty();
  });
  complete(index, is_complete, is_complete);
}

Indices PlainRun::wanted_instances(std::uint32_t service) const {
  const std::uint32_t workload = history_.deployments[services_[service].newest].workload;
  Indices wanted;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!instances_[i].is_gone && daemon_filters_[workload].wants_daemon(i, states_[i])) wanted.push_back(i);
  }
  return wanted;
}

/// Without a place: for an instance that no longer qualifies, or of an older deployment. With one: the last on an
/// instance that drains.
void PlainRun::stop_misplaced_daemons(std::uint32_t service, const Indices& wanted) {
  for (const auto i : tasks_of(service)) {
    const auto& own = history_.tasks[i];
    if (holds_a_place(i)) {
      if (is_draining(*own.instance) && !has_work(*own.instance)) stop(i, StopCause::kDraining);
      continue;
    }
    const std::uint32_t instance = *tasks_[i].meant_for;
    if (own.deployment != services_[service].newest) {
      stop(i, StopCause::kReplaced);
    } else if (std::find(wanted.begin(), wanted.end(), instance) == wanted.end()) {
      const bool drains = !instances_[instance].is_gone && is_draining(instance);
      stop(i, drains ? StopCause::kDraining : StopCause::kInstanceGone);
    }
  }
}

std::optional<std::uint32_t> PlainRun::new_daemon_for(std::uint32_t service, std::uint32_t instance) const {
  for (const auto i : tasks_of(service)) {
    const bool is_here = history_.tasks[i].instance == instance || (has_no_place(i) && tasks_[i].meant_for == instance);
    if (is_here && history_.tasks[i].deployment == services_[service].newest) return i;
  }
  return std::nullopt;
}

Indices PlainRun::old_daemons_on(std::uint32_t service, std::uint32_t instance) const {
  Indices old;
  for (const auto i : tasks_of(service)) {
    const auto& own = history_.tasks[i];
    if (own.instance == instance && own.deployment != services_[service].newest) old.push_back(i);
  }
  return old;
}

void PlainRun::start_daemons(std::uint32_t index, const Indices& wanted) {
  const auto& restart_at = services_[index].restart_at;
  if (restart_at && now_ < *restart_at) return;
  for (const auto instance : wanted) start_daemon(index, instance, static_cast<std::int64_t>(wanted.size()));
}

void PlainRun::start_daemon(std::uint32_t index, std::uint32_t instance, std::int64_t desired) {
  const auto& service = services_[index];
  if (const auto fresh = new_daemon_for(index, instance)) {
    if (has_no_place(*fresh)) try_daemon(*fresh);
    return;
  }
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const bool leaves = is_stopping(i) && !tasks_[i].stops_for_ever;
    if (tasks_[i].service == index && leaves && history_.tasks[i].instance == instance) return;
  }
  const auto total = static_cast<std::int64_t>(tasks_of(index).size());
  const bool may_stand_beside = service.maximum_percent > 100 && total + 1 <= upper(service, desired);
  if (!old_daemons_on(index, instance).empty() && !may_stand_beside) return;
  if (!may_launch(index)) return;
  const auto task = add_task(history_.deployments[service.newest].workload, index, std::nullopt);
  tasks_[task].meant_for = instance;
  log(EventKind::kTaskArrived, task, instance);
  try_daemon(task);
}

void PlainRun::try_daemon(std::uint32_t task) {
  const std::uint32_t instance = *tasks_[task].meant_for;
  if (filters_[*history_.tasks[task].workload].passes(instance, states_[instance], {})) {
    place(task, {instance, false});
    return;
  }
  if (!tasks_[task].was_tried) log(EventKind::kTaskWaiting, task, instance);
  tasks_[task].was_tried = true;
}

void PlainRun::replace_daemons(std::uint32_t index, const Indices& wanted) {
  const std::int64_t least = lower(services_[index], static_cast<std::int64_t>(wanted.size()));
  for (const auto instance : wanted) {
    for (const auto old : old_daemons_on(index, instance)) {
      if (is_protected(old)) continue;
      const auto fresh = new_daemon_for(index, instance);
      const bool may_go = !tasks_[old].is_healthy || healthy_of(tasks_of(index)) - 1 >= least;
      const bool has_place = fresh && holds_a_place(*fresh);
      if (has_place ? tasks_[*fresh].is_healthy : may_go) stop(old, StopCause::kReplaced);
    }
  }
}

}  // namespace bayplan::timeline::plain
