#include "timeline/history_walk.hpp"

#include <algorithm>

namespace bayplan::timeline {

using placement::InstanceStatus;
using placement::WorkloadKind;

HistoryWalk::HistoryWalk(const placement::Scenario& scenario, const History& history)
    : scenario_(scenario),
      history_(history),
      states_(history.tasks.size(), State::kUnknown),
      is_healthy_(history.tasks.size()),
      held_(history.instances.size()),
      has_come_(history.instances.size()),
      is_active_(history.instances.size()) {
  for (std::uint32_t i = 0; i < held_.size(); ++i) {
    held_[i].gpus.resize(static_cast<std::size_t>(profile_of(i).device_count()));
    held_[i].owners.resize(held_[i].gpus.size());
    if (i >= scenario.instances.size()) continue;
    has_come_[i] = 1;
    is_active_[i] = profile_of(i).status == InstanceStatus::kActive ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < scenario.running.size(); ++i) {
    states_[i] = scenario.running[i].stopping ? State::kStops : State::kRuns;
    is_healthy_[i] = true;
    book(i, 1);
  }
  for (const auto& plan : scenario.timetable.services) {
    desired_.push_back(plan.desired_count);
    minimum_.push_back(scenario.workloads[plan.workload].minimum_healthy_percent);
    maximum_.push_back(scenario.workloads[plan.workload].maximum_percent);
    runs_both_.push_back(plan.settings.runs_both() ? 1 : 0);
  }
  for (const auto& timed : scenario.timetable.events) {
    const auto* update = std::get_if<placement::UpdateService>(&timed.event);
    if (update != nullptr && update->settings && update->settings->runs_both()) runs_both_[update->service] = 1;
  }
}

std::string HistoryWalk::find_fault() {
  for (const auto& event : history_.events) {
    require(event.at >= now_, "time goes back");
    now_ = event.at;
    read(event);
    if (!fault_.empty()) return fault_;
  }
  check_metrics();
  if (history_.errors.empty()) check_end();
  return fault_;
}

void HistoryWalk::require(bool holds, const std::string& fault) {
  if (!holds && fault_.empty()) fault_ = "at " + std::to_string(now_) + ": " + fault;
}

void HistoryWalk::read(const Event& event) {
  if (is_about_task(event.kind)) return read_task(event);
  if (is_about_instance(event.kind)) return read_instance(event);
  if (event.kind == EventKind::kServiceUpdated)
    return read_update(std::get<placement::UpdateService>(scenario_.timetable.events[event.subject].event));
  if (event.kind == EventKind::kScaleOut || event.kind == EventKind::kScaleIn) check_scaling(event);
}

void HistoryWalk::read_task(const Event& event) {
  const std::uint32_t task = event.subject;
  auto& state = states_[task];
  switch (event.kind) {
    case EventKind::kTaskArrived:
      return arrive(task);
    case EventKind::kTaskPlaced:
      return place(task, *event.instance);
    case EventKind::kTaskRunning:
      require(state == State::kPending, "runs without a place");
      state = State::kRuns;
      return;
    case EventKind::kTaskHealthy:
      require(state == State::kRuns && !is_healthy_[task], "healthy and does not run");
      is_healthy_[task] = true;
      return;
    case EventKind::kTaskStopping:
      return stop(event);
    case EventKind::kTaskStopped:
      require(state != State::kOver && state != State::kUnknown, "stops twice");
      if (state != State::kWaits) leave(task);
      state = State::kOver;
      return;
    case EventKind::kTaskFailed:
      require(state == State::kWaits, "fails with a place");
      state = State::kOver;
      return;
    default:
      require(state == State::kWaits, "waits and has a place");
  }
}

void HistoryWalk::arrive(std::uint32_t task) {
  require(states_[task] == State::kUnknown, "arrives twice");
  states_[task] = State::kWaits;
  const OptionalIndex service = service_of(task);
  if (service == kNoIndex || scenario_.workloads[*history_.tasks[task].workload].kind == WorkloadKind::kDaemon) return;
  const std::int64_t upper = desired_[*service] * maximum_[*service] / 100;
  const std::int64_t most = std::max(upper, desired_[*service] + 1);
  require(service_tasks(*service, false) <= (runs_both_[*service] != 0 ? 2 : 1) * most, "more than maximumPercent");
}

void HistoryWalk::place(std::uint32_t task, std::uint32_t instance) {
  const auto& workload = scenario_.workloads[*history_.tasks[task].workload];
  require(states_[task] == State::kWaits, "placed and does not wait");
  require(is_active_[instance] != 0, "placed on an instance that is not ACTIVE");
  require(history_.tasks[task].instance == instance, "task and event disagree");
  const auto provider = history_.tasks[task].capacity_provider;
  require(provider == kNoIndex ||
              workload.capacity_providers[*provider].capacity_provider == profile_of(instance).capacity_provider_name,
          "placed on another capacity provider");
  for (const auto& constraint : workload.constraints) {
    if (constraint.type != placement::ConstraintType::kDistinctInstance) continue;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      const bool is_there = states_[i] == State::kPending || states_[i] == State::kRuns;
      require(!is_there || history_.tasks[i].instance != instance || group_of(i) != group_of(task),
              "two of a group on a distinct instance");
    }
  }
  check_room_of_queue(task);
  states_[task] = State::kPending;
  book(task, 1);
  check_held(instance);
}

