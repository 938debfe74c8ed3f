// Tasks and instances: what they hold, how a place is chosen, how they come and go.
#include <algorithm>

#include "placement/model/random.hpp"
#include "placement/model/strategies.hpp"
#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::InstanceStatus;
using placement::Strategy;
using placement::StrategyType;

void PlainRun::log(EventKind kind, std::uint32_t subject, OptionalIndex instance, StopCause stop, std::int64_t value) {
  history_.events.push_back({now_, kind, stop, subject, instance, kNoIndex, value});
  const bool is_tasks = kind <= EventKind::kTaskStopped && kind != EventKind::kTaskCouldStart;
  if (is_tasks && is_standalone(subject)) last_progress_ = now_;
  if (is_ticking_ || !has_managed_group()) return;
  is_ticking_ = true;
  quiet_ticks_ = 0;
}

bool PlainRun::is_stopping(std::uint32_t task) const {
  return !is_over(task) && (tasks_[task].stopping_since || tasks_[task].stops_for_ever);
}

bool PlainRun::is_standalone(std::uint32_t task) const {
  return tasks_[task].service == kNoIndex;
}

bool PlainRun::is_protected(std::uint32_t task) const {
  const auto instance = history_.tasks[task].instance;
  return now_ < tasks_[task].protected_until && instance != kNoIndex && status_of(*instance) == InstanceStatus::kActive;
}

bool PlainRun::is_provisioning(std::uint32_t task) const {
  return has_no_place(task) && tasks_[task].provisioning_since;
}

std::int64_t PlainRun::provisioning_count() const {
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) count += is_provisioning(i) ? 1 : 0;
  return count;
}

InstanceStatus PlainRun::status_of(std::uint32_t instance) const {
  return world_.profiles[world_.instances[instance].profile].status;
}

bool PlainRun::is_draining(std::uint32_t instance) const {
  const auto& notes = instances_[instance];
  return !notes.is_gone && !notes.boots_until && status_of(instance) != InstanceStatus::kActive;
}

const std::string& PlainRun::zone_of(std::uint32_t instance) const {
  return world_.profiles[world_.instances[instance].profile].availability_zone;
}

void PlainRun::set_status(std::uint32_t instance, InstanceStatus status) {
  const std::uint32_t stated = history_.instances[instance].profile;
  std::uint32_t block = 0;
  if (status == InstanceStatus::kDraining) block = 1;
  if (status == InstanceStatus::kRegistering) block = 2;
  if (status == InstanceStatus::kInactive) block = 3;
  world_.instances[instance].profile = block * profile_count_ + stated;
}

std::int64_t PlainRun::group_tasks_on(std::uint32_t instance, std::uint32_t group) const {
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const bool is_there = holds_a_place(i) && history_.tasks[i].instance == instance;
    if (is_there && !is_stopping(i) && tasks_[i].group == group) ++count;
  }
  return count;
}

/// Tasks of the group on all instances that have the same value; no value is unlike every value.
std::int64_t PlainRun::tasks_with_value(std::uint32_t instance, std::string_view attribute, std::uint32_t group) const {
  const auto value_on = [&](std::uint32_t i) -> std::optional<std::string> {
    const auto& attributes = world_.profiles[world_.instances[i].profile].attributes;
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::nullopt : std::optional(found->second);
  };
  const auto value = value_on(instance);
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!instances_[i].is_gone && value_on(i) == value) count += group_tasks_on(i, group);
  }
  return count;
}

/// A task that is no daemon's is there.
bool PlainRun::has_work(std::uint32_t instance) const {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (holds_a_place(i) && history_.tasks[i].instance == instance && !tasks_[i].is_daemon) return true;
  }
  return false;
}

bool PlainRun::has_standalone_work(std::uint32_t instance) const {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const bool is_here = holds_a_place(i) && history_.tasks[i].instance == instance;
    if (is_here && is_standalone(i) && !tasks_[i].is_daemon) return true;
  }
  return false;
}

std::uint32_t PlainRun::add_task(std::uint32_t workload, OptionalIndex service, std::optional<std::uint32_t> provider) {
  const auto& stated = world_.workloads[workload];
  const auto timing = workload < table_.tasks.size() ? table_.tasks[workload] : placement::TaskTiming{};
  Task task;
  task.workload = workload;
  task.arrived_at = now_;
  task.number = 1;
  for (const auto& other : history_.tasks) {
    if (other.running == kNoIndex && world_.workloads[*other.workload].name == stated.name) ++task.number;
  }
  TaskNotes notes;
  notes.requirement = stated.requirement;
  notes.group = groups_.number(stated.group);
  notes.service = service;
  notes.is_daemon = stated.kind == placement::WorkloadKind::kDaemon;
  notes.start_delay = timing.start_delay;
  notes.duration = timing.duration;
  notes.stop_delay = timing.stop_delay;
  if (service != kNoIndex) {
    task.deployment = services_[*service].newest;
    notes.is_of_start = now_ == 0 && services_[*service].newest == *service;
  }
  if (provider) {
    task.capacity_provider = *provider;
    notes.provider = stated.capacity_providers[*provider].capacity_provider;
  }
  history_.tasks.push_back(std::move(task));
  tasks_.push_back(std::move(notes));
  return static_cast<std::uint32_t>(tasks_.size() - 1);
}

