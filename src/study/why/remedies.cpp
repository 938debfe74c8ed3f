#include "study/why/remedies.hpp"

#include <algorithm>

#include "placement/engine/engine.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/verify/verify.hpp"
#include "study/why/remedy_search.hpp"

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

bool Trials::affords(const Scenario& scenario) {
  const bool is_affordable = effort_of(scenario) <= effort_;
  exhausted_ |= !is_affordable;
  return is_affordable;
}

std::optional<Trials::Placed> Trials::place_with(const Scenario& scenario, const ScenarioChange& change) {
  if (!affords(scenario)) return std::nullopt;
  effort_ -= effort_of(scenario);
  ++count_;
  std::optional<Placed> placed(Placed{with_change(scenario, change), {}});
  placed->outcome = place(placed->scenario);
  return placed;
}

namespace {

/// Instances, running tasks and attempts over all trials: about a second.
constexpr std::int64_t kEffort = 2'000'000;

bool is_subset(CheckSet failed, std::initializer_list<Check> checks) {
  const auto list = failed.list();
  return std::all_of(list.begin(), list.end(),
                     [&](Check check) { return std::find(checks.begin(), checks.end(), check) != checks.end(); });
}

/// In a snapshot the asked task's workload has another number.
ScenarioChange for_snapshot(ScenarioChange change, std::uint32_t asked) {
  const auto rename = [asked](auto& one) {
    if constexpr (requires { one.workload; }) one.workload = asked;
  };
  std::visit(rename, change);
  return change;
}

}  // namespace

RemedySearch::RemedySearch(const PlacementTrace& trace, const Snapshot& snapshot, std::int64_t effort)
    : inquiry_(trace), snapshot_(snapshot), asked_(asked_task(trace.outcome(), trace.attempt())), trials_(effort) {}

std::vector<const Rejection*> RemedySearch::failing_only(std::initializer_list<Check> checks) const {
  std::vector<const Rejection*> found;
  for (const auto& rejection : inquiry_.rejections()) {
    if (is_subset(rejection.failed, checks)) found.push_back(&rejection);
  }
  const auto last = found.begin() + static_cast<std::ptrdiff_t>(std::min(kNearest, found.size()));
  std::partial_sort(found.begin(), last, found.end(), [&](const Rejection* a, const Rejection* b) {
    const auto near_a = nearness(*a, requirement());
    const auto near_b = nearness(*b, requirement());
    if (is_nearer(near_a, near_b)) return true;
    return !is_nearer(near_b, near_a) && a->instance < b->instance;
  });
  found.erase(last, found.end());
  return found;
}

std::optional<RemedySearch::RemedyTrial> RemedySearch::try_from_start(const ScenarioChange& change) {
  auto placed = trials_.place_with(scenario(), change);
  if (!placed || placed->outcome.failures.size() >= inquiry_.outcome().failures.size()) return std::nullopt;
  const auto instance = instance_of(placed->outcome, asked_);
  if (!instance) return std::nullopt;
  return RemedyTrial{*instance, static_cast<std::int64_t>(placed->outcome.failures.size()), std::move(*placed)};
}

std::optional<std::uint32_t> RemedySearch::beside_the_others(const ScenarioChange& change) {
  const bool is_of_others =
      std::holds_alternative<ChangeStrategy>(change) || std::holds_alternative<ChangeOrder>(change);
  if (is_of_others || !is_single_attempt() || placed_before(inquiry_.outcome(), inquiry_.attempt()).empty())
    return std::nullopt;
  const auto tried = try_at_attempt(for_snapshot(change, snapshot_.asked));
  return tried ? std::optional(tried->instance) : std::nullopt;
}

bool RemedySearch::is_single_attempt() const {
  return !inquiry_.workload().all_or_nothing;
}

bool RemedySearch::would_help(const ScenarioChange& change) {
  return try_from_start(change).has_value();
}

bool RemedySearch::offer(ScenarioChange change, std::optional<MicroUsd> hourly_cost, std::int64_t holders,
                         const MayGoTo& may_go_to) {
  auto tried = try_from_start(change);
  if (!tried || (may_go_to && !may_go_to(tried->instance))) return false;
  // The others may go elsewhere, too; reported is where the task goes while those that run stay.
  if (const auto instance = beside_the_others(change)) tried->instance = *instance;
  check(tried->placed);
  found_.list.push_back({.change = std::move(change),
                         .hourly_cost = hourly_cost,
                         .instance = tried->instance,
                         .holders = holders,
                         .still_unplaced = tried->still_unplaced});
  return true;
}

std::optional<RemedySearch::RemedyTrial> RemedySearch::try_at_attempt(const ScenarioChange& change) {
  auto placed = trials_.place_with(snapshot_.scenario, change);
  if (!placed) return std::nullopt;
  const auto instance = instance_of(placed->outcome, {snapshot_.asked, 0});
  if (!instance) return std::nullopt;
  return RemedyTrial{*instance, 0, std::move(*placed)};
}

bool RemedySearch::offer_at_attempt(ScenarioChange change, std::optional<MicroUsd> hourly_cost) {
  if (!is_single_attempt()) return false;
  change = for_snapshot(std::move(change), snapshot_.asked);
  const auto tried = try_at_attempt(change);
  if (!tried) return false;
  check(tried->placed);
  found_.list.push_back(
      {.change = std::move(change), .hourly_cost = hourly_cost, .at_its_turn = true, .instance = tried->instance});
  return true;
}

void RemedySearch::check(const Trials::Placed& placed) {
  auto mistakes = verify(placed.scenario, placed.outcome);
  found_.mistakes.insert(found_.mistakes.end(), mistakes.begin(), mistakes.end());
}

bool RemedySearch::offer_either(const ScenarioChange& change, std::optional<MicroUsd> hourly_cost,
                                const std::vector<scenario::InstancesArgument>& added) {
  // Of daemons that run in a live cluster the scenario itself knows nothing.
  const bool brings_instance =
      std::holds_alternative<AddInstances>(change) || std::holds_alternative<MakeAvailable>(change);
  const auto& services = scenario().services;
  const bool has_live_daemons = std::any_of(services.begin(), services.end(), [](const RunningService& service) {
    return service.kind == WorkloadKind::kDaemon;
  });
  // An instance is added after the answer, to the cluster in its present state: one that helps only from the start is
  // no fix.
  if (std::holds_alternative<AddInstances>(change) && is_single_attempt() &&
      !try_at_attempt(for_snapshot(change, snapshot_.asked)))
    return false;
  const bool may_be_there_before = !brings_instance || !has_live_daemons;
  if (!(may_be_there_before && offer(change, hourly_cost)) && !offer_at_attempt(change, hourly_cost)) return false;
  found_.list.back().added = added;
  return true;
}

Remedies RemedySearch::finish() && {
  std::stable_sort(found_.list.begin(), found_.list.end(), [&](const Remedy& a, const Remedy& b) {
    return price_or_last(a.hourly_cost) < price_or_last(b.hourly_cost);
  });
  found_.tried = trials_.count();
  found_.exhausted = trials_.exhausted();
  return std::move(found_);
}

Remedies find_remedies(const PlacementTrace& trace, const Snapshot& snapshot, const catalog::Catalog* catalog) {
  RemedySearch search(trace, snapshot, kEffort);
  // An instance more nearly always helps: it is tried while there is effort left, and reported last.
  try_more_instances(search, catalog);
  try_availability(search);
  try_ports(search);
  try_strategies(search);
  try_request(search);
  try_moves(search);
  try_instances(search);
  try_size(search);
  return std::move(search).finish();
}

}  // namespace bayplan::study