/// Nobody overtakes.
void HistoryWalk::check_room_of_queue(std::uint32_t task) {
  if (!is_standalone(task) || is_managed(task) || scenario_.timetable.when_full != placement::WhenFull::kWait) return;
  for (std::uint32_t i = 0; i < task; ++i) {
    require(states_[i] != State::kWaits || !is_standalone(i) || is_managed(i), "overtakes in the queue");
  }
}

void HistoryWalk::stop(const Event& event) {
  auto& state = states_[event.subject];
  require(state == State::kPending || state == State::kRuns, "told to stop twice");
  state = State::kStops;
  const OptionalIndex service = service_of(event.subject);
  const bool is_replaced =
      event.stop == StopCause::kReplaced || event.stop == StopCause::kDraining || event.stop == StopCause::kRolledBack;
  if (service == kNoIndex || !is_replaced || !is_healthy_[event.subject]) return;
  const auto first = scenario_.timetable.services[*service].workload;
  if (scenario_.workloads[first].kind == WorkloadKind::kDaemon) return;
  const std::int64_t lower = (desired_[*service] * minimum_[*service] + 99) / 100;
  // Old tasks go at CLEAN_UP, whatever has become of the new ones since SCALE_UP.
  require(runs_both_[*service] != 0 || service_tasks(*service, true) >= lower, "less than minimumHealthyPercent");
}

void HistoryWalk::leave(std::uint32_t task) {
  book(task, -1);
}

void HistoryWalk::book(std::uint32_t task, int sign) {
  auto& held = held_[*history_.tasks[task].instance];
  const auto& needs = requirement_of(task);
  held.cpu += sign * needs.cpu;
  held.memory += sign * needs.memory;
  held.interfaces += sign * needs.network_interfaces;
  held.volumes += sign * needs.ebs_volumes;
  for (const auto port : needs.tcp_ports) held.tcp[port] += sign;
  for (const auto port : needs.udp_ports) held.udp[port] += sign;
  book_gpus(task, sign);
}

void HistoryWalk::book_gpus(std::uint32_t task, int sign) {
  const auto& own = history_.tasks[task];
  auto& held = held_[*own.instance];
  const auto& needs = requirement_of(task);
  const auto devices =
      own.running == kNoIndex ? placement::list_devices(needs, own.gpus) : scenario_.running[*own.running].gpus;
  for (const auto device : devices) {
    held.gpus[device].shared_memory += sign * needs.mps_memory;
    held.gpus[device].share_millionths += sign * needs.gpu_fraction_millionths;
    if (needs.mps_memory == 0 && needs.gpu_fraction_millionths == 0) held.owners[device] += sign;
  }
}

void HistoryWalk::check_held(std::uint32_t instance) {
  const auto& held = held_[instance];
  const auto& profile = profile_of(instance);
  require(held.cpu <= profile.cpu, "CPU given twice");
  require(held.memory <= profile.memory, "memory given twice");
  require(held.interfaces <= profile.network_interfaces, "interfaces given twice");
  const auto attached = held.volumes + (profile.interfaces_take_attachments ? held.interfaces : 0);
  require(attached <= profile.ebs_attachments, "EBS attachments given twice");
  for (const auto& [port, count] : held.tcp) require(count <= 1, "TCP port given twice");
  for (const auto& [port, count] : held.udp) require(count <= 1, "UDP port given twice");
  for (std::size_t i = 0; i < held.gpus.size(); ++i) {
    const auto& gpu = held.gpus[i];
    require(held.owners[i] <= 1, "GPU given twice");
    require(held.owners[i] == 0 || (gpu.shared_memory == 0 && gpu.share_millionths == 0), "GPU given and shared");
    require(gpu.shared_memory <= profile.gpu_memory, "GPU memory given twice");
    require(gpu.share_millionths <= profile.gpu_fraction_millionths, "share of a GPU given twice");
  }
}

void HistoryWalk::read_instance(const Event& event) {
  const std::uint32_t i = event.subject;
  if (event.kind == EventKind::kInstanceLaunched) {
    require(has_come_[i] == 0, "launched twice");
    has_come_[i] = 1;
  }
  require(has_come_[i] == 1, "an instance that is not there");
  is_active_[i] = event.kind == EventKind::kInstanceActive ? 1 : 0;
  if (event.kind == EventKind::kInstanceTerminated) has_come_[i] = 2;
}

