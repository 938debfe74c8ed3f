#include "study/why/why.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "placement/engine/strategy_key.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using AttributeValue = std::optional<std::string_view>;

const InstanceState& state(const PlacementTrace& trace, std::uint32_t instance) {
  return trace.standing().states[instance];
}

AttributeValue value_on(const PlacementTrace& trace, std::uint32_t instance, std::string_view attribute) {
  const auto& attributes = trace.profile_of(instance).attributes;
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? AttributeValue() : AttributeValue(found->second);
}

template <class Key>
void keep(Narrowing& narrowing, std::vector<std::uint32_t>& candidates, Key key) {
  keep_smallest(candidates, key);
  narrowing.best = key(candidates.front());
}

void spread_over_values(const PlacementTrace& trace, std::uint32_t group, Narrowing& narrowing,
                        std::vector<std::uint32_t>& candidates) {
  const auto attribute = narrowing.strategy.attribute();
  std::map<AttributeValue, std::int64_t> tasks;
  for (std::uint32_t i = 0; i < trace.scenario().instances.size(); ++i)
    tasks[value_on(trace, i, attribute)] += state(trace, i).tasks_of(group);
  keep(narrowing, candidates, [&](std::uint32_t i) { return tasks.at(value_on(trace, i, attribute)); });
  std::set<std::string> values;
  for (const auto instance : candidates) values.emplace(value_on(trace, instance, attribute).value_or(""));
  for (const auto& value : values) {
    if (narrowing.values.size() < kNarrowingValues) narrowing.values.push_back(value);
  }
}

void narrow(const PlacementTrace& trace, std::uint32_t group, std::uint32_t chosen, Narrowing& narrowing,
            std::vector<std::uint32_t>& candidates) {
  const auto& strategy = narrowing.strategy;
  if (strategy.type == StrategyType::kRandom) {
    const bool is_there = std::find(candidates.begin(), candidates.end(), chosen) != candidates.end();
    candidates.assign(is_there ? 1 : 0, chosen);
  } else if (!strategy.attribute().empty()) {
    spread_over_values(trace, group, narrowing, candidates);
  } else {
    keep(narrowing, candidates, [&](std::uint32_t i) { return strategy_key(strategy, state(trace, i), group); });
  }
}

}  // namespace

Ranking rank_candidates(const PlacementTrace& trace, std::uint32_t chosen) {
  const std::uint32_t group = trace.standing().group_of[trace.attempt().workload];
  Ranking ranking;
  ranking.best = trace.funnel().candidates;
  for (const auto& strategy : effective_strategies(trace.workload(), trace.scenario().ties)) {
    if (ranking.best.size() < 2) break;
    Narrowing narrowing{strategy, static_cast<std::int64_t>(ranking.best.size()), 0, {}, {}};
    narrow(trace, group, chosen, narrowing, ranking.best);
    narrowing.after = static_cast<std::int64_t>(ranking.best.size());
    ranking.narrowings.push_back(std::move(narrowing));
  }
  return ranking;
}

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

template <class Turned>
const Turned* find_turn(const std::vector<Turned>& list, std::int64_t step) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Turned& one) { return one.attempt.step == step; });
  return found == list.end() ? nullptr : &*found;
}

void explain_placement(const Placement& placement, Why& why) {
  why.instance = placement.instance;
  why.ranking = rank_candidates(*why.trace, placement.instance);
  const auto& best = why.ranking.best;
  if (best.empty() || best.front() != placement.instance)
    why.mistakes.push_back("the strategies, checked again, choose another instance");
  if ((best.size() > 1) != placement.tied) why.mistakes.push_back("the candidates left do not agree with `tied`");
}

