// The clock: what is due next is found by looking at everything.
#include "timeline/plain_timeline.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {
namespace {

std::optional<Seconds> earlier(std::optional<Seconds> a, std::optional<Seconds> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

History PlainRun::run() {
  for (std::optional<Seconds> next = 0; next; next = next_due()) {
    if (now_ < *next && finish_before(*next)) return std::move(history_);
    now_ = *next;
    round(true);
    come_to_rest();
    if (now_ > 0 && now_ % table_.timing.metric_period == 0 && history_.errors.empty() && tick()) {
      has_changed_ = true;
      come_to_rest();
    }
    if (!history_.errors.empty()) break;
  }
  finish_at_rest();
  return std::move(history_);
}

/// Rounds until nothing is due any more and the schedulers change nothing.
void PlainRun::come_to_rest() {
  for (int rounds = 0; history_.errors.empty() && (has_changed_ || is_something_due()); ++rounds) {
    if (rounds > 10'000) throw std::logic_error("no rest at " + std::to_string(now_));
    round(false);
  }
}

/// `--until` and runs without an end.
bool PlainRun::finish_before(Seconds next) {
  const Seconds endless = last_progress_ + table_.timing.endless_after;
  const bool repeats = next > endless && !more_is_stated() && next_of_standalone() != next;
  const bool is_over_time = table_.until && next > *table_.until;
  if (repeats && (!is_over_time || endless < *table_.until)) {
    history_.end = endless;
    history_.end_reason = EndReason::kEndless;
    return true;
  }
  if (!is_over_time) return false;
  history_.end = *table_.until;
  history_.end_reason = EndReason::kUntil;
  return true;
}

void PlainRun::finish_at_rest() {
  history_.end = now_;
  if (!history_.errors.empty()) return;
  history_.end = history_.events.empty() ? 0 : history_.events.back().at;
  now_ = history_.end;
  for (std::uint32_t i = 0; i < history_.deployments.size(); ++i) {
    if (history_.deployments[i].state != Deployment::State::kInProgress) continue;
    history_.deployments[i].is_stuck = true;
    log(EventKind::kDeploymentStuck, i);
  }
  if (table_.until) history_.end = *table_.until;
}

void PlainRun::round(bool is_first) {
  due(is_first);
  const std::size_t before = history_.events.size();
  if (history_.errors.empty()) run_attempts();
  has_changed_ = history_.events.size() != before;
}

void PlainRun::due(bool is_first) {
  end_tasks();
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!is_over(i) && now_ > 0 && tasks_[i].protected_until == now_) last_progress_ = now_;
  }
  activate_instances();
  run_tasks();
  heal_tasks();
  while (is_first && happened_ < table_.events.size() && is_due(table_.events[happened_].at)) {
    happen(static_cast<std::uint32_t>(happened_++));
    if (!history_.errors.empty()) return;
  }
  while (is_first && arrived_ < arrivals_.size() && is_due(arrivals_[arrived_].start_at)) arrive(arrivals_[arrived_++]);
  if (!is_first) time_out_tasks();
  fire_retries();
}

void PlainRun::run_attempts() {
  const auto is_daemon = [&](std::uint32_t i) {
    return world_.workloads[services_[i].plan.workload].kind == placement::WorkloadKind::kDaemon;
  };
  for (std::uint32_t i = 0; i < services_.size(); ++i) {
    if (is_daemon(i)) take_daemon_turn(i);
  }
  for (std::uint32_t i = 0; i < services_.size(); ++i) {
    if (!is_daemon(i)) take_replica_turn(i);
  }
  place_standalone_tasks();
  terminate_emptied();
  terminate_surplus();
  launch_missing();
}

/// The slowest health check of an essential container runs one interval after the start, and passes.
Seconds PlainRun::health_delay(std::uint32_t workload) const {
  Seconds slowest = table_.tasks[workload].target_healthy_after.value_or(-1);
  const auto definition = world_.workloads[workload].task_definition;
  if (definition >= world_.task_definitions.size()) return slowest >= 0 ? slowest : table_.timing.healthy_after;
  for (const auto& container : world_.task_definitions[definition].definition.container_definitions) {
    const auto command = container.health_check ? container.health_check.find("command") : text::Value();
    const bool counts = command && command.size() > 0 && (*command.children().begin()).text() != "NONE";
    if (!counts || (container.essential && !*container.essential)) continue;
    const auto interval = container.health_check.find("interval");
    slowest = std::max(slowest, interval ? *interval.integer() : Seconds{30});
  }
  return slowest >= 0 ? slowest : table_.timing.healthy_after;
}

/// Of what ends, runs, becomes healthy, stops or times out next.
std::optional<Seconds> PlainRun::next_of_task(std::uint32_t task) const {
  const auto& notes = tasks_[task];
  const auto& own = history_.tasks[task];
  if (is_over(task) || notes.stops_for_ever) return std::nullopt;
  if (notes.stopping_since) return *notes.stopping_since + notes.stop_delay;
  if (is_provisioning(task)) return *notes.provisioning_since + table_.timing.provisioning_timeout;
  if (has_no_place(task)) return std::nullopt;
  if (!own.started_at) return notes.runs_at;
  std::optional<Seconds> next;
  if (notes.duration) next = *own.started_at + *notes.duration;
  if (!is_standalone(task) && !notes.is_healthy) next = earlier(next, *own.started_at + health_delay(*own.workload));
  return next;
}

bool PlainRun::is_something_due() const {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const auto next = next_of_task(i);
    if (next && is_due(*next)) return true;
  }
  for (const auto& notes : instances_) {
    if (notes.boots_until && !notes.is_gone && is_due(*notes.boots_until)) return true;
  }
  return std::any_of(services_.begin(), services_.end(), [&](const auto& service) {
    const auto ends = stage_ends(service);
    return (service.retry_at && is_due(*service.retry_at)) || (ends && is_due(*ends));
  });
}

