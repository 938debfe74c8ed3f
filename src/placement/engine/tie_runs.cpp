#include "placement/engine/tie_runs.hpp"

#include <algorithm>
#include <map>
#include <tuple>

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

class Runs {
 public:
  explicit Runs(const Scenario& scenario) {
    std::map<std::string_view, std::uint32_t> known;
    for (const auto& workload : scenario.workloads) {
      const auto [entry, is_new] = known.try_emplace(workload.name, static_cast<std::uint32_t>(names_.size()));
      if (is_new) names_.push_back({workload.name, false, {}, {}});
      name_of_.push_back(entry->second);
      is_open_.push_back(workload.kind != WorkloadKind::kDaemon && !workload.count);
      names_[entry->second].counts_fits |= is_open_.back();
    }
  }

  void add(const Outcome& outcome) {
    std::vector<std::int64_t> unplaced(names_.size());
    std::vector<std::int64_t> placed(names_.size());
    for (const auto& failure : outcome.failures) ++unplaced[name_of_[failure.attempt.workload]];
    for (const auto& placement : outcome.placements) {
      if (is_open_[placement.attempt.workload]) ++placed[name_of_[placement.attempt.workload]];
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      names_[i].unplaced.add(unplaced[i]);
      names_[i].placed.add(placed[i]);
    }
    unplaced_.add(static_cast<std::int64_t>(outcome.failures.size()));
  }

  void finish(TieRuns& runs) const {
    runs.unplaced = unplaced_.distribution();
    for (const auto& name : names_) {
      runs.names.push_back({name.name, name.unplaced.distribution(), std::nullopt});
      if (name.counts_fits) runs.names.back().fit = name.placed.distribution();
    }
  }

 private:
  std::vector<std::uint32_t> name_of_;  ///< One entry per workload.
  std::vector<bool> is_open_;           ///< One entry per workload: whether it has no count.
  std::vector<Name> names_;
  Histogram unplaced_;
};

}  // namespace

TieRuns place_in_tie_orders(Scenario scenario, std::int64_t runs,
                            const std::function<void(std::int64_t done)>& on_run) {
  TieRuns result;
  result.runs = runs;
  result.first_seed = result.worst_seed = scenario.seed;
  scenario.ties = TieOrder::kDrawn;
  Runs figures(scenario);
  std::tuple<std::size_t, std::size_t> worst;  // not placed; then fewest placed, so that less is more
  for (std::int64_t run = 0; run < runs; ++run, ++scenario.seed) {
    const Outcome outcome = place(scenario);
    figures.add(outcome);
    if (outcome.failures.empty()) ++result.placed_all;
    if (on_run) on_run(run + 1);
    const std::tuple own(outcome.failures.size(), ~outcome.placements.size());
    if (run > 0 && own <= worst) continue;
    worst = own;
    result.worst_seed = scenario.seed;
  }
  figures.finish(result);
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
