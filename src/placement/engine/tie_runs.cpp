#include "placement/engine/tie_runs.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/ordered_parallel_for.hpp"
#include "base/threads.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::placement {
namespace {

/// Runs that one report tries on its own, and the attempts and instances that they may cost in all.
constexpr std::int64_t kOtherOrders = 20;
constexpr std::int64_t kFewestOrders = 2;
constexpr std::size_t kMaxEffort = 1'000'000;

/// Workloads of one name: their tasks are counted together.
struct Name {
  std::string name;
  bool counts_fits = false;
  Histogram unplaced;
  Histogram placed;
};

/// The names of a scenario, and which of them each workload counts for.
struct Names {
  std::vector<Name> list;
  std::vector<std::uint32_t> of_workload;  ///< One entry per workload.
  std::vector<bool> is_open;               ///< One entry per workload: whether it has no count.
};

Names names_of(const Scenario& scenario) {
  Names names;
  std::map<std::string_view, std::uint32_t> known;
  for (const auto& workload : scenario.workloads) {
    const auto [entry, is_new] = known.try_emplace(workload.name, static_cast<std::uint32_t>(names.list.size()));
    if (is_new) names.list.push_back({workload.name, false, {}, {}});
    names.of_workload.push_back(entry->second);
    names.is_open.push_back(workload.kind != WorkloadKind::kDaemon && !workload.count);
    names.list[entry->second].counts_fits |= names.is_open.back();
  }
  return names;
}

/// How many tasks of each name one run placed and did not place.
struct RunFigures {
  std::vector<std::int64_t> unplaced;  ///< One entry per name.
  std::vector<std::int64_t> fit;       ///< One entry per name: tasks placed where no count was given.
  std::size_t failures = 0;
  std::size_t placements = 0;
};

RunFigures count_by_name(const Names& names, const Outcome& outcome) {
  RunFigures figures{std::vector<std::int64_t>(names.list.size()), std::vector<std::int64_t>(names.list.size()),
                     outcome.failures.size(), outcome.placements.size()};
  for (const auto& failure : outcome.failures) ++figures.unplaced[names.of_workload[failure.attempt.workload]];
  for (const auto& placement : outcome.placements) {
    const auto workload = placement.attempt.workload;
    if (names.is_open[workload]) ++figures.fit[names.of_workload[workload]];
  }
  return figures;
}

}  // namespace

TieRuns place_in_tie_orders(const Scenario& scenario, std::int64_t runs,
                            const std::function<void(std::int64_t done)>& on_run) {
  TieRuns result;
  result.first_seed = result.worst_seed = scenario.seed;
  Names names = names_of(scenario);
  Histogram unplaced;

  // No run knows of another, so they go side by side; their figures are counted in the order of seeds.
  const auto place_one = [&](std::size_t run) {
    Scenario drawn = scenario;
    drawn.ties = TieOrder::kDrawn;
    drawn.seed += run;
    return count_by_name(names, place(drawn));
  };
  std::tuple<std::size_t, std::size_t> worst;  // not placed; then fewest placed, so that less is more
  const auto count = [&](const RunFigures& figures) {
    for (std::size_t i = 0; i < names.list.size(); ++i) {
      names.list[i].unplaced.add(figures.unplaced[i]);
      names.list[i].placed.add(figures.fit[i]);
    }
    unplaced.add(static_cast<std::int64_t>(figures.failures));
    if (figures.failures == 0) ++result.placed_all;
    const std::tuple own(figures.failures, ~figures.placements);
    if (result.runs == 0 || own > worst) {
      worst = own;
      result.worst_seed = scenario.seed + static_cast<std::uint64_t>(result.runs);
    }
    ++result.runs;
    if (on_run) on_run(result.runs);
  };
  OrderedParallelFor<RunFigures>(static_cast<std::size_t>(runs), place_one, count).run(count_processors());

  result.unplaced = unplaced.distribution();
  for (const auto& name : names.list) {
    result.names.push_back({name.name, name.unplaced.distribution(), std::nullopt});
    if (name.counts_fits) result.names.back().fit = name.placed.distribution();
  }
  return result;
}

TieOrders one_tie_order(const Outcome& outcome) {
  return {.tried = 1, .fit = outcome.failures.empty() ? 1 : 0, .others = {}};
}

TieOrders try_tie_orders(const Scenario& scenario, const Outcome& outcome) {
  TieOrders orders = one_tie_order(outcome);
  const auto is_tied = [](const Placement& placement) { return placement.tied; };
  const auto is_drawn = [&](const Workload& workload) { return draws(workload, scenario); };
  if (std::none_of(outcome.placements.begin(), outcome.placements.end(), is_tied) &&
      std::none_of(scenario.workloads.begin(), scenario.workloads.end(), is_drawn)) {
    return orders;
  }
  const std::size_t attempts = outcome.placements.size() + outcome.failures.size() + outcome.limits.size();
  const std::size_t size = attempts + scenario.instances.size();
  const auto affordable = size > kMaxEffort ? 0 : std::max(kFewestOrders, static_cast<std::int64_t>(kMaxEffort / size));
  orders.untried = affordable < kOtherOrders;
  if (affordable == 0) return orders;
  auto runs = place_in_tie_orders(scenario, std::min(affordable, kOtherOrders));
  orders.tried += runs.runs;
  orders.fit += runs.placed_all;
  const auto own = static_cast<std::int64_t>(outcome.failures.size());
  if (runs.unplaced.min != own || runs.unplaced.max != own) orders.others = std::move(runs);
  return orders;
}

}  // namespace bayplan::placement
