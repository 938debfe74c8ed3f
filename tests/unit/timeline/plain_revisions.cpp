// Deployments that run both revisions at once; early success and alarms of rolling ones.
#include <algorithm>

#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using model::DeploymentStage;

/// An older task of the workload that the last completed deployment had.
bool PlainRun::is_of_source(std::uint32_t index, std::uint32_t task) const {
  const auto& service = services_[index];
  return history_.tasks[task].deployment != service.newest &&
         history_.tasks[task].workload == history_.deployments[*service.source].workload;
}

/// Not stopping; those on draining instances, or all others.
Indices PlainRun::tasks_of_revision(std::uint32_t index, bool source, bool draining) const {
  Indices tasks;
  for (const auto i : tasks_of(index)) {
    const bool is_it = source ? is_of_source(index, i) : history_.tasks[i].deployment == services_[index].newest;
    const auto instance = history_.tasks[i].instance;
    const bool is_leaving = instance != kNoIndex && is_draining(*instance);
    if (is_it && is_leaving == draining) tasks.push_back(i);
  }
  return tasks;
}

/// When the stage ends by itself, or is given up.
std::optional<Seconds> PlainRun::stage_ends(const ServiceNotes& service) const {
  if (!service.source || history_.deployments[service.newest].stages.empty()) return std::nullopt;
  const auto stage = service.stages.at(service.stage);
  const Seconds since = history_.deployments[service.newest].stages.back().at;
  if (!is_timed(stage.stage)) return stage.limit ? std::optional(since + *stage.limit) : std::nullopt;
  return since + std::min(stage.lasts, stage.limit.value_or(stage.lasts));
}

void PlainRun::enter_stage(std::uint32_t index, std::size_t stage) {
  auto& service = services_[index];
  service.stage = stage;
  const auto entered = service.stages.at(stage).stage;
  newest(service).stages.push_back({entered, now_});
  log(EventKind::kDeploymentStage, service.newest, kNoIndex, StopCause::kNone, static_cast<std::int64_t>(entered));
}

void PlainRun::take_turn_of_both(std::uint32_t index) {
  auto& service = services_[index];
  if (newest(service).stages.empty()) enter_stage(index, 0);
  while (service.source) {
    const auto stage = service.stages.at(service.stage);
    Indices strays;
    for (const auto i : tasks_of(index)) {
      const bool is_new = history_.tasks[i].deployment == service.newest;
      if (!is_new && !is_of_source(index, i)) strays.push_back(i);
    }
    stop_all(strays);
    if (stage.stage == DeploymentStage::kCleanUp) {
      auto old = tasks_of_revision(index, true, false);
      const auto leaving = tasks_of_revision(index, true, true);
      old.insert(old.end(), leaving.begin(), leaving.end());
      stop_all(old);
    } else {
      keep_revision(index, true);
    }
    if (stage.stage != DeploymentStage::kPreScaleUp) keep_revision(index, false);
    if (breaker_opens(index)) {
      give_up(index, DeploymentFailure::kCircuitBreaker, service.plan.circuit_breaker.rollback);
    } else if (is_stage_done(index)) {
      if (service.stage + 1 < service.stages.size()) {
        enter_stage(index, service.stage + 1);
      } else {
        service.source.reset();
        complete(index, false, true);
      }
    } else if (stage.limit && is_due(newest(service).stages.back().at + *stage.limit)) {
      const bool is_hook = is_timed(stage.stage);
      give_up(index, is_hook ? DeploymentFailure::kHook : DeploymentFailure::kStageLimit, true);
    } else {
      service.is_steady = false;
      return;
    }
  }
  take_rolling_turn(index);
}

void PlainRun::stop_all(const Indices& tasks) {
  auto in_order = tasks;
  std::erase_if(in_order, [&](auto i) { return is_protected(i); });
  std::sort(in_order.begin(), in_order.end());
  for (const auto i : in_order) stop(i, why_old_stops(i));
}

bool PlainRun::is_stage_done(std::uint32_t index) {
  const auto& service = services_[index];
  const auto& stage = service.stages.at(service.stage);
  if (is_timed(stage.stage)) return is_due(history_.deployments[service.newest].stages.back().at + stage.lasts);
  if (stage.stage == DeploymentStage::kScaleUp) {
    const auto fresh = tasks_of_revision(index, false, false);
    return static_cast<std::int64_t>(fresh.size()) == service.plan.desired_count &&
           healthy_of(fresh) == service.plan.desired_count;
  }
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const bool is_old = tasks_[i].service == index && history_.tasks[i].deployment != service.newest;
    if (is_old && !is_over(i) && !tasks_[i].stops_for_ever) return false;
  }
  return true;
}

