#include "study/deployment_waves.hpp"

#include <algorithm>
#include <array>

namespace bayplan::study {

using placement::Scenario;
using timeline::Event;
using timeline::EventKind;
using timeline::History;

namespace {

/// Goes through the log, with the state of each task of the service.
class CourseReader {
 public:
  CourseReader(const Scenario& scenario, const History& history, std::uint32_t deployment)
      : scenario_(scenario),
        history_(history),
        deployment_(deployment),
        own_(history.deployments[deployment]),
        tasks_(history.tasks.size()) {
    for (std::uint32_t i = 0; i < tasks_.size(); ++i) begin(i);
  }

  DeploymentCourse run() {
    for (const auto& event : history_.events) {
      if (event.at > end()) break;
      if (has_begun_ && event.at != now_) close_instant();
      now_ = event.at;
      take(event);
    }
    close_instant();
    end_wave();
    course_.new_tasks = counts_[kNew][kUp];
    course_.old_tasks = counts_[kOld][kUp];
    return std::move(course_);
  }

 private:
  enum Age : std::uint8_t { kOld, kNew, kAges };
  /// What holds of a task.
  enum Flag : std::uint8_t {
    kWaits,  ///< Wants a place.
    kHolds,  ///< A place, until it has stopped.
    kUp,     ///< Holds it and was not told to stop.
    kRuns,   ///< RUNNING and not told to stop.
    kHealthy,
    kFlags
  };
  struct TaskState {
    bool is_of_service = false;
    Age age = kOld;
    std::array<bool, kFlags> flags{};
  };

  placement::Seconds end() const { return own_.ended_at.value_or(history_.end); }

  void begin(std::uint32_t index) {
    const auto& task = history_.tasks[index];
    auto& state = tasks_[index];
    state.is_of_service = timeline::service_of(scenario_, history_, task) == own_.service;
    state.age = task.deployment == deployment_ ? kNew : kOld;
    if (task.running == timeline::kNoIndex || !state.is_of_service) return;
    set(state, kHolds, true);
    for (const Flag flag : {kUp, kRuns, kHealthy}) set(state, flag, !scenario_.running[task.running].stopping);
  }

  void set(TaskState& state, Flag flag, bool holds) {
    if (state.flags[flag] == holds) return;
    state.flags[flag] = holds;
    counts_[state.age][flag] += holds ? 1 : -1;
  }

  std::int64_t count(Flag flag) const { return counts_[kOld][flag] + counts_[kNew][flag]; }

  void take(const Event& event) {
    if (event.kind == EventKind::kDeploymentStarted || event.kind == EventKind::kRollback) {
      if (event.subject == deployment_) start();
      return;
    }
    if (timeline::is_about_task(event.kind) && tasks_[event.subject].is_of_service) take_task(event);
  }

  void start() {
    has_begun_ = true;
    now_ = own_.started_at;
    course_.terms = timeline::terms_of(scenario_, own_.service, own_.started_at);
    const auto& workload = scenario_.workloads[own_.workload];
    if (workload.kind == placement::WorkloadKind::kDaemon) course_.terms.desired = count(kUp);
    course_.fewest_healthy = count(kHealthy);
    course_.fewest_running = count(kRuns);
    course_.most_tasks = count(kHolds);
    begin_wave();
  }

  void begin_wave() {
    end_wave();
    const std::int64_t waiting = counts_[kNew][kWaits];
    const std::int64_t old = counts_[kOld][kUp];
    const std::int64_t both = counts_[kNew][kUp] + waiting + old;
    const auto& terms = course_.terms;
    const std::int64_t lacking = terms.desired - (both - old);
    const std::int64_t allowed = std::max(terms.upper(), terms.desired) - both;
    DeploymentWave wave;
    wave.at = now_ - own_.started_at;
    wave.may_start = waiting + std::max<std::int64_t>(0, std::min(lacking, allowed));
    wave.may_stop = std::clamp<std::int64_t>(count(kHealthy) - terms.lower(), 0, old);
    course_.waves.push_back(wave);
    goes_on_ = false;
  }

  void end_wave() {
    if (course_.waves.empty() || counts_[kNew][kWaits] == 0) return;
    course_.waves.back().lacking = counts_[kNew][kWaits];
    for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].age != kNew || !tasks_[i].flags[kWaits]) continue;
      course_.waves.back().failure = history_.tasks[i].failure;
      return;
    }
  }

  void take_task(const Event& event) {
    auto& state = tasks_[event.subject];
    const bool acts = has_begun_ && state.age == kNew;
    switch (event.kind) {
      case EventKind::kTaskArrived:
        if (acts) act();
        set(state, kWaits, true);
        break;
      case EventKind::kTaskPlaced:
        if (acts) ++act().started;
        set(state, kWaits, false);
        set(state, kHolds, true);
        set(state, kUp, true);
        break;
      case EventKind::kTaskRunning:
        set(state, kRuns, true);
        break;
      case EventKind::kTaskHealthy:
        set(state, kHealthy, true);
        goes_on_ |= state.age == kNew;
        break;
      case EventKind::kTaskStopping:
      case EventKind::kTaskStopped:
        stop(state, event);
        break;
      default:
        break;
    }
    if (has_begun_) course_.most_tasks = std::max(course_.most_tasks, count(kHolds));
  }

  void stop(TaskState& state, const Event& event) {
    const bool was_told = event.stop != timeline::StopCause::kEnded && event.stop != timeline::StopCause::kInstanceGone;
    if (has_begun_ && state.age == kOld && state.flags[kUp] && was_told) ++act().stopped;
    for (const Flag flag : {kWaits, kUp, kRuns, kHealthy}) set(state, flag, false);
    if (event.kind == EventKind::kTaskStopped) set(state, kHolds, false);
  }

  /// The wave in which the service acts.
  DeploymentWave& act() {
    if (goes_on_) begin_wave();
    return course_.waves.back();
  }

  void close_instant() {
    course_.fewest_healthy = std::min(course_.fewest_healthy, count(kHealthy));
    course_.fewest_running = std::min(course_.fewest_running, count(kRuns));
  }

  const Scenario& scenario_;
  const History& history_;
  std::uint32_t deployment_;
  const timeline::Deployment& own_;
  std::vector<TaskState> tasks_;
  std::array<std::array<std::int64_t, kFlags>, kAges> counts_{};
  DeploymentCourse course_;
  placement::Seconds now_ = 0;
  bool has_begun_ = false;
  bool goes_on_ = false;  ///< New tasks became healthy since the wave began.
};

}  // namespace

DeploymentCourse course_of(const Scenario& scenario, const History& history, std::uint32_t deployment) {
  return CourseReader(scenario, history, deployment).run();
}

}  // namespace bayplan::study
