#include "study/fleet/spot_share.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "packing/solve.hpp"
#include "packing/undominated_types.hpp"
#include "packing/volume_bound.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "study/fleet/filled_fleet.hpp"
#include "study/payment/load_curve.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Offer;
using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

constexpr std::int64_t kTypeEffort = 2'000'000;       ///< Of the packing of one share on one type.
constexpr std::int64_t kPoolEffort = 10'000'000;      ///< Of the plan of one pool, at most.
constexpr std::int64_t kMostTasksWithLoss = 200'000;  ///< Tasks whose loss is simulated, all pools together.
constexpr const char* kOnDemandProvider = "on-demand";

bool is_dealt(const Workload& workload) {
  return workload.kind != WorkloadKind::kDaemon;
}

/// The Spot tasks of each workload; 0 of daemons.
std::vector<std::int64_t> spot_counts(const Scenario& scenario, Percent percent) {
  std::vector<std::int64_t> counts;
  for (const auto& workload : scenario.workloads)
    counts.push_back(is_dealt(workload) ? workload.count.value_or(0) * percent.hundredths / kHundredPercent.hundredths
                                        : 0);
  return counts;
}

/// The tasks as capacity providers of equal weights get them: the first pools take what does not divide.
std::vector<std::vector<std::int64_t>> deal(const std::vector<std::int64_t>& counts, std::int64_t pools) {
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(pools));
  for (std::int64_t i = 0; i < pools; ++i) {
    for (const auto count : counts) parts[static_cast<std::size_t>(i)].push_back((count + pools - 1 - i) / pools);
  }
  return parts;
}

/// Instances of one type that a share takes.
struct TypeCount {
  std::int64_t found = 0;     ///< In the best packing; 0 = the type does not hold it.
  std::int64_t at_least = 0;  ///< By the bound; 0 = the type does not hold it.
};

/// The market with burstable instances at their price alone.
Market without_credits(Market market) {
  market.credits.rates.clear();
  return market;
}

/// A share of the tasks as a packing problem, and the bins of each type in it. Without surplus CPU credits, so that a
/// cost is a number of instances: they are counted by that number.
struct Share {
  fleet::Question question;
  std::map<std::string, std::vector<std::uint32_t>> bins;
  CpuUnits cpu = 0;  ///< That its tasks reserve.

  /// `zones`: empty where the zone of a pool makes no difference to the tasks.
  Share(const Scenario& tasks, const Market& market, const std::vector<std::string>& zones)
      : question(fleet::make_packing_question(tasks, without_credits(market), {0, zones})) {
    for (const auto& workload : tasks.workloads)
      cpu += is_dealt(workload) ? workload.count.value_or(0) * workload.requirement.cpu : 0;
    for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin)
      bins[market.offers[question.bins[bin].offer].profile.instance_type].push_back(bin);
  }

  /// Instances by the volume of the tasks; nothing if the type does not hold them.
  std::optional<std::int64_t> by_volume(const std::string& type, MicroUsd price) const {
    if (!question.unplaceable.empty()) return std::nullopt;
    const auto of_type = bins.find(type);
    if (packing::tasks_of(question.problem) == 0) return 0;
    if (of_type == bins.end() || !packing::holds_all(question.problem, of_type->second)) return std::nullopt;
    const auto bound = packing::volume_bound(question.problem, of_type->second);
    if (!bound) return std::nullopt;
    return (*bound + price - 1) / price;
  }

  TypeCount packed(const std::string& type, MicroUsd price) const {
    const auto& of_type = bins.at(type);
    packing::SolveLimits limits;
    limits.effort = kTypeEffort;
    const auto solution = packing::solve(packing::with_types(question.problem, of_type), limits);
    if (!solution.is_complete()) return {};
    return {solution.cost / price, (solution.lower_bound + price - 1) / price};
  }
};

