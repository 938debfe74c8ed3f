#include "study/why/trial.hpp"

#include <algorithm>

#include "placement/engine/engine.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// Tasks of the workload that were attempted before `step`.
std::int64_t position_at(const Outcome& outcome, std::uint32_t workload, std::int64_t step) {
  const auto is_earlier = [&](const auto& turned) {
    return turned.attempt.workload == workload && turned.attempt.step < step;
  };
  return std::count_if(outcome.placements.begin(), outcome.placements.end(), is_earlier) +
         std::count_if(outcome.failures.begin(), outcome.failures.end(), is_earlier);
}

std::int64_t effort_of(const Scenario& scenario) {
  auto effort = static_cast<std::int64_t>(scenario.instances.size() + scenario.running.size());
  for (const auto& workload : scenario.workloads) {
    const bool is_daemon = workload.kind == WorkloadKind::kDaemon;
    effort += is_daemon ? static_cast<std::int64_t>(scenario.instances.size()) : workload.count.value_or(0);
  }
  return effort;
}

}  // namespace

AskedTask asked_task(const Outcome& outcome, const PlacementAttempt& attempt) {
  return {attempt.workload, position_at(outcome, attempt.workload, attempt.step)};
}

std::optional<std::uint32_t> instance_of(const Outcome& outcome, const AskedTask& task) {
  auto failure = outcome.failures.begin();
  std::int64_t position = 0;
  for (const auto& placement : outcome.placements) {
    if (placement.attempt.workload != task.workload) continue;
    for (; failure != outcome.failures.end() && failure->attempt.step < placement.attempt.step; ++failure)
      position += failure->attempt.workload == task.workload ? 1 : 0;
    if (position == task.position) return placement.instance;
    if (position++ > task.position) break;
  }
  return std::nullopt;
}

std::optional<Trials::Placed> Trials::place_with(const Scenario& scenario, const ScenarioChange& change) {
  const std::int64_t effort = effort_of(scenario);
  if (effort > effort_) {
    exhausted_ = true;
    return std::nullopt;
  }
  effort_ -= effort;
  ++count_;
  std::optional<Placed> placed(Placed{with_change(scenario, change), {}});
  placed->outcome = place(placed->scenario);
  return placed;
}

}  // namespace bayplan::study
