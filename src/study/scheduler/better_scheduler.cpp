#include "study/scheduler/better_scheduler.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "fleet/recommended/type_pins.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/strategies.hpp"
#include "placement/verify/verify.hpp"
#include "study/scenario_change.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// Effort over all trials, in units of about 0.1 microseconds. Tasks that are not placed have fixes and tie orders
/// tried, too, so more of it is no burden.
constexpr std::int64_t kEffortToSave = 200'000;
constexpr std::int64_t kEffortToPlace = 800'000;
/// Effort of a placement by strategies, per task and instance.
constexpr std::int64_t kPlacing = 10;
/// Scores that are compared for one unit.
constexpr std::int64_t kCompared = 32;
constexpr std::size_t kMostPins = 12;  ///< Workloads that are kept on types; leaving out pins takes trials.

/// What a trial has otherwise than the scenario.
struct Setup {
  std::optional<Policy> policy;
  bool by_start_task = false;
  std::optional<Strategy> strategy;
  TaskOrder order = TaskOrder::kGiven;
  fleet::Pins pins;
};

Scenario with_setup(const Scenario& scenario, const Setup& setup) {
  Scenario other = setup.strategy ? with_change(scenario, ChangeStrategy{{}, {*setup.strategy}}) : scenario;
  other.policy = setup.policy;
  other.policy_by_start_task = setup.by_start_task;
  other.order = setup.order;
  for (const auto& [workload, constraint] : setup.pins) other.workloads[workload].constraints.push_back(constraint);
  return other;
}

/// Which instances have a task that belongs to no daemon service.
std::vector<bool> instances_in_use(const Scenario& scenario, const Outcome* outcome) {
  std::vector<bool> used(scenario.instances.size());
  for (const auto& task : scenario.running) {
    if (!task.daemon && !task.stopping) used[task.instance] = true;
  }
  if (outcome == nullptr) return used;
  for (const auto& placement : outcome->placements) {
    if (scenario.workloads[placement.attempt.workload].kind != WorkloadKind::kDaemon) used[placement.instance] = true;
  }
  return used;
}

SchedulerResult result_of(const Scenario& scenario, const Outcome& outcome) {
  SchedulerResult result{.placed = static_cast<std::int64_t>(outcome.placements.size()), .hourly_cost = 0};
  const auto used = instances_in_use(scenario, &outcome);
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    ++result.instances;
    const auto& price = scenario.profiles[scenario.instances[i].profile].hourly_price;
    if (result.hourly_cost && price) *result.hourly_cost += *price;
    if (!price) result.hourly_cost.reset();
  }
  return result;
}

struct Trial {
  Setup setup;
  Outcome outcome;
  SchedulerResult result;
};

bool has_open_end(const Scenario& scenario) {
  return std::any_of(scenario.workloads.begin(), scenario.workloads.end(), [](const Workload& workload) {
    return workload.kind != WorkloadKind::kDaemon && !workload.count;
  });
}

/// Amounts of CPU, memory and GPUs that instances have and tasks take.
using Amounts = std::array<std::int64_t, 3>;

/// Instances without tasks, of which some are needed.
struct EmptyInstance {
  std::int64_t size = 0;  ///< Of the resource in question.
  MicroUsd price = 0;
};

/// No choice of the instances that has room for `demand` has fewer of them, or costs less.
SchedulerResult fewest_for(std::vector<EmptyInstance> instances, std::int64_t demand) {
  SchedulerResult least{.hourly_cost = 0};
  std::sort(instances.begin(), instances.end(), [](const auto& a, const auto& b) { return a.size > b.size; });
  for (std::int64_t left = demand; left > 0 && least.instances < std::ssize(instances); ++least.instances)
    left -= instances[static_cast<std::size_t>(least.instances)].size;
  // Parts of instances, those first that cost the least for their size.
  std::sort(instances.begin(), instances.end(),
            [](const auto& a, const auto& b) { return a.price * b.size < b.price * a.size; });
  std::int64_t left = demand;
  for (const auto& [size, price] : instances) {
    if (left <= 0) break;
    if (size > 0) *least.hourly_cost += size <= left ? price : price * left / size;
    left -= size;
  }
  const auto cheapest = std::min_element(instances.begin(), instances.end(),
                                         [](const auto& a, const auto& b) { return a.price < b.price; });
  if (cheapest != instances.end()) least.hourly_cost = std::max(*least.hourly_cost, least.instances * cheapest->price);
  return least;
}

