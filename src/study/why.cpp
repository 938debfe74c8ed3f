#include "study/why.hpp"

#include <algorithm>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

template <class Turned>
const Turned* find_turn(const std::vector<Turned>& list, std::int64_t step) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Turned& one) { return one.turn.step == step; });
  return found == list.end() ? nullptr : &*found;
}

void explain_placement(const Placement& placement, Why& why) {
  why.instance = placement.instance;
  why.ranking = rank_candidates(*why.inquiry, placement.instance);
  const auto& best = why.ranking.best;
  if (best.empty() || best.front() != placement.instance)
    why.mistakes.push_back("the strategies, looked at again, choose another instance");
  if ((best.size() > 1) != placement.tied) why.mistakes.push_back("the candidates left do not agree with `tied`");
}

/// A service of a live cluster that nothing describes may have constraints of its own.
void assume_constraints(Why& why) {
  for (const auto& remedy : why.remedies.list) {
    const auto* move = std::get_if<MoveTask>(&remedy.change);
    if (move == nullptr || why.snapshot.placed_by[move->task]) continue;
    const auto& task = why.snapshot.scenario.running[move->task];
    const auto is_of = [&](const auto& service) { return "service:" + service.name == task.group; };
    const auto& scenario = why.inquiry->scenario();
    const bool is_described = std::any_of(scenario.services.begin(), scenario.services.end(), is_of) ||
                              std::any_of(scenario.workloads.begin(), scenario.workloads.end(), is_of);
    if (is_described || !task.group.starts_with("service:")) continue;
    why.assumptions.push_back({"service-constraints-unknown", task.group.substr(task.group.find(':') + 1),
                               "not described: its tasks are taken to go wherever their definition may"});
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

}  // namespace

std::optional<Turn> turn_to_explain(const Outcome& outcome, std::uint32_t workload) {
  for (const auto& failure : outcome.failures) {
    if (failure.turn.workload == workload) return failure.turn;
  }
  for (const auto& placement : outcome.placements) {
    if (placement.turn.workload == workload) return placement.turn;
  }
  return std::nullopt;
}

Why ask_why(const Scenario& scenario, const Outcome& outcome, const Turn& turn, const catalog::Catalog* catalog) {
  Why why;
  why.inquiry = std::make_unique<Inquiry>(scenario, outcome, turn);
  why.snapshot = snapshot_before(scenario, outcome, turn);
  const bool has_candidates = !why.inquiry->funnel().candidates.empty();
  if (const auto* placement = find_turn(outcome.placements, turn.step)) {
    explain_placement(*placement, why);
    return why;
  }
  const auto* failure = find_turn(outcome.failures, turn.step);
  if (failure != nullptr) why.failure = &explained(outcome, *failure);
  if (has_candidates || failure == nullptr)
    why.mistakes.push_back("a task that was not placed has a candidate, looked at again");
  why.remedies = find_remedies(*why.inquiry, why.snapshot, catalog);
  why.mistakes.insert(why.mistakes.end(), why.remedies.mistakes.begin(), why.remedies.mistakes.end());
  assume_constraints(why);
  return why;
}

std::string port_holder(const Why& why, std::uint32_t instance, std::uint16_t port, bool is_udp) {
  const auto& scenario = why.snapshot.scenario;
  const auto tasks = scenario.running_on(instance);
  for (const auto& task : tasks) {
    const auto running = static_cast<std::uint32_t>(&task - scenario.running.data());
    const auto* taken = requirement_of(why.snapshot, running, why.inquiry->scenario());
    if (taken == nullptr) continue;
    const auto& ports = is_udp ? taken->udp_ports : taken->tcp_ports;
    if (std::binary_search(ports.begin(), ports.end(), port)) return task.id;
  }
  return {};
}

}  // namespace bayplan::study