void PlainRun::narrow(const Strategy& strategy, std::uint32_t workload, Indices& candidates) {
  const std::uint32_t group = groups_.number(world_.workloads[workload].group);
  const auto attribute = strategy.attribute();
  if (strategy.type == StrategyType::kRandom) {
    candidates = {candidates[placement::draw(generator_, candidates.size())]};
  } else if (!attribute.empty()) {
    placement::keep_smallest(candidates, [&](std::uint32_t i) { return tasks_with_value(i, attribute, group); });
  } else if (strategy.type == StrategyType::kSpread) {
    placement::keep_smallest(candidates, [&](std::uint32_t i) { return group_tasks_on(i, group); });
  } else {
    placement::keep_smallest(
        candidates, [&](std::uint32_t i) { return strategy.field == "cpu" ? states_[i].cpu : states_[i].memory; });
  }
}

std::optional<Choice> PlainRun::choose(std::uint32_t workload, const std::string& provider) {
  Indices candidates;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (!instances_[i].is_gone && filters_[workload].passes(i, states_[i], provider)) candidates.push_back(i);
  }
  if (candidates.empty()) return std::nullopt;
  for (const auto& strategy : effective_strategies(world_.workloads[workload], world_.ties)) {
    if (candidates.size() > 1) narrow(strategy, workload, candidates);
  }
  return Choice{candidates.front(), candidates.size() > 1};
}

bool PlainRun::passes_somewhere(std::uint32_t task) const {
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    const auto& filter = filters_[*history_.tasks[task].workload];
    if (!instances_[i].is_gone && filter.passes(i, states_[i], tasks_[task].provider)) return true;
  }
  return false;
}

bool PlainRun::try_to_place(std::uint32_t task) {
  const auto choice = choose(*history_.tasks[task].workload, tasks_[task].provider);
  if (choice) place(task, *choice);
  return choice.has_value();
}

void PlainRun::hold(std::uint32_t task, Choice choice) {
  auto& own = history_.tasks[task];
  auto& notes = tasks_[task];
  own.gpus = take(states_[choice.instance], notes.requirement, notes.group);
  own.instance = choice.instance;
  own.tied = choice.tied;
  own.placed_at = now_;
  notes.devices = list_devices(notes.requirement, own.gpus);
  if (own.job == kNoIndex) notes.runs_at = now_ + notes.start_delay;
}

void PlainRun::place(std::uint32_t task, Choice choice) {
  hold(task, choice);
  log(EventKind::kTaskPlaced, task, choice.instance);
  start_job_when_placed(task);
}

void PlainRun::give_back(std::uint32_t task, StopCause cause) {
  auto& own = history_.tasks[task];
  const auto& profile = world_.profiles[world_.instances[*own.instance].profile];
  if (!is_stopping(task)) leave_group(states_[*own.instance], tasks_[task].group);
  placement::give_back(states_[*own.instance], profile, tasks_[task].requirement, tasks_[task].devices);
  own.stopped_at = now_;
  own.stop = cause;
  log(EventKind::kTaskStopped, task, own.instance, cause);
}

void PlainRun::stop(std::uint32_t task, StopCause cause) {
  auto& own = history_.tasks[task];
  if (has_no_place(task)) {
    own.stop = cause;
    own.stopped_at = now_;
    log(EventKind::kTaskStopped, task, kNoIndex, cause);
  } else {
    leave_group(states_[*own.instance], tasks_[task].group);
    tasks_[task].stopping_since = now_;
    tasks_[task].stopping = cause;
    log(EventKind::kTaskStopping, task, own.instance, cause);
    if (!own.started_at || tasks_[task].stop_delay == 0) give_back(task, cause);
  }
  fail_job_of(task);
}

void PlainRun::fail(std::uint32_t task, StopCause cause) {
  auto& own = history_.tasks[task];
  own.failed = true;
  own.stop = cause;
  own.stopped_at = now_;
  log(EventKind::kTaskFailed, task, kNoIndex, cause);
  fail_job_of(task);
}

/// `boot_time`: nothing = it is ACTIVE at once.
std::uint32_t PlainRun::add_instance(std::uint32_t profile, const std::string& id, OptionalIndex group,
                                     std::optional<Seconds> boot_time) {
  const auto index = static_cast<std::uint32_t>(instances_.size());
  const auto& stated = world_.profiles[profile];
  std::int64_t number = 1;
  for (const auto& other : history_.instances) {
    if (world_.profiles[other.profile].instance_type == stated.instance_type) ++number;
  }
  Instance own{
      id.empty() ? stated.instance_type + "#" + std::to_string(number) : id, profile, kNoIndex, now_, {}, {}, {}};
  own.group = group;
  if (!boot_time) own.active_at = now_;
  history_.instances.push_back(std::move(own));
  world_.instances.push_back({history_.instances.back().id, profile});
  states_.push_back(placement::empty_instance(stated));
  instances_.push_back({});
  if (boot_time) {
    instances_[index].boots_until = now_ + *boot_time;
    set_status(index, InstanceStatus::kRegistering);
  }
  log(EventKind::kInstanceLaunched, index, index);
  if (!boot_time) log(EventKind::kInstanceActive, index, index);
  return index;
}

void PlainRun::drain(std::uint32_t instance) {
  set_status(instance, InstanceStatus::kDraining);
  history_.instances[instance].draining_at = now_;
  log(EventKind::kInstanceDraining, instance, instance);
}

void PlainRun::terminate(std::uint32_t instance) {
  set_status(instance, InstanceStatus::kInactive);
  instances_[instance].is_gone = true;
  history_.instances[instance].terminated_at = now_;
  log(EventKind::kInstanceTerminated, instance, instance);
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!holds_a_place(i) || history_.tasks[i].instance != instance) continue;
    give_back(i, is_stopping(i) ? tasks_[i].stopping : StopCause::kInstanceGone);
    fail_job_of(i);
  }
}

}  // namespace bayplan::timeline::plain
