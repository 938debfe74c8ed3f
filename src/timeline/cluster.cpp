#include "timeline/cluster.hpp"

#include <algorithm>
#include <set>

#include "placement/engine/gpu_devices.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/model/redeploy.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::timeline {

using placement::Choice;
using placement::Failure;
using placement::InstanceStatus;
using placement::WorkloadKind;

namespace {

std::set<std::string_view> managed_providers(const placement::Scenario& scenario) {
  std::set<std::string_view> managed(scenario.managed_providers.begin(), scenario.managed_providers.end());
  for (const auto& group : scenario.timetable.groups) {
    if (group.is_managed) managed.insert(group.capacity_provider);
  }
  return managed;
}

/// Failures keep a row for each instance up to here, then the counts alone: a queue that waits for weeks would fill the
/// memory with rows that are not read.
constexpr std::size_t kFullRows = placement::kFullExplanationRows;
/// Limits on the explanations of tasks that fail for good and of tasks that wait; later tasks have none.
constexpr std::size_t kMaxExplanations = 100'000;
constexpr std::size_t kMaxOfWaiting = 10'000;

}  // namespace

Cluster::Cluster(const placement::Scenario& scenario) : scenario_(scenario), numbers_(scenario.workloads) {
  reserve();
  occupancy_.emplace(scenario_);
  chooser_.emplace(*occupancy_);
  const auto managed = managed_providers(scenario_);
  const auto& classes = occupancy_->classes();
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const auto provider = classes.find_provider(i);
    classes_.push_back({.is_managed = !provider.empty() && managed.contains(provider)});
  }
  for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
    const auto& own = profile(i);
    const bool is_active = own.status == InstanceStatus::kActive;
    const bool drains = own.status == InstanceStatus::kDraining;
    instances_.push_back({.stage = is_active ? InstanceStage::kActive : InstanceStage::kDraining});
    history_.instances.push_back({.id = scenario_.instances[i].id, .profile = scenario_.instances[i].profile});
    if (is_active) history_.instances.back().active_at = 0;
    if (drains) history_.instances.back().draining_at = 0;
  }
  add_running();
}

/// Room for what the calls alone bring; a vector that grows by itself holds everything twice for a while. The calls
/// have had their use: the queue has them.
void Cluster::reserve() {
  constexpr std::size_t kEventsOfTask = 6;  // what is not used is not touched
  std::size_t tasks = scenario_.running.size();
  for (const auto& call : scenario_.calls) tasks += static_cast<std::size_t>(call.count);
  history_.tasks.reserve(tasks);
  live_.reserve(tasks);
  history_.events.reserve(kEventsOfTask * tasks);
  scenario_.calls = {};
}

void Cluster::add_running() {
  of_running_ = placement::requirements_of_running(scenario_);
  std::map<std::string_view, std::uint32_t> services;
  const auto& plans = timetable().services;
  for (std::uint32_t i = 0; i < plans.size(); ++i) services.emplace(scenario_.workloads[plans[i].workload].group, i);
  for (std::uint32_t i = 0; i < scenario_.running.size(); ++i) {
    const auto& running = scenario_.running[i];
    Task task;
    LiveTask live;
    task.running = i;
    task.instance = running.instance;
    task.placed_at = task.started_at = 0;
    live.is_healthy = true;
    const auto service = services.find(running.group);
    if (service != services.end() && !running.stopping) {
      live.service = service->second;
      const auto& workload = scenario_.workloads[plans[service->second].workload];
      if (scenario_.task_definitions[workload.task_definition].name == running.task_definition) {
        task.workload = plans[service->second].workload;
        task.deployment = service->second;
        for (std::uint32_t p = 0; p < workload.capacity_providers.size(); ++p) {
          if (workload.capacity_providers[p].capacity_provider == profile(running.instance).capacity_provider_name)
            task.capacity_provider = p;
        }
      }
    }
    auto& instance = instances_[running.instance];
    instance.tasks.push_back(i);
    if (!running.daemon) ++instance.busy;
    history_.tasks.push_back(std::move(task));
    live_.push_back(live);
  }
}

const capacity::TaskRequirement& Cluster::requirement_of(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  return own.running ? of_running_[*own.running] : scenario_.workloads[*own.workload].requirement;
}

bool Cluster::is_up(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  if (!own.placed_at || own.stopped_at || live_[index].stopping != StopCause::kNone) return false;
  return !own.running || !scenario_.running[*own.running].stopping;
}

bool Cluster::is_protected(std::uint32_t index) const {
  if (live_[index].protected_until <= now) return false;
  const OptionalIndex instance = history_.tasks[index].instance;
  return instance && instances_[*instance].stage == InstanceStage::kActive;
}