/// No scheduler places the tasks of `outcome` on fewer instances than this, or on cheaper ones.
SchedulerResult least_result(const Scenario& scenario, const Outcome& outcome) {
  const auto in_use = instances_in_use(scenario, nullptr);
  Amounts demand{};
  for (const auto& placement : outcome.placements) {
    const auto& workload = scenario.workloads[placement.attempt.workload];
    if (workload.kind == WorkloadKind::kDaemon) continue;
    const auto& needs = workload.requirement;
    const Amounts own{needs.cpu, needs.memory, needs.gpu_form == capacity::GpuForm::kCount ? needs.gpu_count : 0};
    for (std::size_t i = 0; i < own.size(); ++i) demand[i] += own[i];
  }
  std::array<std::vector<EmptyInstance>, 3> empty;
  SchedulerResult least{.placed = std::ssize(outcome.placements), .hourly_cost = 0};
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    const auto price = profile.hourly_price.value_or(0);
    const Amounts size{profile.cpu, profile.memory, profile.gpu_count};
    for (std::size_t k = 0; k < size.size(); ++k)
      in_use[i] ? void(demand[k] -= size[k]) : empty[k].push_back({size[k], price});
    if (!in_use[i]) continue;
    ++least.instances;
    *least.hourly_cost += price;
  }
  SchedulerResult most{.hourly_cost = 0};
  for (std::size_t k = 0; k < empty.size(); ++k) {
    const auto needed = fewest_for(std::move(empty[k]), demand[k]);
    most.instances = std::max(most.instances, needed.instances);
    most.hourly_cost = std::max(*most.hourly_cost, *needed.hourly_cost);
  }
  least.instances += most.instances;
  *least.hourly_cost += *most.hourly_cost;
  return least;
}

/// Tries while the effort lasts. A policy computes a score for each instance and workload, and compares all scores for
/// each task; strategies have indices.
class SchedulerTrials {
 public:
  SchedulerTrials(const Scenario& scenario, std::int64_t attempts, std::int64_t effort)
      : scenario_(scenario), effort_(effort) {
    const auto instances = std::ssize(scenario.instances);
    placing_ = kPlacing * (attempts + instances);
    scoring_ = placing_ + instances * std::ssize(scenario.workloads) + attempts * instances / kCompared;
  }

  /// Whether every policy can be tried once.
  bool can_try_policies() const { return effort_ >= scoring_ * std::ssize(policies()); }

  /// Nothing when the effort does not allow it.
  std::optional<Trial> run(Setup setup) {
    const auto effort = setup.policy ? scoring_ : placing_;
    if (effort > effort_) return std::nullopt;
    effort_ -= effort;
    const auto other = with_setup(scenario_, setup);
    auto outcome = place(other);
    const auto result = result_of(other, outcome);
    return Trial{std::move(setup), std::move(outcome), result};
  }

 private:
  const Scenario& scenario_;
  std::int64_t effort_;
  std::int64_t placing_ = 0;  ///< Effort of a trial by strategies.
  std::int64_t scoring_ = 0;  ///< Effort of a trial by a policy.
};

/// What is looked for: nothing is better than this.
struct Aim {
  bool saves_instances = false;  ///< Every task is placed.
  SchedulerResult best;          ///< Every task, on the fewest and the cheapest instances that are possible.

  /// Fewer instances count only where every task is placed: the others need instances, too.
  bool is_gain(const SchedulerResult& a, const SchedulerResult& b) const {
    return saves_instances ? is_better(a, b) : a.placed > b.placed;
  }
  bool is_reached_by(const SchedulerResult& result) const {
    return result.placed >= best.placed && (!saves_instances || !is_better(best, result));
  }
};

Aim aim_of(const Scenario& scenario, const Outcome& outcome) {
  Aim aim;
  aim.saves_instances = outcome.failures.empty() && !has_open_end(scenario);
  aim.best.placed =
      has_open_end(scenario) ? kMaxThatFit : std::ssize(outcome.placements) + std::ssize(outcome.failures);
  if (aim.saves_instances) aim.best = least_result(scenario, outcome);
  return aim;
}