std::optional<Seconds> PlainRun::next_due() const {
  std::optional<Seconds> next;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    next = earlier(next, next_of_task(i));
    if (!is_over(i) && tasks_[i].protected_until > now_) next = earlier(next, tasks_[i].protected_until);
  }
  for (const auto& notes : instances_) {
    if (!notes.is_gone) next = earlier(next, notes.boots_until);
  }
  for (const auto& service : services_) {
    next = earlier(next, service.retry_at);
    next = earlier(next, stage_ends(service));
    if (service.launches_at && *service.launches_at > now_) next = earlier(next, service.launches_at);
    if (service.bakes_until && *service.bakes_until > now_) next = earlier(next, service.bakes_until);
    if (service.restart_at && *service.restart_at > now_) next = earlier(next, service.restart_at);
  }
  if (happened_ < table_.events.size()) next = earlier(next, table_.events[happened_].at);
  if (arrived_ < arrivals_.size()) next = earlier(next, arrivals_[arrived_].start_at);
  const Seconds period = table_.timing.metric_period;
  if (is_ticking_) next = earlier(next, (now_ / period + 1) * period);
  return next;
}

std::optional<Seconds> PlainRun::next_of_standalone() const {
  std::optional<Seconds> next;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (is_standalone(i)) next = earlier(next, next_of_task(i));
    if (!is_over(i) && tasks_[i].protected_until > now_) next = earlier(next, tasks_[i].protected_until);
  }
  return next;
}

bool PlainRun::more_is_stated() const {
  return happened_ < table_.events.size() || arrived_ < arrivals_.size();
}

void PlainRun::end_tasks() {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!holds_a_place(i) || tasks_[i].stops_for_ever) continue;
    const auto& notes = tasks_[i];
    const auto started = history_.tasks[i].started_at;
    if (notes.stopping_since) {
      if (is_due(*notes.stopping_since + notes.stop_delay)) give_back(i, notes.stopping);
    } else if (started && notes.duration && is_due(*started + *notes.duration)) {
      give_back(i, StopCause::kEnded);
      if (!is_standalone(i) && !notes.is_healthy) note_failed_task(i);
    }
  }
}

void PlainRun::activate_instances() {
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (instances_[i].is_gone || !instances_[i].boots_until || !is_due(*instances_[i].boots_until)) continue;
    instances_[i].boots_until.reset();
    set_status(i, placement::InstanceStatus::kActive);
    history_.instances[i].active_at = now_;
    log(EventKind::kInstanceActive, i, i);
  }
}

void PlainRun::run_tasks() {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    auto& own = history_.tasks[i];
    if (!holds_a_place(i) || is_stopping(i) || own.started_at || !tasks_[i].runs_at || !is_due(*tasks_[i].runs_at))
      continue;
    own.started_at = now_;
    log(EventKind::kTaskRunning, i, own.instance);
  }
}

void PlainRun::heal_tasks() {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const auto& own = history_.tasks[i];
    auto& notes = tasks_[i];
    if (!holds_a_place(i) || is_stopping(i) || is_standalone(i) || notes.is_healthy || !own.started_at) continue;
    if (!is_due(*own.started_at + health_delay(*own.workload))) continue;
    notes.is_healthy = true;
    log(EventKind::kTaskHealthy, i, own.instance);
    auto& service = services_[*notes.service];
    if (own.deployment != service.newest) continue;
    service.failures_in_a_row = 0;
    if (service.plan.circuit_breaker.reset_on_healthy_task) service.breaker_count = 0;
  }
}

void PlainRun::time_out_tasks() {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!is_provisioning(i) || !is_due(*tasks_[i].provisioning_since + table_.timing.provisioning_timeout)) continue;
    if (is_standalone(i)) {
      fail(i, StopCause::kProvisioningTimeout);
    } else {
      stop(i, StopCause::kProvisioningTimeout);
      note_timed_out_task(i);
    }
  }
}

void PlainRun::fire_retries() {
  for (std::uint32_t i = 0; i < services_.size(); ++i) {
    auto& service = services_[i];
    if (!service.retry_at || !is_due(*service.retry_at)) continue;
    service.retry_at.reset();
    service.retry_delay = std::min(2 * service.retry_delay, table_.timing.restart_delay_limit);
    if (stopping_tasks(i) == 0 && lacking(i) > 0) count_lack(service.newest);
  }
}

}  // namespace bayplan::timeline::plain

namespace bayplan::timeline {

History simulate_plainly(const placement::Scenario& scenario) {
  return plain::PlainRun(scenario).run();
}

}  // namespace bayplan::timeline
