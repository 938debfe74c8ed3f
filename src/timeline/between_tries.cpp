#include "timeline/between_tries.hpp"

#include <algorithm>

#include "timeline/service_terms.hpp"

namespace bayplan::timeline {
namespace {

using placement::Scenario;

/// Has a place, or asks for one.
bool is_there(const Task& task) {
  return !task.stopped_at && !task.failed && task.stop == StopCause::kNone;
}

/// Tasks by service that lack to desiredCount; of a daemon service none.
std::vector<std::int64_t> lacking_tasks(const Scenario& scenario, const History& history) {
  const auto services = static_cast<std::uint32_t>(scenario.timetable.services.size());
  std::vector<std::int64_t> lacking(services);
  for (std::uint32_t i = 0; i < services; ++i) lacking[i] = terms_of(scenario, i, history.end).desired;
  for (const auto& task : history.tasks) {
    const auto service = service_of(scenario, history, task);
    if (service && is_there(task)) --lacking[*service];
  }
  return lacking;
}

}  // namespace

void find_tasks_between_tries(const Scenario& scenario, const History& history, Figures& figures) {
  const auto timed_out = [&](const Task& task) {
    if (task.stop != StopCause::kProvisioningTimeout || task.deployment == kNoIndex) return false;
    const auto state = history.deployments[task.deployment].state;  // a failed one is given up, for good
    return state == Deployment::State::kInProgress || state == Deployment::State::kCompleted;
  };
  if (std::none_of(history.tasks.begin(), history.tasks.end(), timed_out)) return;
  auto lacking = lacking_tasks(scenario, history);
  for (auto i = static_cast<std::uint32_t>(history.tasks.size()); i-- > 0;) {
    const Task& task = history.tasks[i];
    if (!timed_out(task) || lacking[history.deployments[task.deployment].service]-- <= 0) continue;
    figures.waiting.push_back({i, *task.stopped_at, false});
  }
  std::sort(figures.waiting.begin(), figures.waiting.end(),
            [](const WaitingTask& a, const WaitingTask& b) { return a.task < b.task; });
}

}  // namespace bayplan::timeline
