// The life of a task, from its arrival to its end.
#include "placement/model/redeploy.hpp"
#include "timeline/cluster.hpp"

namespace bayplan::timeline {

std::uint32_t Cluster::arrive(const Arrival& arrival) {
  const auto index = static_cast<std::uint32_t>(history_.tasks.size());
  const auto& workload = scenario_.workloads[arrival.workload];
  Task task;
  task.workload = arrival.workload;
  task.number = numbers_.next(arrival.workload);
  task.deployment = arrival.deployment;
  task.job = arrival.job;
  if (!workload.capacity_providers.empty()) task.capacity_provider = arrival.provider;
  task.arrived_at = now;
  LiveTask live;
  live.service = arrival.service;
  const auto duration = arrival.duration ? arrival.duration : timetable().tasks[arrival.workload].duration;
  live.duration = duration.value_or(-1);
  history_.tasks.push_back(std::move(task));
  live_.push_back(live);
  live_[index].last_event =
      log({.kind = EventKind::kTaskArrived, .subject = index, .instance = arrival.instance, .cause = arrival.cause});
  return index;
}

void Cluster::wait(std::uint32_t index, std::uint32_t instance) {
  auto& live = live_[index];
  live.is_tried = true;
  live.last_event =
      log({.kind = EventKind::kTaskWaiting, .subject = index, .instance = instance, .cause = live.last_event});
}

void Cluster::provision(std::uint32_t index) {
  auto& live = live_[index];
  live.is_tried = true;
  live.is_provisioning = true;
  provisioning_.push_back(index);
  ++provisioning_of_[class_of(index)];
  agenda.add(Step::kTimeout, now + timetable().timing.provisioning_timeout, index);
  live.last_event = log({.kind = EventKind::kTaskProvisioning, .subject = index, .cause = live.last_event});
}

void Cluster::end_provisioning(std::uint32_t index) {
  if (!is_provisioning(index)) return;
  live_[index].is_provisioning = false;
  std::erase(provisioning_, index);
  --provisioning_of_[class_of(index)];
}

void Cluster::fail(std::uint32_t index, StopCause cause, std::uint32_t event) {
  end_provisioning(index);
  auto& own = history_.tasks[index];
  own.failed = true;
  own.stop = cause;
  own.stopped_at = now;
  live_[index].last_event = log({.kind = EventKind::kTaskFailed, .stop = cause, .subject = index, .cause = event});
  lose_member(index);
}

/// A job that has not started yet cannot do without.
void Cluster::lose_member(std::uint32_t index) {
  const std::uint32_t number = history_.tasks[index].job;
  if (number == kNoIndex || history_.jobs[number].started_at || history_.jobs[number].failed) return;
  history_.jobs[number].failed = true;
  const std::uint32_t event = log({.kind = EventKind::kJobFailed, .subject = number, .cause = live_[index].last_event});
  for (const std::uint32_t task : std::vector(history_.jobs[number].tasks)) {
    if (needs_placement(task)) {
      fail(task, StopCause::kJobFailed, event);
    } else if (is_up(task)) {
      stop(task, StopCause::kJobFailed, event);
    }
  }
}

void Cluster::start_running_at(std::uint32_t task, Seconds at) {
  live_[task].running_due = at;
  agenda.add(Step::kRunning, at, task);
}

void Cluster::run(std::uint32_t index) {
  auto& own = history_.tasks[index];
  auto& live = live_[index];
  own.started_at = now;
  live.last_event =
      log({.kind = EventKind::kTaskRunning, .subject = index, .instance = own.instance, .cause = live.last_event});
  if (live.service != kNoIndex)
    agenda.add(Step::kHealthy, now + placement::health_delay_of(scenario_, own.workload), index);
  if (live.duration >= 0) {
    live.stop_due = now + live.duration;
    agenda.add(Step::kStop, live.stop_due, index);
  }
  touch(index);
}

void Cluster::become_healthy(std::uint32_t index) {
  auto& live = live_[index];
  live.is_healthy = true;
  live.last_event = log({.kind = EventKind::kTaskHealthy,
                         .subject = index,
                         .instance = history_.tasks[index].instance,
                         .cause = live.last_event});
  touch(index);
}

void Cluster::stop(std::uint32_t index, StopCause cause, std::uint32_t event) {
  auto& own = history_.tasks[index];
  auto& live = live_[index];
  touch(index);
  if (!own.placed_at) {
    end_provisioning(index);
    own.stop = cause;
    own.stopped_at = now;
    live.last_event = log({.kind = EventKind::kTaskStopped, .stop = cause, .subject = index, .cause = event});
    return lose_member(index);
  }
  const bool was_running = own.started_at.has_value();
  const auto group = own.running != kNoIndex ? occupancy_->group_named(scenario_.running[own.running].group)
                                             : occupancy_->group_of(own.workload);
  if (group != placement::kNoGroup) occupancy_->leave_group(own.instance, group);
  live.stopping = cause;
  live.last_event = log(
      {.kind = EventKind::kTaskStopping, .stop = cause, .subject = index, .instance = own.instance, .cause = event});
  instances_[own.instance].last_change = live.last_event;
  const Seconds delay = !was_running               ? 0
                        : own.workload != kNoIndex ? timetable().tasks[own.workload].stop_delay
                                                   : timetable().timing.stop_timeout;
  live.stop_due = now + delay;
  if (delay == 0) return finish(index);
  agenda.add(Step::kStop, live.stop_due, index);
  lose_member(index);
}

StopCause Cluster::cause_of_stop(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (live_[task].stopping != StopCause::kNone) return live_[task].stopping;
  if (own.running != kNoIndex && scenario_.running[own.running].stopping) return StopCause::kNone;
  return instances_[own.instance].stage == InstanceStage::kGone ? StopCause::kInstanceGone : StopCause::kEnded;
}

void Cluster::finish(std::uint32_t index) {
  auto& own = history_.tasks[index];
  auto& live = live_[index];
  own.stop = cause_of_stop(index);
  const auto& instance = instances_[own.instance];
  free(index);
  own.stopped_at = now;
  const std::uint32_t cause = instance.stage == InstanceStage::kGone ? instance.last_event : live.last_event;
  live.last_event = log(
      {.kind = EventKind::kTaskStopped, .stop = own.stop, .subject = index, .instance = own.instance, .cause = cause});
  if (instance.stage != InstanceStage::kGone) instances_[own.instance].last_event = live.last_event;
  touch(index);
  lose_member(index);
}

}  // namespace bayplan::timeline