void keep_better(std::optional<Trial> trial, std::optional<Trial>& best) {
  if (trial && (!best || is_better(trial->result, best->result))) best = std::move(trial);
}

/// The best that ECS does with one strategy for all and another order, if it is better than as written.
std::optional<Trial> try_strategies(SchedulerTrials& trials, const Scenario& scenario, const Aim& aim) {
  const bool has_calls = scenario.order == TaskOrder::kGiven &&
                         std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                     [](const Workload& one) { return one.kind == WorkloadKind::kTasks; });
  std::optional<Trial> best;
  constexpr std::array<std::pair<StrategyType, std::string_view>, 3> kStrategies{
      {{StrategyType::kBinpack, "memory"}, {StrategyType::kBinpack, "cpu"}, {StrategyType::kSpread, "instanceId"}}};
  std::vector<std::optional<Strategy>> tried{std::nullopt};
  for (const auto& [type, field] : kStrategies) tried.emplace_back(Strategy{type, std::string(field)});
  for (const auto& strategy : tried) {
    for (const auto order : {scenario.order, TaskOrder::kLargestFirst}) {
      const bool is_as_written = !strategy && order == scenario.order;
      const bool is_again = order != scenario.order && !has_calls;
      if (is_as_written || is_again) continue;
      keep_better(trials.run({.strategy = strategy, .order = order, .pins = {}}), best);
      if (best && aim.is_reached_by(best->result)) return best;
    }
  }
  return best;
}

std::optional<Trial> try_policies(SchedulerTrials& trials, const Scenario& scenario, const Aim& aim,
                                  bool by_start_task) {
  std::optional<Trial> best;
  for (const auto& entry : policies()) {
    if (entry.policy == Policy::kRandom) continue;
    keep_better(
        trials.run({.policy = entry.policy, .by_start_task = by_start_task, .order = scenario.order, .pins = {}}),
        best);
    if (best && aim.is_reached_by(best->result)) break;
  }
  return best;
}

/// Constraints that keep each workload on the instance types on which the policy has its tasks.
fleet::Pins pins_of(const Scenario& scenario, const Outcome& outcome) {
  std::set<std::string> cluster;
  for (const auto& instance : scenario.instances) cluster.insert(scenario.profiles[instance.profile].instance_type);
  std::map<std::uint32_t, std::set<std::string>> types;
  for (const auto& placement : outcome.placements) {
    if (scenario.workloads[placement.attempt.workload].kind == WorkloadKind::kDaemon) continue;
    const auto& instance = scenario.instances[placement.instance];
    types[placement.attempt.workload].insert(scenario.profiles[instance.profile].instance_type);
  }
  fleet::Pins pins;
  for (const auto& [workload, own] : types) {
    if (own.size() < cluster.size() && !cluster.contains(""))
      pins.emplace_back(workload, fleet::pin_to({own.begin(), own.end()}, {cluster.begin(), cluster.end()}));
  }
  return pins;
}

/// The fewest constraints, with the strategies as written or those of `strategies`, that are better than `bar`.
std::optional<Trial> try_constraints(SchedulerTrials& trials, const Scenario& scenario, const Aim& aim,
                                     const fleet::Pins& pins, const std::optional<Trial>& strategies,
                                     const SchedulerResult& bar) {
  if (pins.empty() || pins.size() > kMostPins) return std::nullopt;
  std::vector<Setup> setups{{.order = scenario.order, .pins = pins}};
  if (strategies) {
    setups.push_back(strategies->setup);
    setups.back().pins = pins;
  }
  std::optional<Trial> best;
  for (const auto& setup : setups) keep_better(trials.run(setup), best);
  if (!best || !aim.is_gain(best->result, bar)) return std::nullopt;
  const auto target = best->result;
  const auto suffices = [&](const fleet::Pins& fewer) {
    auto setup = best->setup;
    setup.pins = fewer;
    auto trial = trials.run(setup);
    if (!trial || aim.is_gain(target, trial->result)) return false;
    best = std::move(trial);
    return true;
  };
  fleet::needed_pins(pins, suffices);
  return best;
}

