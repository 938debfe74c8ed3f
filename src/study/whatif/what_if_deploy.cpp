#include "study/whatif/what_if_deploy.hpp"

#include <algorithm>
#include <array>

#include "study/whatif/variant_events.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

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

  /// False once the deployment has ended: later events are not of its course.
  bool follow(const Event& event) {
    if (event.at > end()) return false;
    if (has_begun_ && event.at != now_) close_instant();
    now_ = event.at;
    take(event);
    return event.kind != EventKind::kDeploymentCompleted || event.subject != deployment_;
  }

  DeploymentCourse course() && {
    close_instant();
    end_wave();
    close_stage();
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
    kUp,     ///< Holds it and is not stopping.
    kRuns,   ///< RUNNING and not stopping.
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
    for (const Flag flag : {kUp, kRuns, kHealthy}) set(state, flag, !scenario_.running[*task.running].stopping);
  }

  void set(TaskState& state, Flag flag, bool holds) {
    if (state.flags[flag] == holds) return;
    state.flags[flag] = holds;
    counts_[state.age][flag] += holds ? 1 : -1;
  }

  std::int64_t count(Flag flag) const { return counts_[kOld][flag] + counts_[kNew][flag]; }

  void take(const Event& event) {
    if (event.kind == EventKind::kDeploymentStage && event.subject == deployment_) enter(event);
    if (event.kind == EventKind::kDeploymentStarted || event.kind == EventKind::kRollback) {
      if (event.subject == deployment_) start();
      return;
    }
    if (event.kind == EventKind::kDeploymentFailed && event.subject == deployment_) end_stage();
    if (timeline::is_about_task(event.kind) && tasks_[event.subject].is_of_service) take_task(event);
  }

  void start() {
    has_begun_ = true;
    now_ = own_.started_at;
    course_.terms = timeline::service_terms_at(scenario_, own_.service, own_.started_at);
    if (scenario_.workloads[own_.workload].kind == placement::WorkloadKind::kService && !own_.stages.empty())
      course_.strategy = timeline::settings_at(scenario_, own_.service, own_.started_at).name();
    const auto& workload = scenario_.workloads[own_.workload];
    if (workload.kind == placement::WorkloadKind::kDaemon) course_.terms.desired = count(kUp);
    course_.fewest_healthy = count(kHealthy);
    course_.fewest_running = count(kRuns);
    course_.most_tasks = count(kHolds);
    begin_wave();
  }

  void enter(const Event& event) {
    end_stage();
    course_.stages.push_back({.stage = static_cast<model::DeploymentStage>(event.value), .at = now_ - own_.started_at});
  }

  /// A failed deployment loses its tasks at the instant at which it fails: what it had before counts.
  void close_stage() {
    if (course_.stages.empty() || own_.state == timeline::Deployment::State::kFailed) return;
    end_stage();
    if (!own_.ended_at) course_.stages.back().ends.reset();
  }

  void end_stage() {
    if (course_.stages.empty()) return;
    auto& last = course_.stages.back();
    last.ends = now_ - own_.started_at;
    last.new_tasks = counts_[kNew][kUp];
    last.healthy = counts_[kNew][kHealthy];
    last.old_tasks = counts_[kOld][kUp];
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
    const bool was_stopped_by_ecs =
        event.stop != timeline::StopCause::kEnded && event.stop != timeline::StopCause::kInstanceGone;
    if (has_begun_ && state.age == kOld && state.flags[kUp] && was_stopped_by_ecs) ++act().stopped;
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

DeploymentCourse trace_deployment(const Scenario& scenario, const History& history, std::uint32_t deployment) {
  CourseReader reader(scenario, history, deployment);
  for (const auto& event : history.events) {
    if (!reader.follow(event)) break;
  }
  return std::move(reader).course();
}

using namespace placement;  // NOLINT: the study of placements is about nothing else
using timeline::Deployment;
using timeline::History;

namespace {

/// The scenario as one that runs: no instances are launched, and what has no count takes nothing.
Scenario over_time(const Scenario& scenario) {
  Scenario running = scenario;
  running.timetable.has_time = true;
  running.managed_providers.clear();
  for (std::uint32_t i = 0; i < running.workloads.size(); ++i) {
    if (running.workloads[i].count) continue;
    running.workloads[i].count = 0;
    std::erase_if(running.calls, [&](const Call& call) { return call.workload == i; });
  }
  return running;
}

/// What the variant's events make of the scenario, and when that has settled.
Seconds add_settling(Scenario& scenario, const Variant& variant) {
  const History before = timeline::simulate(scenario);
  const Seconds at = settled_at(before);
  if (variant.events.empty()) return at;
  auto calls = add_events(scenario, before, variant.events, at);
  Seconds settled = std::max(at, settled_at(timeline::simulate(scenario)));
  if (calls.empty()) return settled;
  for (auto& call : calls) call.start_at = settled;
  scenario.calls.insert(scenario.calls.end(), calls.begin(), calls.end());
  return std::max(settled, settled_at(timeline::simulate(scenario)));
}

/// Index into History::deployments.
std::uint32_t deployment_with(const History& history, std::uint32_t workload) {
  const auto found = std::find_if(history.deployments.begin(), history.deployments.end(),
                                  [&](const Deployment& one) { return one.workload == workload; });
  return static_cast<std::uint32_t>(found - history.deployments.begin());
}

/// The rollback of the service that begins at `at` or later; nothing when none does.
std::optional<std::uint32_t> find_rollback(const History& history, std::uint32_t service, Seconds at) {
  for (const auto& event : history.events) {
    if (event.kind != EventKind::kRollback || event.at < at) continue;
    if (history.deployments[event.subject].service == service) return event.subject;
  }
  return std::nullopt;
}

RollbackCourse read_rollback(const Scenario& scenario, const History& history, std::uint32_t rollback,
                             Seconds started_at) {
  const auto& own = history.deployments[rollback];
  RollbackCourse course;
  course.at = own.started_at - started_at;
  course.finishes = own.state == Deployment::State::kCompleted;
  course.takes = course.finishes ? *own.ended_at - own.started_at : 0;
  course.starts = std::count_if(history.tasks.begin(), history.tasks.end(), [&](const auto& task) {
    return task.deployment == rollback && task.running == timeline::kNoIndex && task.arrived_at >= own.started_at;
  });
  course.most_tasks = trace_deployment(scenario, history, rollback).most_tasks;
  return course;
}

/// Runs again, and stops the deployment in its last second: of one with stages the last before CLEAN_UP.
/// `end`: of the run, for a deployment that is stuck by then.
std::optional<RollbackCourse> try_rollback(const Scenario& scenario, const Deployment& deployment, Seconds end) {
  if (deployment.state != Deployment::State::kCompleted && !deployment.is_stuck) return std::nullopt;
  Seconds last = deployment.ended_at ? *deployment.ended_at - 1 : end;
  for (const auto& stage : deployment.stages) {
    if (stage.stage == model::DeploymentStage::kCleanUp) last = stage.at - 1;
  }
  if (last < deployment.started_at) return std::nullopt;
  Scenario stopped = scenario;
  add_event(stopped.timetable, {last, StopServiceDeployment{deployment.service}, {}});
  const History history = timeline::simulate(stopped);
  const auto rollback = find_rollback(history, deployment.service, last);
  if (!rollback) return std::nullopt;
  return read_rollback(stopped, history, *rollback, deployment.started_at);
}

std::optional<RollbackCourse> find_rollback_course(const Scenario& scenario, const History& history,
                                                   const Deployment& deployment) {
  if (scenario.workloads[deployment.workload].kind == WorkloadKind::kDaemon) return std::nullopt;
  if (deployment.state != Deployment::State::kFailed) return try_rollback(scenario, deployment, history.end);
  const auto rollback = find_rollback(history, deployment.service, *deployment.ended_at);
  if (!rollback) return std::nullopt;
  auto course = read_rollback(scenario, history, *rollback, deployment.started_at);
  course.has_happened = true;
  return course;
}

/// The deployment of the service before that one.
std::uint32_t workload_before(const History& history, std::uint32_t deployment) {
  const auto service = history.deployments[deployment].service;
  while (history.deployments[--deployment].service != service) {
  }
  return history.deployments[deployment].workload;
}

}  // namespace

std::vector<DeploymentResult> read_deployments(const Scenario& scenario, const History& history, std::size_t count) {
  std::vector<DeploymentResult> results;
  for (auto workload = scenario.workloads.size() - count; workload < scenario.workloads.size(); ++workload) {
    const auto deployment = deployment_with(history, static_cast<std::uint32_t>(workload));
    if (deployment == history.deployments.size()) continue;  // the run ended before
    results.push_back({deployment, workload_before(history, deployment),
                       trace_deployment(scenario, history, deployment),
                       find_rollback_course(scenario, history, history.deployments[deployment])});
  }
  return results;
}

bool DeployedVariant::finishes() const {
  return std::all_of(deployments.begin(), deployments.end(), [&](const DeploymentResult& one) {
    return history.deployments[one.deployment].state == Deployment::State::kCompleted;
  });
}

DeployedVariant deploy(const Scenario& scenario, const Variant& variant) {
  DeployedVariant deployed;
  Scenario running = over_time(variant.changes.empty() ? scenario : with_changes(scenario, variant.changes));
  deployed.deployed_at = add_settling(running, variant);
  add_deployments(running, variant, deployed.deployed_at);
  deployed.scenario = std::make_unique<const Scenario>(std::move(running));
  deployed.history = timeline::simulate(*deployed.scenario);
  deployed.mistakes = timeline::verify(*deployed.scenario, deployed.history);
  if (!deployed.mistakes.empty()) return deployed;
  deployed.deployments = read_deployments(*deployed.scenario, deployed.history, variant.deployments.size());
  deployed.held = find_blocked_deployments(*deployed.scenario, deployed.history, deployed.deployed_at);
  return deployed;
}

}  // namespace bayplan::study