void HistoryWalk::read_update(const placement::UpdateService& update) {
  if (update.desired_count) desired_[update.service] = *update.desired_count;
  if (update.minimum_healthy_percent) minimum_[update.service] = *update.minimum_healthy_percent;
  if (update.maximum_percent) maximum_[update.service] = *update.maximum_percent;
}

void HistoryWalk::check_scaling(const Event& event) {
  const auto& group = scenario_.timetable.groups[event.subject];
  require(group.is_managed, "scales without being managed");
  const Metric* latest = nullptr;
  for (const auto& metric : history_.metrics) {
    if (metric.group == event.subject && metric.at <= event.at) latest = &metric;
  }
  require(latest != nullptr, "scales without a data point");
  if (latest == nullptr) return;
  const std::int64_t share = latest->running > 0 ? latest->needed * 100 : 200;
  const std::int64_t goal = (share + group.target_capacity - 1) / group.target_capacity;
  if (event.kind == EventKind::kScaleOut) {
    require(event.value == std::min(goal, group.max_size), "scales out to another figure");
    require(event.value > latest->desired_capacity && latest->needed > 0, "scales out and is not larger");
  } else {
    require(event.value >= std::max(std::min(goal, group.max_size), group.min_size), "scales in below what is needed");
    require(event.value < latest->desired_capacity, "scales in and is not smaller");
    require(latest->desired_capacity - event.value == 1 || 2 * event.value > latest->desired_capacity,
            "scales in by half or more");
  }
}

void HistoryWalk::check_metrics() {
  for (const auto& metric : history_.metrics) {
    const std::int64_t percent = metric.running > 0   ? metric.needed * 100'000'000 / metric.running
                                 : metric.needed == 0 ? 100'000'000
                                                      : 200'000'000;
    require(metric.percent_millionths == percent, "M / N");
    require(metric.at > 0 && metric.at % scenario_.timetable.timing.metric_period == 0, "a data point out of time");
  }
}

void HistoryWalk::check_end() {
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const auto& task = history_.tasks[i];
    require(states_[i] != State::kUnknown, "a task that never arrived");
    require(!task.failed || !task.placed_at, "failed with a place");
    require(!task.started_at || (task.placed_at && *task.placed_at <= *task.started_at), "runs before it is placed");
    require(!task.stopped_at || !task.started_at || *task.started_at <= *task.stopped_at, "stops before it runs");
    require((states_[i] == State::kOver) == task.stopped_at.has_value(), "log and task disagree about its end");
    const bool fails = scenario_.timetable.when_full == placement::WhenFull::kFail && is_standalone(i);
    require(states_[i] != State::kWaits || !fails || is_managed(i), "neither placed nor failed");
  }
}

OptionalIndex HistoryWalk::service_of(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (own.deployment != kNoIndex) return history_.deployments[*own.deployment].service;
  if (own.running == kNoIndex) return kNoIndex;
  const auto& services = scenario_.timetable.services;
  for (std::uint32_t i = 0; i < services.size(); ++i) {
    if (scenario_.workloads[services[i].workload].group == scenario_.running[*own.running].group) return i;
  }
  return kNoIndex;
}

std::int64_t HistoryWalk::service_tasks(std::uint32_t service, bool healthy_only) const {
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const bool counts = states_[i] == State::kWaits || states_[i] == State::kPending || states_[i] == State::kRuns;
    if (counts && service_of(i) == service && (!healthy_only || is_healthy_[i])) ++count;
  }
  return count;
}

const capacity::TaskRequirement& HistoryWalk::requirement_of(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (own.running == kNoIndex) return scenario_.workloads[*own.workload].requirement;
  for (const auto& definition : scenario_.task_definitions) {
    if (definition.name == scenario_.running[*own.running].task_definition) return definition.requirement;
  }
  return nothing_;
}

const placement::InstanceProfile& HistoryWalk::profile_of(std::uint32_t instance) const {
  return scenario_.profiles[history_.instances[instance].profile];
}

bool HistoryWalk::is_managed(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  if (own.capacity_provider == kNoIndex) return false;
  const auto& name = scenario_.workloads[*own.workload].capacity_providers[*own.capacity_provider].capacity_provider;
  const auto& managed = scenario_.managed_providers;
  return std::find(managed.begin(), managed.end(), name) != managed.end();
}

std::string HistoryWalk::group_of(std::uint32_t task) const {
  const auto& own = history_.tasks[task];
  return own.running == kNoIndex ? scenario_.workloads[*own.workload].group : scenario_.running[*own.running].group;
}

}  // namespace bayplan::timeline