/// A pool that could be chosen.
struct Candidate {
  const Offer* offer = nullptr;
  std::string availability_zone;
  MicroUsd price = 0;
  std::string date;
  std::string zone_class{};  ///< The zone, where the tasks differ from zone to zone; else empty.

  const std::string& type() const { return offer->profile.instance_type; }
  std::pair<std::string, std::string> setup() const { return {type(), zone_class}; }
};

constexpr std::int64_t kMostSpare = 10'000;  ///< Instances that only save credits.

/// The pools of the market: of a type without known pools, one in each zone at the price of the type.
std::vector<Candidate> list_candidates(const Market& market, const std::vector<std::string>& zones) {
  std::vector<Candidate> candidates;
  std::set<std::string_view> seen;
  for (const auto& offer : market.offers) {
    const std::string& type = offer.profile.instance_type;
    if (!seen.insert(type).second) continue;
    for (const auto& zone : zones) {
      const auto known = market.pool_prices.find(type + "@" + zone);
      const bool is_known = known != market.pool_prices.end();
      if (!is_known && !market.pool_prices.empty()) continue;
      candidates.push_back({&offer, zone, is_known ? known->second.hourly : offer.hourly_price,
                            is_known       ? known->second.date
                            : offer.listed ? offer.listed->date
                                           : std::string()});
    }
  }
  return candidates;
}

/// What at least this many instances of a pool cost with surplus credits, when tasks reserve this much CPU there: more
/// instances than needed may save more credits than they cost.
MicroUsd least_cost(const Market& market, const Candidate& pool, std::int64_t instances, CpuUnits cpu) {
  const auto& profile = pool.offer->profile;
  // Each instance is rounded up to a micro-USD, which a sum of others need not be.
  const auto credits = [&](std::int64_t count) {
    return std::max<MicroUsd>(0, fleet::surplus_credits(market.credits, profile, cpu / count) - 1) * count;
  };
  // All instances share the CPU equally at least cost; from where they need no credits on, more only cost more.
  MicroUsd least = instances * pool.price + credits(instances);
  for (std::int64_t count = instances + 1; credits(count - 1) > 0 && count < instances + kMostSpare; ++count)
    least = std::min(least, count * pool.price + credits(count));
  return least;
}

constexpr MicroUsd kImpossible = std::numeric_limits<MicroUsd>::max() / 1'000'000;

/// A choice of a different column for each row, and its cost.
struct Assignment {
  std::vector<std::size_t> column_of;  ///< One entry per row.
  MicroUsd cost = 0;
};

/// Returns the cheapest choice (the Hungarian method: Kuhn 1955, Munkres 1957). `cost`: rows of equal length, at least
/// as long as there are rows.
Assignment assign(const std::vector<std::vector<MicroUsd>>& cost) {
  constexpr MicroUsd kInfinite = std::numeric_limits<MicroUsd>::max() / 2;
  if (cost.empty()) return {};
  const std::size_t rows = cost.size();
  const std::size_t columns = cost.front().size();
  std::vector<MicroUsd> of_row(rows + 1), of_column(columns + 1);  // potentials; 0 means none
  std::vector<std::size_t> row_of(columns + 1), before(columns + 1);
  for (std::size_t row = 1; row <= rows; ++row) {
    row_of[0] = row;
    std::size_t at = 0;
    std::vector<MicroUsd> least(columns + 1, kInfinite);
    std::vector<bool> is_visited(columns + 1);
    do {
      is_visited[at] = true;
      const std::size_t from = row_of[at];
      MicroUsd step = kInfinite;
      std::size_t next = 0;
      for (std::size_t column = 1; column <= columns; ++column) {
        if (is_visited[column]) continue;
        const MicroUsd reduced = cost[from - 1][column - 1] - of_row[from] - of_column[column];
        if (reduced < least[column]) {
          least[column] = reduced;
          before[column] = at;
        }
        if (least[column] < step) {
          step = least[column];
          next = column;
        }
      }
      for (std::size_t column = 0; column <= columns; ++column) {
        if (is_visited[column]) {
          of_row[row_of[column]] += step;
          of_column[column] -= step;
        } else {
          least[column] -= step;
        }
      }
      at = next;
    } while (row_of[at] != 0);
    while (at != 0) {
      row_of[at] = row_of[before[at]];
      at = before[at];
    }
  }
  Assignment result;
  result.column_of.resize(rows);
  for (std::size_t column = 1; column <= columns; ++column) {
    if (row_of[column] == 0) continue;
    result.column_of[row_of[column] - 1] = column - 1;
    result.cost += cost[row_of[column] - 1][column - 1];
  }
  return result;
}

