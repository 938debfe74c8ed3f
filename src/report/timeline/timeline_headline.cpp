#include "report/timeline/timeline_words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

namespace {

using TaskState = TaskWithoutPlace::State;

std::string tasks_of(std::int64_t part, std::int64_t all) {
  return fmt::format("{} of {}", part, count_of(all, "task"));
}

/// Whether the task came to the cluster in the run.
bool is_own(const Task& task) {
  return task.running == kNoIndex && task.placed_at;
}

struct Counts {
  std::int64_t there = 0;  ///< Hold a place at the end.
  std::int64_t ran = 0;
  Seconds last_end = 0;
};

Counts count(const TimelineReport& report, bool daemons) {
  Counts counts;
  for (const auto& task : report.history().tasks) {
    if (!is_own(task) || is_daemon(report.scenario(), task) != daemons) continue;
    if (task.started_at) ++counts.ran;
    if (!task.stopped_at) ++counts.there;
    counts.last_end = std::max(counts.last_end, task.stopped_at.value_or(0));
  }
  return counts;
}

/// Counts tasks without a service that the scenario stops.
std::int64_t stopped_as_asked(const TimelineReport& report) {
  const auto& tasks = report.history().tasks;
  return std::count_if(tasks.begin(), tasks.end(), [&](const Task& task) {
    if (!is_own(task)) return false;  // may have no workload
    const auto kind = report.scenario().workloads[*task.workload].kind;
    return kind == placement::WorkloadKind::kTasks && task.stop == StopCause::kStopTask;
  });
}

std::string words_of_daemons(const TimelineReport& report) {
  const auto counts = count(report, true);
  const auto end = duration(report.history().end);
  if (counts.ran == 0) return fmt::format("YES no task arrives; the run ends at {}", end);
  return fmt::format("YES {} of daemon services ran; {} at {}", count_of(counts.ran, "task"),
                     counts.there == 1 ? "1 is still running" : fmt::format("{} are still running", counts.there), end);
}

std::string words_of_success(const TimelineReport& report) {
  const auto& all = report.figures().all;
  if (all.arrived == 0) return words_of_daemons(report);
  const auto counts = count(report, false);
  auto ran = tasks_of(all.ran, all.arrived) + " ran";
  if (const auto stopped = stopped_as_asked(report); stopped > 0) ran += fmt::format(", {} until stopTask", stopped);
  if (counts.there == 0) return fmt::format("YES {}; the last ended at {}", ran, duration(counts.last_end));
  return fmt::format("YES {}; {} at {}", ran,
                     counts.there == 1 ? "1 is still running" : fmt::format("{} are still running", counts.there),
                     duration(report.history().end));
}

std::string cut_off_count(const TimelineReport& report, std::int64_t count, bool is_first) {
  const auto who = is_first ? tasks_of(count, report.figures().all.arrived) : std::to_string(count);
  return fmt::format("{} {} interrupted", who, count == 1 ? "was" : "were");
}

/// "a job of 4 tasks failed", "2 jobs of 8 tasks failed"
std::string words_of_jobs(const TimelineReport& report) {
  std::int64_t jobs = 0;
  std::int64_t tasks = 0;
  for (const auto& job : report.history().jobs) {
    if (!job.failed) continue;
    ++jobs;
    tasks += static_cast<std::int64_t>(job.tasks.size());
  }
  const auto who = jobs == 1 ? std::string("a job") : fmt::format("{} jobs", jobs);
  return fmt::format("{} of {} failed", who, count_of(tasks, "task"));
}

bool only_jobs_failed(const TimelineReport& report) {
  const auto& all = report.without_place();
  return report.failed_with_job() > 0 && std::all_of(all.begin(), all.end(), [&](const TaskWithoutPlace& one) {
           const auto job = report.history().tasks[one.task].job;
           return job != kNoIndex && report.history().jobs[*job].failed;
         });
}

std::string counts_of_tasks(const TimelineReport& report) {
  const auto& all = report.without_place();
  const auto without = std::count_if(all.begin(), all.end(),
                                     [](const TaskWithoutPlace& one) { return one.state == TaskState::kFailed; });
  const auto waiting = static_cast<std::int64_t>(all.size()) - without;
  const auto failed = without + report.failed_with_job();
  const auto arrived = std::max<std::int64_t>(report.figures().all.arrived, static_cast<std::int64_t>(all.size()));
  std::vector<std::string> counts;
  if (failed > 0)
    counts.push_back(only_jobs_failed(report) ? words_of_jobs(report) : tasks_of(failed, arrived) + " failed");
  if (waiting > 0) {
    counts.push_back(fmt::format("{} still {} at {}", failed > 0 ? std::to_string(waiting) : tasks_of(waiting, arrived),
                                 waiting == 1 ? "waits" : "wait", duration(report.history().end)));
  }
  const auto interrupted_tasks = static_cast<std::int64_t>(report.figures().interrupted_tasks.size());
  if (interrupted_tasks > 0) counts.push_back(cut_off_count(report, interrupted_tasks, false));
  return join(counts, ", ");
}

/// One that was evaluated says more than one behind it in the queue.
const TaskWithoutPlace& most_informative(const std::vector<TaskWithoutPlace>& all) {
  const auto failed = [](const TaskWithoutPlace& one) { return one.state == TaskState::kFailed; };
  const auto explained = [&](const TaskWithoutPlace& one) { return failed(one) && one.why != nullptr; };
  auto chosen = std::find_if(all.begin(), all.end(), explained);
  if (chosen == all.end()) chosen = std::find_if(all.begin(), all.end(), failed);
  return chosen == all.end() ? all.front() : *chosen;
}

std::string words_of_tasks(const TimelineReport& report) {
  const auto& all = report.without_place();
  const TaskWithoutPlace& chosen = most_informative(all);
  std::vector<std::uint32_t> alike;
  const auto& tasks = report.history().tasks;
  for (const auto& one : all) {
    const bool is_alike = one.state == chosen.state && one.why == chosen.why &&
                          tasks[one.task].workload == tasks[chosen.task].workload &&
                          tasks[one.task].stop == tasks[chosen.task].stop;
    if (is_alike) alike.push_back(one.task);
  }
  return fmt::format("NO  {}; {}: {}", counts_of_tasks(report), task_names(report.scenario(), report.history(), alike),
                     reason_words(report, chosen));
}

std::string words_of_cut_off(const TimelineReport& report) {
  const auto& all = report.figures().interrupted_tasks;
  const auto why = cut_off_words(report, all.front());
  std::vector<std::uint32_t> alike;
  for (const auto& one : all) {
    if (cut_off_words(report, one) == why) alike.push_back(one.task);
  }
  return fmt::format("NO  {}; {}: {}", cut_off_count(report, static_cast<std::int64_t>(all.size()), true),
                     task_names(report.scenario(), report.history(), alike), why);
}

std::string words_of_deployments(const TimelineReport& report) {
  const auto& deployment = report.history().deployments[report.unfinished().front()];
  const auto name = deployment_name(report.scenario(), deployment);
  const auto end = duration(report.history().end);
  if (deployment.is_stuck) return fmt::format("NO  the deployment of {} never finishes", name);
  if (deployment.state == Deployment::State::kFailed) {
    return fmt::format("NO  the deployment of {} failed at {}", name,
                       duration(deployment.ended_at.value_or(deployment.started_at)));
  }
  if (report.history().end_reason != EndReason::kEndless)
    return fmt::format("NO  the deployment of {} is not complete at {}", name, end);
  return fmt::format("NO  the deployment of {} is not complete after {}: {} in all", name, end,
                     count_of(deployment.failed_tasks, "failed task"));
}

std::string words_of_drains(const TimelineReport& report) {
  const auto& drain = report.figures().held_drains.front();
  return fmt::format("NO  the drain of {} never finishes: {}", report.history().instances[drain.instance].id,
                     held_drain_words(report, drain));
}

}  // namespace

std::string timeline_headline(const TimelineReport& report) {
  if (!report.has_failures()) return words_of_success(report);
  const auto& unfinished = report.unfinished();
  const bool is_stuck = !unfinished.empty() && report.history().deployments[unfinished.front()].is_stuck;
  if (is_stuck) return words_of_deployments(report);
  if (!report.without_place().empty()) return words_of_tasks(report);
  if (!unfinished.empty()) return words_of_deployments(report);
  return report.figures().held_drains.empty() ? words_of_cut_off(report) : words_of_drains(report);
}

}  // namespace bayplan::report