void Cluster::protect(std::uint32_t task, Seconds until) {
  live_[task].protected_until = until;
  if (until > now) agenda.add(Step::kUnprotected, until, task);
  touch(task);
}

std::uint32_t Cluster::class_of(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  return occupancy_->classes().number(*own.workload, own.capacity_provider.value_or(0));
}

std::uint32_t Cluster::log(const Event& event) {
  history_.events.push_back(event);
  history_.events.back().at = now;
  return last_event();
}

bool Cluster::holds(Step step, Seconds at, std::uint32_t index) const {
  switch (step) {
    case Step::kStop:
      return !task(index).stopped_at && live_[index].stop_due == at;
    case Step::kRunning:
      return is_pending(index) && live_[index].running_due == at;
    case Step::kHealthy:
      return is_up(index) && !live_[index].is_healthy && task(index).started_at.has_value();
    case Step::kTimeout:
      return needs_placement(index) && is_provisioning(index);
    case Step::kUnprotected:
      return !task(index).stopped_at && live_[index].protected_until == at;
    case Step::kActive:
      return instances_[index].stage == InstanceStage::kBooting;
    case Step::kAge:
    case Step::kInterruption:
    case Step::kReclaim:
      return instances_[index].stage != InstanceStage::kGone;
    case Step::kRetry:  // the service knows
    case Step::kIdle:   // the groups know
      break;
  }
  return false;
}

void Cluster::touch(std::uint32_t task) {
  if (live_[task].service) touched_services_.push_back(*live_[task].service);
}

std::vector<std::uint32_t> Cluster::take_touched_services() {
  std::sort(touched_services_.begin(), touched_services_.end());
  touched_services_.erase(std::unique(touched_services_.begin(), touched_services_.end()), touched_services_.end());
  return std::exchange(touched_services_, {});
}

// The life of a task, from its arrival to its end.

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
  live.duration = duration;
  history_.tasks.push_back(std::move(task));
  live_.push_back(live);
  live_[index].last_event =
      log({.kind = EventKind::kTaskArrived, .subject = index, .instance = arrival.instance, .cause = arrival.cause});
  return index;
}

void Cluster::wait(std::uint32_t index, OptionalIndex instance) {
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
  ++classes_[class_of(index)].provisioning;
  agenda.add(Step::kTimeout, now + timetable().timing.provisioning_timeout, index);
  live.last_event = log({.kind = EventKind::kTaskProvisioning, .subject = index, .cause = live.last_event});
}

void Cluster::end_provisioning(std::uint32_t index) {
  if (!is_provisioning(index)) return;
  live_[index].is_provisioning = false;
  std::erase(provisioning_, index);
  --classes_[class_of(index)].provisioning;
}

