#include "report/timeline/timeline_report.hpp"

#include <algorithm>

#include "report/place/place_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::Scenario;

TimelineReport::TimelineReport(const Scenario& scenario, const History& history, std::optional<ContinuedFrom> continued,
                               std::vector<study::BlockedDeployment> held)
    : scenario_(scenario),
      history_(history),
      continued_(std::move(continued)),
      held_(std::move(held)),
      figures_(timeline::figures(scenario, history)),
      everything_(with_all_instances(scenario, history)),
      final_(final_state(scenario, history)),
      cluster_(make_cluster(final_, scenario)) {
  collect_failures();
  count();
}

namespace {

/// Deployments of one service say the same of it.
std::vector<placement::ClusterFinding> once_each(std::vector<placement::ClusterFinding> findings) {
  std::vector<placement::ClusterFinding> reported;
  for (auto& finding : findings) {
    const bool is_reported = std::any_of(reported.begin(), reported.end(), [&](const auto& other) {
      return other.id == finding.id && other.subject == finding.subject && other.text == finding.text;
    });
    if (!is_reported) reported.push_back(std::move(finding));
  }
  return reported;
}

}  // namespace

PlaceReport TimelineReport::make_cluster(const FinalState& end, const Scenario& scenario) {
  return {end.scenario,
          end.outcome,
          placement::summarize(end.scenario, end.outcome),
          placement::free_gpus(end.scenario, end.outcome),
          placement::gpu_room(end.scenario, end.outcome),
          once_each(placement::cluster_findings(end.scenario, end.outcome)),
          {},
          scenario.assumptions,
          {},
          {}};
}

const placement::Failure* TimelineReport::why(const Task& task) const {
  if (task.failure == kNoIndex) return nullptr;
  const auto& failure = history_.failures[*task.failure];
  return failure.same_as ? &history_.failures[*failure.same_as] : &failure;
}

const std::string& TimelineReport::why_words(const placement::Failure& failure) const {
  const std::lock_guard lock(why_words_lock_);
  const auto [entry, is_new] = why_words_.try_emplace(&failure);
  if (is_new) entry->second = why_not(everything_, failure);
  return entry->second;
}

/// Collects the failures, one entry per task.
void TimelineReport::collect_failures() {
  using State = TaskWithoutPlace::State;
  auto waiting = figures_.waiting.begin();
  for (std::uint32_t i = 0; i < history_.tasks.size(); ++i) {
    const Task& task = history_.tasks[i];
    if (task.failed) {
      without_place_.push_back({i, task.stopped_at.value_or(task.arrived_at), State::kFailed, why(task)});
    } else if (waiting != figures_.waiting.end() && waiting->task == i) {
      const State state = waiting->is_provisioning ? State::kProvisioning : State::kWaiting;
      without_place_.push_back({i, waiting->since, state, why(task)});
    }
    if (waiting != figures_.waiting.end() && waiting->task == i) ++waiting;
  }
}

/// The summary counts the tasks of the whole run.
void TimelineReport::count() {
  auto& summary = cluster_.summary;
  const auto& tasks = history_.tasks;
  const auto is_own = [](const Task& task) { return task.running == kNoIndex; };
  summary.placed =
      std::count_if(tasks.begin(), tasks.end(), [&](const Task& task) { return is_own(task) && task.placed_at; });
  summary.ties = std::count_if(tasks.begin(), tasks.end(),
                               [&](const Task& task) { return is_own(task) && task.placed_at && task.tied; });
  summary.provisioning = std::count_if(without_place_.begin(), without_place_.end(), [](const auto& one) {
    return one.state == TaskWithoutPlace::State::kProvisioning;
  });
  for (const auto& task : tasks) {
    has_daemons_ = has_daemons_ || is_daemon(scenario_, task);
    if (task.placed_at && task.stop == StopCause::kJobFailed) ++failed_with_job_;
  }
  summary.unplaced = static_cast<std::int64_t>(without_place_.size()) - summary.provisioning;
  if (figures_.cost.unpriced == 0) cluster_.total_cost = figures_.cost.total;
}

const study::BlockedDeployment* TimelineReport::held(std::uint32_t deployment) const {
  const auto found = std::find_if(held_.begin(), held_.end(),
                                  [&](const study::BlockedDeployment& held) { return held.deployment == deployment; });
  return found == held_.end() ? nullptr : &*found;
}

bool TimelineReport::has_failures() const {
  return !without_place_.empty() || !unfinished().empty() || !figures_.interrupted_tasks.empty() ||
         !figures_.held_drains.empty();
}

}  // namespace bayplan::report