/// Chooses a pool for each share, so that all together cost the least.
class PoolChoice {
 public:
  PoolChoice(const Scenario& scenario, const Market& market, const std::vector<std::vector<std::int64_t>>& parts,
             std::vector<Candidate> candidates)
      : market_(market), candidates_(std::move(candidates)) {
    if (parts.empty()) return;
    // Subnets, constraints and daemons can make a zone differ from another: a pool then holds what its zone does.
    std::vector<std::string> zones;
    for (const auto& one : candidates_) zones.push_back(one.availability_zone);
    const auto differ = fleet::make_packing_question(with_counts(scenario, parts.front()), market, {0, zones}).zones;
    for (auto& one : candidates_) one.zone_class = differ.empty() ? std::string() : one.availability_zone;
    std::set<std::string> classes;
    for (const auto& one : candidates_) classes.insert(one.zone_class);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_new = i == 0 || parts[i] != parts[i - 1];
      if (is_new) {
        auto& kind = kinds_.emplace_back();
        const Scenario tasks = with_counts(scenario, parts[i]);
        for (const auto& zone : classes)
          kind.try_emplace(zone, tasks, market, zone.empty() ? std::vector<std::string>() : std::vector{zone});
      }
      kind_of_.push_back(kinds_.size() - 1);
    }
    for (const auto& offer : market.offers) {
      auto& price = price_of_type_[offer.profile.instance_type];
      price = std::max(price, offer.hourly_price);
    }
    for (const auto& one : candidates_) count_by_volume(one);
    std::erase_if(candidates_, [&](const Candidate& one) { return !counts_.contains(one.setup()); });
  }

  const std::vector<Candidate>& candidates() const { return candidates_; }

  /// The candidate of each share; nothing where no choice holds every share. There must be as many as shares. A type is
  /// packed only if a choice by bounds would have it: when every type of such a choice is packed, no choice is cheaper.
  std::optional<std::vector<std::size_t>> choose() {
    auto best = assign(matrix());
    while (pack_types_of(best)) best = assign(matrix());
    lower_bound_ = assign(matrix_of_bounds()).cost;
    if (best.cost >= kImpossible) return std::nullopt;
    return best.column_of;
  }

  /// No choice of pools costs less.
  MicroUsd lower_bound() const { return lower_bound_; }

 private:
  /// 0 of a share that the type does not hold in the zone; nothing is noted of one that holds none.
  void count_by_volume(const Candidate& one) {
    if (counts_.contains(one.setup()) || price_of_type_.at(one.type()) <= 0) return;
    std::vector<TypeCount> counts;
    for (const auto& kind : kinds_)
      counts.push_back({0, kind.at(one.zone_class).by_volume(one.type(), price_of_type_.at(one.type())).value_or(0)});
    const auto holds = [](const TypeCount& count) { return count.at_least > 0; };
    if (std::any_of(counts.begin(), counts.end(), holds)) counts_.emplace(one.setup(), std::move(counts));
  }

  /// False if all are packed.
  bool pack_types_of(const Assignment& choice) {
    bool is_new = false;
    for (const auto column : choice.column_of) {
      const Candidate& one = candidates_[column];
      if (!is_packed_.insert(one.setup()).second) continue;
      is_new = true;
      auto& counts = counts_.at(one.setup());
      for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (counts[i].at_least == 0) continue;
        const auto packed = kinds_[i].at(one.zone_class).packed(one.type(), price_of_type_.at(one.type()));
        counts[i] = {packed.found, std::max(counts[i].at_least, packed.at_least)};
      }
    }
    return is_new;
  }

  /// The cost of each share in each pool: as packed, or at least, if its type is not packed.
  std::vector<std::vector<MicroUsd>> matrix() const {
    return costs_by([&](const Candidate& one, const TypeCount& count) {
      return is_packed_.contains(one.setup()) ? count.found : count.at_least;
    });
  }
  std::vector<std::vector<MicroUsd>> matrix_of_bounds() const {
    return costs_by([](const Candidate&, const TypeCount& count) { return count.at_least; });
  }

  template <class Count>
  std::vector<std::vector<MicroUsd>> costs_by(Count count_of) const {
    std::vector<std::vector<MicroUsd>> costs;
    for (const auto kind : kind_of_) {
      auto& row = costs.emplace_back();
      for (const auto& one : candidates_) {
        const auto instances = count_of(one, counts_.at(one.setup())[kind]);
        const CpuUnits cpu = kinds_[kind].at(one.zone_class).cpu;
        row.push_back(instances > 0 ? least_cost(market_, one, instances, cpu) : kImpossible);
      }
    }
    return costs;
  }

  const Market& market_;
  std::vector<Candidate> candidates_;
  /// Of the shares that differ, the largest first: the share in each class of zones.
  std::deque<std::map<std::string, Share>> kinds_;
  std::vector<std::size_t> kind_of_;                                              ///< Of each share.
  std::map<std::pair<std::string, std::string>, std::vector<TypeCount>> counts_;  ///< By setup, one entry per kind.
  std::map<std::string, MicroUsd> price_of_type_;  ///< The highest of its offers: a cost by it is of no more instances.
  std::set<std::pair<std::string, std::string>> is_packed_;
  MicroUsd lower_bound_ = 0;
};

