#include "timeline/unfinished.hpp"

#include <algorithm>

namespace bayplan::timeline {

void find_unfinished(const placement::Scenario& scenario, const History& history, Figures& figures) {
  using State = Deployment::State;
  const auto& deployments = history.deployments;
  std::vector<bool> is_rollback(deployments.size());
  for (const auto& event : history.events) {
    if (event.kind == EventKind::kRollback) is_rollback[event.subject] = true;
  }
  std::vector<std::uint32_t> newest(scenario.timetable.services.size(), kNoIndex);
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    if (!is_rollback[i] || deployments[i].is_stuck) newest[deployments[i].service] = i;
  }
  auto& unfinished = figures.unfinished;
  for (const auto index : newest) {
    if (index == kNoIndex) continue;
    const State state = deployments[index].state;
    if (state == State::kFailed || state == State::kInProgress) unfinished.push_back(index);
  }
  std::stable_partition(unfinished.begin(), unfinished.end(), [&](auto index) { return deployments[index].is_stuck; });
}

}  // namespace bayplan::timeline
