#pragma once
#include <utility>
#include <vector>

#include "placement/build.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// A history written by hand, event by event.
class Story {
 public:
  explicit Story(const placement::Scenario& scenario) {
    for (const auto& instance : scenario.instances) {
      history.instances.push_back({instance.id, instance.profile, kNoIndex, 0, 0, {}, {}});
    }
  }

  std::uint32_t log(Seconds at, EventKind kind, std::uint32_t subject, OptionalIndex instance = {},
                    StopCause stop = StopCause::kNone, OptionalIndex cause = {}, std::int64_t value = 0) {
    history.events.push_back({at, kind, stop, subject, instance, cause, value});
    history.end = std::max(history.end, at);
    return static_cast<std::uint32_t>(history.events.size() - 1);
  }

  std::uint32_t arrive(Seconds at, std::uint32_t workload, std::int64_t number) {
    const auto index = static_cast<std::uint32_t>(history.tasks.size());
    Task task;
    task.workload = workload;
    task.number = number;
    task.arrived_at = at;
    history.tasks.push_back(task);
    log(at, EventKind::kTaskArrived, index);
    return index;
  }

  void wait(Seconds at, std::uint32_t task, EventKind kind = EventKind::kTaskWaiting) { log(at, kind, task); }

  void place(Seconds at, std::uint32_t task, std::uint32_t instance, std::vector<std::uint32_t> gpus = {},
             OptionalIndex cause = {}) {
    auto& own = history.tasks[task];
    own.instance = instance;
    own.placed_at = at;
    if (!gpus.empty()) own.gpus = {{0, std::move(gpus)}};
    log(at, EventKind::kTaskPlaced, task, instance, StopCause::kNone, cause);
  }

  void run(Seconds at, std::uint32_t task) {
    history.tasks[task].started_at = at;
    log(at, EventKind::kTaskRunning, task, history.tasks[task].instance);
  }

  std::uint32_t stop(Seconds at, std::uint32_t task, StopCause cause = StopCause::kEnded) {
    history.tasks[task].stopped_at = at;
    history.tasks[task].stop = cause;
    return log(at, EventKind::kTaskStopped, task, history.tasks[task].instance, cause);
  }

  std::uint32_t launch(Seconds at, std::uint32_t profile, OptionalIndex group, std::string id,
                       OptionalIndex cause = {}) {
    const auto index = static_cast<std::uint32_t>(history.instances.size());
    history.instances.push_back({std::move(id), profile, group, at, {}, {}, {}});
    log(at, EventKind::kInstanceLaunched, index, index, StopCause::kNone, cause);
    return index;
  }

  void activate(Seconds at, std::uint32_t instance, OptionalIndex cause = {}) {
    history.instances[instance].active_at = at;
    log(at, EventKind::kInstanceActive, instance, instance, StopCause::kNone, cause);
  }

  void terminate(Seconds at, std::uint32_t instance, OptionalIndex cause = {}) {
    history.instances[instance].terminated_at = at;
    log(at, EventKind::kInstanceTerminated, instance, instance, StopCause::kNone, cause);
  }

  History history;
};

/// Two p3.2xlarge of USD 3.06, five tasks of one GPU and 30 minutes that start in 4: the fifth begins at 1h08m.
inline placement::Scenario five_on_two() {
  using namespace placement::build;
  auto p3 = instance("p3.2xlarge", 8192, 61308, {1, 16384}, "us-east-2a");
  p3.hourly_price = 3'060'000;
  auto scenario = placement::build::scenario_with({p3, p3}, {run_task("train", with_gpus(needs(4096, 30000), {1}), 5)});
  scenario.region = "us-east-2";
  return scenario;
}

inline History five_on_two_history(const placement::Scenario& scenario) {
  constexpr Seconds kMinute = 60;
  Story story(scenario);
  for (std::int64_t number = 1; number <= 5; ++number) story.arrive(0, 0, number);
  auto& failures = story.history.failures;
  failures.push_back(placement::place(scenario).failures.front());
  std::vector<OptionalIndex> causes(2);
  for (std::uint32_t first = 0; first < 5; first += 2) {
    const Seconds at = first / 2 * 34 * kMinute;
    const auto behind = std::min<std::uint32_t>(first + 2, 5);
    for (std::uint32_t task = first; task < behind; ++task) story.place(at, task, task % 2, {0}, causes[task % 2]);
    if (first == 0) {
      for (std::uint32_t task = 2; task < 5; ++task) {
        story.wait(0, task);
        if (task == 2) story.history.tasks[task].failure = 0;
      }
    }
    for (std::uint32_t task = first; task < behind; ++task) story.run(at + 4 * kMinute, task);
    for (std::uint32_t task = first; task < behind; ++task) causes[task % 2] = story.stop(at + 34 * kMinute, task);
  }
  return std::move(story.history);
}

}  // namespace bayplan::timeline