/// The market of one pool.
Market market_of(const Market& market, const Candidate& pool) {
  Market one = market;
  std::erase_if(one.offers,
                [&](const Offer& offer) { return offer.profile.instance_type != pool.offer->profile.instance_type; });
  for (auto& offer : one.offers) {
    offer.hourly_price = pool.price;
    offer.profile.hourly_price = pool.price;
    offer.profile.is_spot = true;
  }
  return one;
}

/// What is bought in a pool, and for which tasks.
struct FilledPool {
  std::vector<std::int64_t> tasks;  ///< By workload.
  Market market;
  fleet::Purchases purchases;
};

/// Puts the instances behind those of the scenario, as those of a capacity provider.
void add_instances(Scenario& scenario, const Market& market, const fleet::Purchases& purchases,
                   const std::string& provider) {
  const auto before = scenario.profiles.size();
  scenario = fleet::with_purchases(scenario, market, purchases, true);
  for (auto i = before; i < scenario.profiles.size(); ++i) scenario.profiles[i].capacity_provider_name = provider;
}

/// Adds the workloads again, this many tasks of each, on the instances of the provider; on any without one.
void add_workloads(Scenario& scenario, const Scenario& all, const std::vector<std::int64_t>& counts,
                   const std::string& provider) {
  for (std::size_t w = 0; w < counts.size(); ++w) {
    if (counts[w] == 0 || !is_dealt(all.workloads[w])) continue;
    Workload workload = all.workloads[w];
    workload.count = counts[w];
    if (!provider.empty()) workload.capacity_providers = {{provider, 0, 1}};
    scenario.workloads.push_back(std::move(workload));
  }
}

/// The ideal packing of all tasks On-Demand; nothing if they do not all fit.
std::optional<MicroUsd> cost_on_demand(const Scenario& scenario, const Market& market) {
  const auto question = fleet::make_packing_question(scenario, market, {0, {}});
  packing::SolveLimits limits;
  limits.effort = kPoolEffort;
  const auto solution = packing::solve(question.problem, limits);
  const bool holds = solution.is_complete();
  return question.unplaceable.empty() && holds ? std::optional(fleet::cost_of(market, question, solution.packing))
                                               : std::nullopt;
}