/// A service of a live cluster that nothing describes may have constraints of its own.
void assume_constraints(Why& why) {
  for (const auto& remedy : why.remedies.list) {
    const auto* move = std::get_if<MoveTask>(&remedy.change);
    if (move == nullptr || why.snapshot.placed_by[move->task]) continue;
    const auto& task = why.snapshot.scenario.running[move->task];
    const auto is_of = [&](const auto& service) { return "service:" + service.name == task.group; };
    const auto& scenario = why.trace->scenario();
    const bool is_described = std::any_of(scenario.services.begin(), scenario.services.end(), is_of) ||
                              std::any_of(scenario.workloads.begin(), scenario.workloads.end(), is_of);
    if (is_described || !task.group.starts_with("service:")) continue;
    why.assumptions.push_back({"service-constraints-unknown", task.group.substr(task.group.find(':') + 1),
                               "not described: its tasks are assumed to go wherever their definition may"});
  }
}

const capacity::TaskRequirement* requirement_of(const Snapshot& snapshot, std::uint32_t running,
                                                const Scenario& scenario) {
  if (snapshot.placed_by[running]) return &scenario.workloads[*snapshot.placed_by[running]].requirement;
  const auto& name = snapshot.scenario.running[running].task_definition;
  for (const auto& definition : scenario.task_definitions) {
    if (definition.name == name) return &definition.requirement;
  }
  return nullptr;
}

/// The placement with every estimated memory size at its minimum, if tasks of the workload that are placed are not
/// placed then; else empty.
MemoryUncertainty uncertainty_of(const Scenario& scenario, const Outcome& outcome, std::uint32_t workload) {
  if (!rests_on_estimated_memory(scenario, outcome)) return {};
  const auto& name = scenario.workloads[workload].name;
  auto doubt = memory_uncertainty(scenario, /*orders=*/1);
  const auto failing = std::count_if(outcome.failures.begin(), outcome.failures.end(), [&](const auto& failure) {
    return scenario.workloads[failure.attempt.workload].name == name;
  });
  std::erase_if(doubt.without_place, [&](const UncertainTasks& tasks) { return tasks.name != name; });
  for (auto& tasks : doubt.without_place) tasks.count -= failing;
  return doubt.tasks() > 0 ? doubt : MemoryUncertainty();
}

}  // namespace

std::optional<PlacementAttempt> attempt_to_explain(const Outcome& outcome, std::uint32_t workload) {
  for (const auto& failure : outcome.failures) {
    if (failure.attempt.workload == workload) return failure.attempt;
  }
  for (const auto& placement : outcome.placements) {
    if (placement.attempt.workload == workload) return placement.attempt;
  }
  return std::nullopt;
}

Why ask_why(const Scenario& scenario, const Outcome& outcome, const PlacementAttempt& attempt,
            const catalog::Catalog* catalog) {
  Why why;
  why.trace = std::make_unique<PlacementTrace>(scenario, outcome, attempt);
  why.snapshot = snapshot_before(scenario, outcome, attempt);
  const bool has_candidates = !why.trace->funnel().candidates.empty();
  if (const auto* placement = find_turn(outcome.placements, attempt.step)) {
    explain_placement(*placement, why);
    why.memory_uncertainty = uncertainty_of(scenario, outcome, attempt.workload);
    return why;
  }
  const auto* failure = find_turn(outcome.failures, attempt.step);
  if (failure != nullptr) why.failure = &explained(outcome, *failure);
  if (has_candidates || failure == nullptr)
    why.mistakes.push_back("a task that was not placed has a candidate, looked at again");
  why.remedies = find_remedies(*why.trace, why.snapshot, catalog);
  why.withdrawn = std::move(why.remedies.mistakes);
  if (!why.withdrawn.empty()) why.remedies.list.clear();
  assume_constraints(why);
  return why;
}

std::string port_holder(const Why& why, std::uint32_t instance, std::uint16_t port, bool is_udp) {
  const auto& scenario = why.snapshot.scenario;
  const auto tasks = scenario.running_on(instance);
  for (const auto& task : tasks) {
    const auto running = static_cast<std::uint32_t>(&task - scenario.running.data());
    const auto* taken = requirement_of(why.snapshot, running, why.trace->scenario());
    if (taken == nullptr) continue;
    const auto& ports = is_udp ? taken->udp_ports : taken->tcp_ports;
    if (std::binary_search(ports.begin(), ports.end(), port)) return task.id;
  }
  return {};
}

}  // namespace bayplan::study