/// As a service with this revision alone: its tasks on draining instances are replaced within the healthy percents.
void PlainRun::keep_revision(std::uint32_t index, bool source) {
  auto& service = services_[index];
  const std::int64_t desired = service.plan.desired_count;
  const auto size = [](const Indices& tasks) { return static_cast<std::int64_t>(tasks.size()); };
  const auto here = [&] { return tasks_of_revision(index, source, false); };
  const auto leaving = [&] { return tasks_of_revision(index, source, true); };
  const auto homeless = [&] {
    const auto tasks = here();
    return std::count_if(tasks.begin(), tasks.end(), [&](auto i) { return has_no_place(i); });
  };
  while (size(here()) > desired) {
    const auto tasks = here();
    const auto last = std::find_if(tasks.rbegin(), tasks.rend(), [&](auto i) { return has_no_place(i); });
    Indices free;
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(free), [&](auto i) { return !is_protected(i); });
    if (last == tasks.rend() && free.empty()) break;
    stop(last != tasks.rend() ? *last : *by_rule(index, free), StopCause::kScaledIn);
  }
  const std::uint32_t deployment = source ? *service.source : service.newest;
  const std::uint32_t workload = history_.deployments[deployment].workload;
  if (!service.restart_at || now_ >= *service.restart_at) {
    const std::int64_t most = std::max(upper(service, desired), desired);
    for (auto count = std::min(desired - size(here()), most - size(here()) - size(leaving())); count > 0; --count) {
      if (!may_launch(index)) break;
      const auto task = add_task(workload, index, next_provider_among(workload, here()));
      history_.tasks[task].deployment = deployment;
      log(EventKind::kTaskArrived, task);
    }
  }
  for (const auto i : here()) {
    if (!has_no_place(i) || try_to_place(i)) continue;
    if (!tasks_[i].was_tried) wait_or_provision(i);
    if (tasks_[i].was_tried && !is_provisioning(i) && may_provision(i)) provision(i);
    const bool counts = !source && !tasks_[i].was_tried && !is_provisioning(i) && stopping_tasks(index) == 0;
    if (counts) count_lack(service.newest);
    tasks_[i].was_tried = true;
  }
  set_retry_timer(index);
  while (!leaving().empty() && size(leaving()) + healthy_of(here()) > desired && stop_one_draining(index, source)) {
  }
  const bool is_at_upper = size(here()) + size(leaving()) >= upper(service, desired);
  std::int64_t room = homeless() + (is_at_upper ? std::max<std::int64_t>(0, desired - size(here())) : 0);
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].service != index || !is_stopping(i) || tasks_[i].stops_for_ever) continue;
    const bool is_it = source ? is_of_source(index, i) : history_.tasks[i].deployment == service.newest;
    room -= is_it ? 1 : 0;
  }
  while (room-- > 0 && stop_one_draining(index, source)) {
  }
}

bool PlainRun::stop_one_draining(std::uint32_t index, bool source) {
  const auto& service = services_[index];
  const auto leaving = tasks_of_revision(index, source, true);
  Indices unhealthy;
  for (const auto i : leaving) {
    if (!tasks_[i].is_healthy) unhealthy.push_back(i);
  }
  const auto healthy = healthy_of(leaving) + healthy_of(tasks_of_revision(index, source, false));
  std::optional<std::uint32_t> chosen;
  if (!unhealthy.empty()) {
    chosen = by_rule(index, unhealthy);
  } else if (healthy - 1 >= lower(service, service.plan.desired_count)) {
    chosen = by_rule(index, leaving);
  }
  if (chosen) stop(*chosen, why_old_stops(*chosen));
  return chosen.has_value();
}

/// earlySuccessCriteria of a rolling deployment.
void PlainRun::succeed_early(std::uint32_t index) {
  auto& service = services_[index];
  const auto& early = service.plan.settings.early_success;
  const bool is_first = service.newest == index;
  if (!early.enabled || service.plan.settings.runs_both() || service.has_rolled_back || is_first) return;
  bool has_old = false;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const bool is_old = tasks_[i].service == index && history_.tasks[i].deployment != service.newest;
    has_old = has_old || (is_old && !is_over(i) && !tasks_[i].stops_for_ever);
  }
  if (!has_old && newest(service).state != Deployment::State::kInProgress) service.removes_old = false;
  if (!service.removes_old) {
    if (newest(service).state != Deployment::State::kInProgress) return;
    const auto enough = std::max<std::int64_t>(1, (service.plan.desired_count * early.healthy_percent + 99) / 100);
    if (healthy_of(new_tasks(index)) >= enough) service.was_healthy_enough = true;
    if (!service.was_healthy_enough || bakes(index)) return;
    service.removes_old = true;
    if (early.is_deferred) complete(index, service.is_steady, true);
  }
  while (!old_tasks(index).empty() && stop_one_old(index)) {
  }
}

/// The alarms are watched on: the first call starts the time.
bool PlainRun::bakes(std::uint32_t index) {
  auto& service = services_[index];
  if (!service.plan.settings.alarms.enabled || service.has_rolled_back || service.newest == index) return false;
  if (!service.bakes_until) service.bakes_until = now_ + table_.timing.alarm_bake_time;
  return now_ < *service.bakes_until;
}

}  // namespace bayplan::timeline::plain
