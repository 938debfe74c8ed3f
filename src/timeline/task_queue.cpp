#include "timeline/task_queue.hpp"

#include <algorithm>

#include "placement/engine/attempts.hpp"
#include "placement/model/capacity_providers.hpp"

namespace bayplan::timeline {

using placement::WorkloadKind;

TaskQueue::TaskQueue(Cluster& cluster, const placement::Scenario& scenario)
    : cluster_(cluster),
      waits_(cluster.timetable().when_full == placement::WhenFull::kWait),
      queued_(cluster.occupancy().classes().size()),
      is_reported_(cluster.scenario().workloads.size()) {
  for (const auto& call : placement::placement_order(scenario)) {
    if (scenario.workloads[call.workload].kind != WorkloadKind::kTasks) continue;
    calls_.push_back({call.start_at, call.duration, call.workload,
                      static_cast<std::uint32_t>(call.count)});  // at most millions (kMaxTasks)
  }
  std::stable_sort(calls_.begin(), calls_.end(), [](const auto& a, const auto& b) { return a.start_at < b.start_at; });
}

Seconds TaskQueue::next_arrival() const {
  return next_call_ < calls_.size() ? calls_[next_call_].start_at : kNever;
}

void TaskQueue::arrive() {
  for (; next_call_ < calls_.size() && calls_[next_call_].start_at == cluster_.now; ++next_call_) {
    arrive(calls_[next_call_]);
  }
}

void TaskQueue::arrive(const Request& call) {
  const auto& workload = cluster_.scenario().workloads[call.workload];
  placement::ProviderDistributor distributor(workload.capacity_providers);
  std::vector<std::uint32_t> providers;
  for (std::uint32_t i = 0; i < call.count; ++i)
    providers.push_back(workload.capacity_providers.empty() ? 0 : static_cast<std::uint32_t>(distributor.next()));
  if (providers.empty()) return;
  const bool is_job = workload.all_or_nothing && holds_places(call.workload, providers);
  auto& jobs = cluster_.history().jobs;
  const OptionalIndex job = is_job ? OptionalIndex(static_cast<std::uint32_t>(jobs.size())) : kNoIndex;
  if (is_job) jobs.emplace_back();
  const std::size_t first = arrived_.size();
  for (const std::uint32_t provider : providers) {
    arrived_.push_back(
        cluster_.arrive({.workload = call.workload, .provider = provider, .job = job, .duration = call.duration}));
    if (is_job) jobs[*job].tasks.push_back(arrived_.back());
  }
  if (!workload.all_or_nothing || is_job) return;
  together_.emplace_back(arrived_.begin() + static_cast<std::ptrdiff_t>(first), arrived_.end());
}

/// With neither a queue nor a managed provider the tasks of an all-or-nothing call are placed at once, all or none.
bool TaskQueue::holds_places(std::uint32_t workload, const std::vector<std::uint32_t>& providers) const {
  return waits_ || std::any_of(providers.begin(), providers.end(), [&](std::uint32_t provider) {
           return cluster_.is_managed_class(cluster_.occupancy().classes().number(workload, provider));
         });
}

void TaskQueue::place() {
  auto managed = std::exchange(provisioning_, {});
  std::erase_if(managed, [&](std::uint32_t task) { return !cluster_.needs_placement(task); });
  std::size_t next = 0;
  bool is_blocked = false;
  while (true) {
    drop_gone();
    const bool is_queues_turn =
        !is_blocked && !waiting_.empty() && (next == managed.size() || waiting_.front() < managed[next]);
    if (is_queues_turn) {
      is_blocked = !try_front();
    } else if (next < managed.size()) {
      try_managed(managed[next++]);
    } else {
      break;
    }
  }
  auto together = std::exchange(together_, {});
  auto next_call = together.begin();
  for (const std::uint32_t task : std::exchange(arrived_, {})) {
    if (next_call != together.end() && task == next_call->front()) try_together(*next_call++);
    if (cluster_.needs_placement(task)) try_in_turn(task);
  }
  notify_startable();
}

void TaskQueue::drop_gone() {
  while (!waiting_.empty() && !cluster_.needs_placement(waiting_.front())) leave_queue();
}

void TaskQueue::leave_queue() {
  cluster_.note_queue_moved(*cluster_.live(waiting_.front()).last_event);
  --queued_[cluster_.class_of(waiting_.front())];
  waiting_.pop_front();
}

void TaskQueue::try_in_turn(std::uint32_t task) {
  if (cluster_.is_managed(task)) return try_managed(task);
  waits_ ? try_queued(task) : try_once(task);
}

void TaskQueue::try_managed(std::uint32_t task) {
  if (cluster_.try_place(task)) return start_if_complete(task);
  if (!cluster_.live(task).is_tried) {
    cluster_.explain(task, ExplanationReason::kWaiting);
    if (cluster_.provisioning_count() >= cluster_.timetable().timing.provisioning_limit) {
      return cluster_.fail(task, StopCause::kProvisioningLimit, cluster_.live(task).last_event);
    }
    cluster_.provision(task);
  }
  provisioning_.push_back(task);
}

/// False when it has no place.
bool TaskQueue::try_front() {
  const std::uint32_t task = waiting_.front();
  if (!cluster_.try_place(task)) {
    if (cluster_.task(task).failure == kNoIndex) cluster_.explain(task, ExplanationReason::kWaiting);
    return false;
  }
  leave_queue();
  start_if_complete(task);
  return true;
}

/// No task overtakes: behind others it is not even tried.
void TaskQueue::try_queued(std::uint32_t task) {
  drop_gone();  // a job may have failed since
  if (waiting_.empty()) {
    if (cluster_.try_place(task)) return start_if_complete(task);
    cluster_.explain(task, ExplanationReason::kWaiting);
  }
  waiting_.push_back(task);
  ++queued_[cluster_.class_of(task)];
  cluster_.wait(task);
}

void TaskQueue::try_once(std::uint32_t task) {
  if (cluster_.try_place(task)) return start_if_complete(task);
  cluster_.explain(task, ExplanationReason::kFailed);
  cluster_.fail(task, StopCause::kNone, cluster_.live(task).last_event);
}

/// Places all tasks or none; nothing is held in between.
void TaskQueue::try_together(const std::vector<std::uint32_t>& tasks) {
  std::size_t placed = 0;
  for (; placed < tasks.size(); ++placed) {
    const auto choice = cluster_.find_place(tasks[placed]);
    if (!choice) break;
    cluster_.place_unlogged(tasks[placed], *choice);
  }
  if (placed == tasks.size()) {
    for (const std::uint32_t task : tasks) cluster_.log_placed(task);
    return;
  }
  cluster_.explain(tasks[placed], ExplanationReason::kFailed);
  const OptionalIndex failure = cluster_.task(tasks[placed]).failure;
  if (failure != kNoIndex) cluster_.history().failures[*failure].would_fit = static_cast<std::int64_t>(placed);
  while (placed > 0) cluster_.take_back(tasks[--placed]);
  for (const std::uint32_t task : tasks) {
    cluster_.history().tasks[task].failure = failure;
    cluster_.fail(task, StopCause::kNone, cluster_.live(task).last_event);
  }
}

/// The last task of a job has its place: all of them start together.
void TaskQueue::start_if_complete(std::uint32_t task) {
  const OptionalIndex job = cluster_.task(task).job;
  if (job == kNoIndex) return;
  auto& own = cluster_.history().jobs[*job];
  if (!std::all_of(own.tasks.begin(), own.tasks.end(), [&](std::uint32_t one) { return cluster_.is_pending(one); }))
    return;
  own.started_at = cluster_.now;
  cluster_.log({.kind = EventKind::kJobStarted, .subject = *job, .cause = cluster_.live(task).last_event});
  const Seconds delay = cluster_.timetable().tasks[*cluster_.task(task).workload].start_delay;
  for (const std::uint32_t one : own.tasks) cluster_.start_running_at(one, cluster_.now + delay);
}

/// First come, first served has its price: said once for each kind of task in front.
void TaskQueue::notify_startable() {
  drop_gone();
  if (waiting_.size() < 2) return;
  const std::uint32_t front = waiting_.front();
  auto& is_reported = is_reported_[*cluster_.task(front).workload];
  if (is_reported || !can_any_start()) return;
  for (const std::uint32_t task : waiting_) {
    if (task == front || !cluster_.needs_placement(task) || !cluster_.has_place(cluster_.class_of(task))) continue;
    cluster_.log({.kind = EventKind::kTaskCouldStart,
                  .subject = task,
                  .cause = cluster_.live(front).last_event,
                  .value = front});
    is_reported = 1;
    return;
  }
}

bool TaskQueue::can_any_start() {
  for (std::uint32_t task_class = 0; task_class < queued_.size(); ++task_class) {
    if (queued_[task_class] > 0 && cluster_.has_place(task_class)) return true;
  }
  return false;
}

void TaskQueue::time_out(std::uint32_t task) {
  cluster_.fail(task, StopCause::kProvisioningTimeout, cluster_.live(task).last_event);
}

}  // namespace bayplan::timeline