std::string provider_of(std::size_t pool) {
  return fmt::format("spot-{}", pool + 1);
}

/// Tasks of a lost pool that fit nowhere on the rest: those of the others stay where they are.
std::int64_t displaced_by(std::size_t lost, const Scenario& all, const std::vector<FilledPool>& pools,
                          const Market& on_demand_market, const fleet::Purchases& on_demand,
                          const std::vector<std::int64_t>& on_demand_tasks, std::vector<std::string>& mistakes) {
  Scenario scenario = fleet::with_purchases(all, on_demand_market, {}, false);
  scenario.workloads.clear();
  scenario.calls.clear();
  std::copy_if(all.workloads.begin(), all.workloads.end(), std::back_inserter(scenario.workloads),
               [](const Workload& workload) { return workload.kind == WorkloadKind::kDaemon; });
  add_instances(scenario, on_demand_market, on_demand, kOnDemandProvider);
  add_workloads(scenario, all, on_demand_tasks, kOnDemandProvider);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (i == lost) continue;
    add_instances(scenario, pools[i].market, pools[i].purchases, provider_of(i));
    add_workloads(scenario, all, pools[i].tasks, provider_of(i));
  }
  const auto kept = scenario.workloads.size();
  add_workloads(scenario, all, pools[lost].tasks, "");
  const auto outcome = placement::place(scenario);
  for (const auto& mistake : placement::verify(scenario, outcome)) mistakes.push_back(mistake);
  std::int64_t displaced = 0;
  for (const auto& failure : outcome.failures) displaced += failure.attempt.workload >= kept ? 1 : 0;
  return displaced;
}

}  // namespace

std::int64_t SpotPlan::spot_tasks() const {
  return std::accumulate(tasks.begin(), tasks.end(), std::int64_t{0},
                         [](std::int64_t sum, const SpotTasks& one) { return sum + one.spot; });
}

std::int64_t SpotPlan::most_lost() const {
  std::int64_t most = 0;
  for (const auto& pool : pools) most = std::max(most, pool.tasks);
  return most;
}

std::vector<std::int64_t> on_demand_counts(const Scenario& scenario, Percent percent) {
  const auto spot = spot_counts(scenario, percent);
  std::vector<std::int64_t> counts;
  for (std::size_t w = 0; w < spot.size(); ++w) counts.push_back(scenario.workloads[w].count.value_or(0) - spot[w]);
  return counts;
}

std::optional<Error> refuse_spot(const Scenario& scenario, const SpotRequest& request) {
  for (const auto& workload : scenario.workloads) {
    if (!is_dealt(workload) || workload.capacity_providers.empty() || workload.count == 0) continue;
    return Error{.message = fmt::format("--spot deals the tasks of {} to capacity providers, and its "
                                        "capacityProviderStrategy does, too",
                                        workload.name),
                 .help = "Remove the capacityProviderStrategy, or plan without --spot."};
  }
  const auto counts = spot_counts(scenario, request.percent);
  if (std::all_of(counts.begin(), counts.end(), [](std::int64_t count) { return count == 0; }) &&
      std::any_of(scenario.workloads.begin(), scenario.workloads.end(), is_dealt)) {
    return Error{.message = fmt::format("--spot {}% of no service is a whole task", percent_text(request.percent)),
                 .help = "Raise the percentage; shares are rounded down."};
  }
  return std::nullopt;
}

void check_lower_bound(SpotPlan& plan) {
  if (!plan.lower_bound || *plan.lower_bound <= plan.hourly_cost) return;
  plan.withdrawn.emplace_back("the Spot pools cost less than their bound");
  plan.lower_bound.reset();
}

