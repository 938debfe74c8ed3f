// Standalone tasks: arrivals, the queue, PROVISIONING, jobs.
#include <algorithm>

#include "placement/model/capacity_providers.hpp"
#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::WhenFull;

bool PlainRun::is_managed(const std::string& provider) const {
  if (provider.empty()) return false;
  const auto& names = world_.managed_providers;
  return std::find(names.begin(), names.end(), provider) != names.end() ||
         std::any_of(table_.groups.begin(), table_.groups.end(),
                     [&](const auto& group) { return group.is_managed && group.capacity_provider == provider; });
}

void PlainRun::arrive(const placement::Call& call) {
  const auto& workload = world_.workloads[call.workload];
  placement::ProviderDistributor deal(workload.capacity_providers);
  Indices tasks;
  bool is_job = workload.all_or_nothing && table_.when_full == WhenFull::kWait;
  for (std::int64_t i = 0; i < call.count; ++i) {
    std::optional<std::uint32_t> provider;
    if (!workload.capacity_providers.empty()) provider = static_cast<std::uint32_t>(deal.next());
    tasks.push_back(add_task(call.workload, kNoIndex, provider));
    if (call.duration) tasks_.back().duration = call.duration;
    if (workload.all_or_nothing && is_managed(tasks_.back().provider)) is_job = true;
    log(EventKind::kTaskArrived, tasks.back());
  }
  if (workload.all_or_nothing && !is_job) {
    for (const auto task : tasks) together_[task] = tasks;
  }
  if (!is_job || tasks.empty()) return;
  for (const auto task : tasks) history_.tasks[task].job = static_cast<std::uint32_t>(history_.jobs.size());
  history_.jobs.push_back({tasks, {}, false});
}

void PlainRun::place_standalone_tasks() {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!is_standalone(i) || !has_no_place(i)) continue;
    if (together_.count(i) > 0) {
      try_together(together_[i]);
    } else if (is_managed(tasks_[i].provider)) {
      try_managed(i);
    } else if (table_.when_full == WhenFull::kWait) {
      try_in_queue(i);
    } else if (!try_to_place(i)) {
      fail(i, StopCause::kNone);
    }
  }
  say_who_could_start();
}

void PlainRun::try_managed(std::uint32_t task) {
  if (try_to_place(task) || tasks_[task].provisioning_since) return;
  if (provisioning_count() >= table_.timing.provisioning_limit) return fail(task, StopCause::kProvisioningLimit);
  tasks_[task].provisioning_since = now_;
  log(EventKind::kTaskProvisioning, task);
}

bool PlainRun::waits_in_queue(std::uint32_t task) const {
  return is_standalone(task) && has_no_place(task) && table_.when_full == WhenFull::kWait &&
         !is_managed(tasks_[task].provider);
}

void PlainRun::try_in_queue(std::uint32_t task) {
  bool is_first = true;
  for (std::uint32_t i = 0; i < task; ++i) is_first = is_first && !waits_in_queue(i);
  if (is_first && try_to_place(task)) return;
  if (!tasks_[task].was_tried) log(EventKind::kTaskWaiting, task);
  tasks_[task].was_tried = true;
}

void PlainRun::say_who_could_start() {
  Indices queue;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (waits_in_queue(i)) queue.push_back(i);
  }
  if (queue.empty() || said_could_start_.count(*history_.tasks[queue[0]].workload) > 0) return;
  const auto could = std::find_if(queue.begin() + 1, queue.end(), [&](auto task) { return passes_somewhere(task); });
  if (could == queue.end()) return;
  said_could_start_.insert(*history_.tasks[queue[0]].workload);
  log(EventKind::kTaskCouldStart, *could, kNoIndex, StopCause::kNone, queue[0]);
}

/// All tasks of the call have a place, or none.
void PlainRun::try_together(const Indices& tasks) {
  const auto before = states_;
  for (const auto task : tasks) {
    const auto choice = choose(*history_.tasks[task].workload, tasks_[task].provider);
    if (choice) {
      hold(task, *choice);
      continue;
    }
    states_ = before;
    for (const auto each : tasks) give_up_trial(each);
    for (const auto each : tasks) fail(each, StopCause::kNone);
    return;
  }
  for (const auto task : tasks) log(EventKind::kTaskPlaced, task, history_.tasks[task].instance);
}

void PlainRun::give_up_trial(std::uint32_t task) {
  auto& own = history_.tasks[task];
  own.instance = kNoIndex;
  own.gpus.clear();
  own.tied = false;
  own.placed_at.reset();
  tasks_[task].runs_at.reset();
}

void PlainRun::start_job_when_placed(std::uint32_t task) {
  if (history_.tasks[task].job == kNoIndex) return;
  auto& job = history_.jobs[*history_.tasks[task].job];
  for (const auto each : job.tasks) {
    if (history_.tasks[each].instance == kNoIndex) return;
  }
  job.started_at = now_;
  log(EventKind::kJobStarted, *history_.tasks[task].job);
  for (const auto each : job.tasks) tasks_[each].runs_at = now_ + tasks_[each].start_delay;
}

void PlainRun::fail_job_of(std::uint32_t task) {
  const OptionalIndex index = history_.tasks[task].job;
  if (index == kNoIndex || history_.jobs[*index].failed || history_.jobs[*index].started_at) return;
  history_.jobs[*index].failed = true;
  log(EventKind::kJobFailed, *index);
  for (const auto other : Indices(history_.jobs[*index].tasks)) {
    if (!is_active_task(other)) continue;
    if (has_no_place(other)) {
      fail(other, StopCause::kJobFailed);
    } else {
      stop(other, StopCause::kJobFailed);
    }
  }
}

}  // namespace bayplan::timeline::plain