std::vector<StartedTasks> started_tasks(const Scenario& scenario, const Outcome& outcome) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> counts;
  for (const auto& placement : outcome.placements) {
    if (is_startable(scenario.workloads[placement.attempt.workload]))
      ++counts[{placement.attempt.workload, placement.instance}];
  }
  std::vector<StartedTasks> started;
  for (const auto& [where, count] : counts) started.push_back({where.first, where.second, count});
  return started;
}

SchedulerWay way_of(const Scenario& scenario, const Trial& trial) {
  SchedulerWay way{.strategy = trial.setup.strategy,
                   .order = trial.setup.order,
                   .constraints = trial.setup.pins,
                   .start_task = trial.setup.policy,
                   .started = {},
                   .result = trial.result};
  if (way.start_task) way.started = started_tasks(scenario, trial.outcome);
  return way;
}

/// Looks for what ECS can do of what is found.
void add_ways(SchedulerTrials& trials, const Scenario& scenario, const Aim& aim, const std::optional<Trial>& strategies,
              const std::optional<Trial>& policy, BetterScheduler& found) {
  auto bar = found.as_written;
  const auto add = [&](const std::optional<Trial>& trial) {
    if (!trial || !aim.is_gain(trial->result, bar)) return;
    bar = trial->result;
    found.ways.push_back(way_of(scenario, *trial));
    for (auto& mistake : verify(with_setup(scenario, trial->setup), trial->outcome))
      found.mistakes.push_back(std::move(mistake));
  };
  const auto is_reached = [&] { return !aim.is_gain(found.result, bar); };
  add(strategies);
  if (!is_reached()) add(try_constraints(trials, scenario, aim, pins_of(scenario, policy->outcome), strategies, bar));
  if (is_reached()) return;
  const auto can_start = [](const Workload& one) { return is_startable(one); };
  const auto can_do_all = [](const Workload& one) { return is_startable(one) || one.kind == WorkloadKind::kDaemon; };
  if (std::all_of(scenario.workloads.begin(), scenario.workloads.end(), can_do_all)) {
    add(policy);
  } else if (std::any_of(scenario.workloads.begin(), scenario.workloads.end(), can_start)) {
    add(try_policies(trials, scenario, aim, true));
  }
}

}  // namespace

bool is_better(const SchedulerResult& a, const SchedulerResult& b) {
  if (a.placed != b.placed) return a.placed > b.placed;
  return a.hourly_cost && b.hourly_cost ? *a.hourly_cost < *b.hourly_cost : a.instances < b.instances;
}

SchedulerStudy find_better_scheduler(const Scenario& scenario, const Outcome& outcome) {
  SchedulerStudy study;
  if (scenario.policy || scenario.instances.empty()) return study;
  const auto aim = aim_of(scenario, outcome);
  const auto as_written = result_of(scenario, outcome);
  if (aim.is_reached_by(as_written)) return study;
  SchedulerTrials trials(scenario, std::ssize(outcome.placements) + std::ssize(outcome.failures),
                         aim.saves_instances ? kEffortToSave : kEffortToPlace);
  study.is_too_large = !trials.can_try_policies();
  if (study.is_too_large) return study;
  const auto strategies = try_strategies(trials, scenario, aim);
  const auto& best_of_ecs = strategies && aim.is_gain(strategies->result, as_written) ? strategies->result : as_written;
  if (aim.is_reached_by(best_of_ecs)) return study;
  const auto policy = try_policies(trials, scenario, aim, false);
  const bool has_policy = policy && aim.is_gain(policy->result, best_of_ecs);
  if (!has_policy && (aim.saves_instances || best_of_ecs == as_written)) return study;
  BetterScheduler found{.policy = {}, .result = best_of_ecs, .as_written = as_written, .ways = {}, .mistakes = {}};
  if (has_policy) {
    found.policy = policy->setup.policy;
    found.result = policy->result;
    found.mistakes = verify(with_setup(scenario, policy->setup), policy->outcome);
  }
  add_ways(trials, scenario, aim, strategies, policy, found);
  study.found = std::move(found);
  return study;
}

}  // namespace bayplan::study