Result<SpotPlan> plan_spot(const Scenario& scenario, const Market& market, const SpotRequest& request,
                           const FleetRequest& fleet_request, const Market& on_demand_market,
                           const FleetPlan& on_demand) {
  SpotPlan plan;
  plan.request = request;
  const auto counts = spot_counts(scenario, request.percent);
  const auto kept = on_demand_counts(scenario, request.percent);
  for (std::uint32_t w = 0; w < counts.size(); ++w) {
    if (is_dealt(scenario.workloads[w])) plan.tasks.push_back({w, kept[w], counts[w]});
  }
  plan.all_on_demand = cost_on_demand(scenario, on_demand_market);
  // A pool for a share without tasks is none.
  const auto largest = std::max_element(counts.begin(), counts.end());
  const std::int64_t pools = largest == counts.end() ? 0 : std::min(request.pools, *largest);
  const auto parts = deal(counts, pools);
  PoolChoice choice(scenario, market, parts, list_candidates(market, fleet_request.zones));
  const auto found = static_cast<std::int64_t>(choice.candidates().size());
  const auto chosen = found < pools ? std::nullopt : choice.choose();
  if (!chosen) {
    return Error{
        .message = fmt::format("--spot-pools {}: {} a share of the tasks, of the allowed types in {}", request.pools,
                               found == 0      ? "no pool holds"
                               : found < pools ? fmt::format("only {}", count_of(found, "pool holds", "pools hold"))
                                               : fmt::format("too few of {} pools hold", found),
                               join(fleet_request.zones, ", ")),
        .help = "Allow more types (--types) or zones (--zones), or ask for fewer pools (--spot-pools)."};
  }
  plan.lower_bound = choice.lower_bound();
  std::vector<FilledPool> filled;
  for (std::size_t i = 0; i < chosen->size(); ++i) {
    const auto& pool = choice.candidates()[(*chosen)[i]];
    FilledPool one{parts[i], market_of(market, pool), {}};
    FleetRequest asked = fleet_request;
    asked.effort = std::min(asked.effort, kPoolEffort);
    asked.zones = {pool.availability_zone};
    const auto planned = plan_fleet(with_counts(scenario, parts[i]), one.market, asked);
    for (const auto& mistake : planned.mistakes) plan.mistakes.push_back(mistake);
    for (const auto& mistake : planned.withdrawn) plan.withdrawn.push_back(mistake);
    if (!planned.question.unplaceable.empty() || planned.left_over() > 0) {
      return Error{.message = fmt::format("--spot-pools {}: {} in {} does not hold its share of the tasks",
                                          request.pools, pool.type(), pool.availability_zone),
                   .help = "Allow more types (--types) or zones (--zones), or ask for fewer pools (--spot-pools)."};
    }
    const auto& recommended = planned.fill.recommended;
    one.purchases = fleet::dealt(planned.purchases(), asked.zones);
    plan.pools.push_back({pool.offer->profile.instance_type, pool.availability_zone, pool.price, pool.date,
                          fleet::instances_of(one.purchases),
                          std::accumulate(parts[i].begin(), parts[i].end(), std::int64_t{0}), planned.hourly_cost(),
                          recommended ? recommended->orders + recommended->confirmed : 0, 0});
    plan.hourly_cost += plan.pools.back().hourly_cost;
    filled.push_back(std::move(one));
  }
  check_lower_bound(plan);
  const auto all_tasks = plan.spot_tasks() + std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
  plan.is_loss_simulated = all_tasks * request.pools <= kMostTasksWithLoss;
  if (!plan.is_loss_simulated) return plan;
  const auto bought = fleet::dealt(on_demand.purchases(), fleet_request.zones);
  for (std::size_t i = 0; i < plan.pools.size(); ++i)
    plan.pools[i].displaced = displaced_by(i, scenario, filled, on_demand_market, bought, kept, plan.mistakes);
  return plan;
}

}  // namespace bayplan::study
