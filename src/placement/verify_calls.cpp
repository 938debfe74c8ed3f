#include "placement/verify_calls.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace bayplan::placement {
namespace {

/// Tasks of each call of the workload, in the order of their turns.
std::vector<std::ptrdiff_t> call_sizes(const Scenario& scenario, std::uint32_t workload, std::size_t tasks) {
  std::vector<std::ptrdiff_t> sizes;
  for (const auto& call : scenario.calls) {
    if (call.workload == workload) sizes.push_back(call.count);
  }
  if (sizes.empty()) sizes.push_back(static_cast<std::ptrdiff_t>(tasks));
  return sizes;
}

/// By step, whether the task was placed.
using Turns = std::map<std::int64_t, bool>;

bool is_whole(const Scenario& scenario, std::uint32_t workload, const Turns& turns) {
  std::vector<char> placed;
  for (const auto& [step, is_placed] : turns) placed.push_back(is_placed);
  auto task = placed.begin();
  for (const std::ptrdiff_t size : call_sizes(scenario, workload, placed.size())) {
    const auto end = task + std::min(size, placed.end() - task);
    if (std::adjacent_find(task, end, std::not_equal_to<>()) != end) return false;
    task = end;
  }
  return true;
}

/// A workload without a count ends with the one task that has no place.
void check_limits(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& mistakes) {
  struct End {
    std::int64_t limits = 0;
    std::int64_t step = -1;
    std::int64_t tasks = 0;
    std::int64_t last_task = -1;
  };
  std::vector<End> ends(scenario.workloads.size());
  for (const auto& limit : outcome.limits) {
    ++ends[limit.turn.workload].limits;
    ends[limit.turn.workload].step = limit.turn.step;
  }
  const auto note = [&](const Turn& turn) {
    ++ends[turn.workload].tasks;
    ends[turn.workload].last_task = turn.step;
  };
  for (const auto& placement : outcome.placements) note(placement.turn);
  for (const auto& failure : outcome.failures) note(failure.turn);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    const bool has_limit = workload.kind != WorkloadKind::kDaemon && !workload.count && ends[i].tasks < kMostThatFit;
    if (ends[i].limits != (has_limit ? 1 : 0)) mistakes.push_back(workload.name + " has a wrong number of limits");
    if (has_limit && ends[i].last_task > ends[i].step) mistakes.push_back(workload.name + " goes on after its limit");
  }
}

}  // namespace

std::vector<std::string> mistakes_in_calls(const Scenario& scenario, const Outcome& outcome) {
  std::map<std::uint32_t, Turns> wholes;
  const auto note = [&](const Turn& turn, bool is_placed) {
    if (scenario.workloads[turn.workload].all_or_nothing) wholes[turn.workload][turn.step] = is_placed;
  };
  for (const auto& placement : outcome.placements) note(placement.turn, true);
  for (const auto& failure : outcome.failures) note(failure.turn, false);
  std::vector<std::string> mistakes;
  for (const auto& [workload, turns] : wholes) {
    if (is_whole(scenario, workload, turns)) continue;
    mistakes.push_back(scenario.workloads[workload].name + " is placed in part, against all or nothing");
  }
  check_limits(scenario, outcome, mistakes);
  return mistakes;
}

}  // namespace bayplan::placement