void Cluster::fail(std::uint32_t index, StopCause cause, OptionalIndex event) {
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
  const OptionalIndex own = history_.tasks[index].job;
  if (!own || history_.jobs[*own].started_at || history_.jobs[*own].failed) return;
  const std::uint32_t number = *own;
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
  if (live.service) agenda.add(Step::kHealthy, now + placement::compute_health_delay(scenario_, *own.workload), index);
  if (live.duration) {
    live.stop_due = now + *live.duration;
    agenda.add(Step::kStop, *live.stop_due, index);
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

void Cluster::stop(std::uint32_t index, StopCause cause, OptionalIndex event) {
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
  const auto group = own.running ? occupancy_->group_named(scenario_.running[*own.running].group)
                                 : occupancy_->group_of(*own.workload);
  if (group != placement::kNoGroup) occupancy_->leave_group(*own.instance, group);
  live.stopping = cause;
  live.last_event = log(
      {.kind = EventKind::kTaskStopping, .stop = cause, .subject = index, .instance = own.instance, .cause = event});
  instances_[*own.instance].last_change = live.last_event;
  const Seconds delay = !was_running   ? 0
                        : own.workload ? timetable().tasks[*own.workload].stop_delay
                                       : timetable().timing.stop_timeout;
  live.stop_due = now + delay;
  if (delay == 0) return finish(index);
  agenda.add(Step::kStop, *live.stop_due, index);
  lose_member(index);
}

StopCause Cluster::cause_of_stop(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (live_[task].stopping != StopCause::kNone) return live_[task].stopping;
  if (own.running && scenario_.running[*own.running].stopping) return StopCause::kNone;
  return instances_[*own.instance].stage == InstanceStage::kGone ? StopCause::kInstanceGone : StopCause::kEnded;
}

void Cluster::finish(std::uint32_t index) {
  auto& own = history_.tasks[index];
  auto& live = live_[index];
  own.stop = cause_of_stop(index);
  const auto& instance = instances_[*own.instance];
  free(index);
  own.stopped_at = now;
  const OptionalIndex cause = instance.stage == InstanceStage::kGone ? instance.last_event : live.last_event;
  live.last_event = log(
      {.kind = EventKind::kTaskStopped, .stop = own.stop, .subject = index, .instance = own.instance, .cause = cause});
  if (instance.stage != InstanceStage::kGone) instances_[*own.instance].last_event = live.last_event;
  touch(index);
  lose_member(index);
}

// Where tasks find a place, and why they find none.

std::optional<Choice> Cluster::find_place_of(std::uint32_t task_class) {
  if (classes_[task_class].failed_at == version()) return std::nullopt;
  const auto choice = chooser_->choose(task_class);
  if (!choice) classes_[task_class].failed_at = version();
  return choice;
}

bool Cluster::has_place(std::uint32_t task_class) {
  if (classes_[task_class].failed_at == version()) return false;
  if (chooser_->has_place(task_class)) return true;
  classes_[task_class].failed_at = version();
  return false;
}

bool Cluster::try_place(std::uint32_t task) {
  const auto choice = find_place(task);
  if (choice) place(task, *choice);
  return choice.has_value();
}

void Cluster::place_unlogged(std::uint32_t index, Choice choice) {
  auto& own = history_.tasks[index];
  own.gpus = occupancy_->take(*own.workload, choice.instance);
  own.instance = choice.instance;
  own.placed_at = now;
  own.tied = choice.tied;
  auto& instance = instances_[choice.instance];
  instance.tasks.push_back(index);
  if (scenario_.workloads[*own.workload].kind != WorkloadKind::kDaemon) ++instance.busy;
}

/// What let in a task that waited: room on its instance; else what its constraints see there; else its turn in the
/// queue.
OptionalIndex Cluster::what_let_in(std::uint32_t index) const {
  const OptionalIndex waited = live_[index].last_event;
  const auto& instance = instances_[*history_.tasks[index].instance];
  const OptionalIndex turn = live_[index].service ? OptionalIndex() : queue_moved_by_;
  for (const OptionalIndex event : {instance.last_event, instance.last_change, turn}) {
    if (event && *event > *waited) return event;
  }
  return waited;
}

void Cluster::log_place_of(std::uint32_t index) {
  const auto& own = history_.tasks[index];
  auto& live = live_[index];
  const OptionalIndex cause = live.is_tried ? what_let_in(index) : live.last_event;
  live.last_event = log({.kind = EventKind::kTaskPlaced, .subject = index, .instance = own.instance, .cause = cause});
  instances_[*own.instance].last_change = live.last_event;
  touch(index);
}

void Cluster::place(std::uint32_t index, Choice choice) {
  end_provisioning(index);
  place_unlogged(index, choice);
  log_placed(index);
}

void Cluster::log_placed(std::uint32_t index) {
  log_place_of(index);
  const auto& own = history_.tasks[index];
  const bool waits_for_others = own.job && !history_.jobs[*own.job].started_at;
  if (!waits_for_others) start_running_at(index, now + timetable().tasks[*own.workload].start_delay);
}

void Cluster::take_back(std::uint32_t index) {
  auto& own = history_.tasks[index];
  free(index);
  own.instance = std::nullopt;
  own.placed_at.reset();
  own.tied = false;
  own.gpus.clear();
}

void Cluster::free(std::uint32_t index) {
  const auto& own = history_.tasks[index];
  auto& instance = instances_[*own.instance];
  if (own.running) {
    const auto& running = scenario_.running[*own.running];
    const bool in_group = live_[index].stopping == StopCause::kNone && !running.stopping;
    const auto group = in_group ? occupancy_->group_named(running.group) : placement::kNoGroup;
    occupancy_->give_back(*own.instance, of_running_[*own.running], group, running.gpus);
    if (!running.daemon) --instance.busy;
  } else {
    const auto& workload = scenario_.workloads[*own.workload];
    const auto group =
        live_[index].stopping == StopCause::kNone ? occupancy_->group_of(*own.workload) : placement::kNoGroup;
    occupancy_->give_back(*own.instance, workload.requirement, group,
                          placement::list_devices(workload.requirement, own.gpus));
    if (workload.kind != WorkloadKind::kDaemon) --instance.busy;
  }
  const auto at = std::find(instance.tasks.begin(), instance.tasks.end(), index);
  *at = instance.tasks.back();
  instance.tasks.pop_back();
}

placement::PlacementAttempt Cluster::make_attempt(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  return {*own.workload, own.number, static_cast<std::int64_t>(index), own.capacity_provider};
}

std::uint32_t Cluster::note(Failure failure, std::uint32_t task_class) {
  rows_ += failure.instances.size();
  // One row, which reports cannot do without: where not every instance is listed, the nearest comes first.
  if (rows_ > kFullRows && failure.instances.size() > 1)
    failure.instances = placement::Rejections({failure.instances.front()});
  const auto number = static_cast<std::uint32_t>(history_.failures.size());
  history_.failures.push_back(std::move(failure));
  classes_[task_class].explained_at = version();
  classes_[task_class].explanation = number;
  return number;
}

void Cluster::explain(std::uint32_t index, ExplanationReason why) {
  const std::uint32_t task_class = class_of(index);
  const ClassState& known = classes_[task_class];
  if (known.explained_at == version() && known.explanation) {
    history_.tasks[index].failure = known.explanation;
    return;
  }
  const std::size_t most = why == ExplanationReason::kWaiting ? kMaxOfWaiting : kMaxExplanations;
  if (why != ExplanationReason::kAtTheEnd && history_.failures.size() >= most) return;
  const std::size_t count = occupancy_->standing_count();
  const bool in_full = count <= placement::kFullExplanationLimit && rows_ + count <= kFullRows;
  history_.tasks[index].failure = note(chooser_->explain(make_attempt(index), task_class, in_full), task_class);
}

void Cluster::explain_on(std::uint32_t index, std::uint32_t instance) {
  const std::uint32_t workload = *history_.tasks[index].workload;
  const placement::Filter filter(scenario_, occupancy_->groups(), scenario_.workloads[workload],
                                 occupancy_->group_of(workload));
  auto failure = placement::explain_failure(make_attempt(index), {instance}, occupancy_->states(), filter, scenario_,
                                            rows_ < kFullRows);
  history_.tasks[index].failure = note(std::move(failure), class_of(index));
}

// The life of an instance, from its launch to its end.

std::uint32_t Cluster::launch(std::uint32_t profile_index, OptionalIndex group, std::string id, OptionalIndex cause) {
  const auto index = static_cast<std::uint32_t>(instances_.size());
  scenario_.instances.push_back({id, profile_index});
  history_.instances.push_back({.id = std::move(id), .profile = profile_index, .group = group, .launched_at = now});
  instances_.push_back({.stage = InstanceStage::kBooting});
  occupancy_->add_instances();
  set_status(index, InstanceStatus::kRegistering);
  instances_[index].last_event =
      log({.kind = EventKind::kInstanceLaunched, .subject = index, .instance = index, .cause = cause});
  return index;
}

void Cluster::set_status(std::uint32_t instance, InstanceStatus status) {
  const std::uint32_t base = history_.instances[instance].profile;
  if (scenario_.profiles[base].status == status) {
    scenario_.instances[instance].profile = base;
    return occupancy_->change_profile(instance);
  }
  const auto next = static_cast<std::uint32_t>(scenario_.profiles.size());
  const auto [known, is_new] = profile_with_.try_emplace({base, status}, next);
  if (is_new) {
    scenario_.profiles.push_back(scenario_.profiles[base]);
    scenario_.profiles.back().status = status;
  }
  scenario_.instances[instance].profile = known->second;
  occupancy_->change_profile(instance);
}

void Cluster::activate(std::uint32_t index) {
  instances_[index].stage = InstanceStage::kActive;
  history_.instances[index].active_at = now;
  set_status(index, InstanceStatus::kActive);
  instances_[index].last_event = log(
      {.kind = EventKind::kInstanceActive, .subject = index, .instance = index, .cause = instances_[index].last_event});
}

void Cluster::drain(std::uint32_t index, OptionalIndex cause) {
  instances_[index].stage = InstanceStage::kDraining;
  history_.instances[index].draining_at = now;
  set_status(index, InstanceStatus::kDraining);
  instances_[index].last_event =
      log({.kind = EventKind::kInstanceDraining, .subject = index, .instance = index, .cause = cause});
  for (const std::uint32_t task : instances_[index].tasks) touch(task);
}

void Cluster::terminate(std::uint32_t index, OptionalIndex cause) {
  auto& own = instances_[index];
  own.stage = InstanceStage::kGone;
  history_.instances[index].terminated_at = now;
  own.last_event = log({.kind = EventKind::kInstanceTerminated, .subject = index, .instance = index, .cause = cause});
  auto tasks = own.tasks;
  std::sort(tasks.begin(), tasks.end());
  for (const std::uint32_t task : tasks) {
    if (!history_.tasks[task].stopped_at) finish(task);
  }
  occupancy_->remove_instance(index);
}

bool Cluster::has_standalone(std::uint32_t index) const {
  const auto& tasks = instances_[index].tasks;
  return std::any_of(tasks.begin(), tasks.end(), [&](std::uint32_t task) {
    const OptionalIndex running = history_.tasks[task].running;
    const bool is_daemon = running && scenario_.running[*running].daemon;
    return !live_[task].service && !is_daemon;
  });
}

}  // namespace bayplan::timeline
