#include "study/fleet/recommended_fleet.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/packing_problem.hpp"
#include "packing/solve.hpp"
#include "placement/engine/engine.hpp"
#include "study/fleet/fill_check.hpp"
#include "study/fleet/filled_fleet.hpp"
#include "study/fleet/fleet_deployable.hpp"
#include "study/fleet/ideal_fleet.hpp"
#include "study/fleet/offer_subsets.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchase;
using fleet::Purchases;
using placement::Scenario;

namespace {

constexpr int kMaxRounds = 4;  ///< Limit of rounds that add what services need to roll.

/// Instances by type that let every service roll. Each service rolls alone: what is enough for the neediest is enough
/// for all.
std::map<std::string, std::int64_t> instances_to_roll(const Rollouts& rollouts) {
  std::map<std::string, std::int64_t> needs;
  for (const auto& service : rollouts.services) {
    for (const auto& missing : service.needs) {
      auto& count = needs[missing.instance_type];
      count = std::max(count, missing.count);
    }
  }
  return needs;
}

/// Nothing when there is nothing to add, limits forbid it, or ECS then no longer fills the fleet.
std::optional<fleet::FilledFleet> with_more(const PlanInput& input, fleet::FilledFleet fleet,
                                            const std::map<std::string, std::int64_t>& more, Watch& watch) {
  for (const auto& [instance_type, count] : more) {
    const auto is_of_type = [&, &type = instance_type](const Purchase& purchase) {
      return input.market.offers[purchase.offer].profile.instance_type == type;
    };
    const auto found = std::find_if(fleet.purchases.begin(), fleet.purchases.end(), is_of_type);
    if (found == fleet.purchases.end()) return std::nullopt;
    const Purchase one = *found;
    // Where the type has several offers, as an owned and a bought one, those with room follow the one that is there.
    const auto room = fleet::room_for_more(input.market, fleet.purchases, input.request.most_types);
    std::int64_t left = count;
    const auto add = [&](std::uint32_t offer) {
      const std::int64_t added = std::min(left, room[offer]);
      if (added > 0) fleet.purchases = fleet::changed(fleet.purchases, {offer, one.availability_zone, added});
      left -= std::max<std::int64_t>(0, added);
    };
    add(one.offer);
    for (std::uint32_t offer = 0; offer < input.market.offers.size(); ++offer) {
      if (offer != one.offer && input.market.offers[offer].profile.instance_type == instance_type) add(offer);
    }
    if (left > 0) return std::nullopt;
  }
  const auto filled = on_fleet(input, fleet);
  fleet.hourly_cost = fleet::hourly_cost(input.market, fleet.purchases) +
                      fleet::added_credits(input.market.credits, filled, placement::place(filled));
  const bool is_filled =
      !more.empty() && fleet::is_allowed(input.market, fleet.purchases, input.request.most_types) &&
      FillCheck(input, fleet.policy, watch, FleetProgress::Phase::kFilling).is_filled(fleet.purchases) == true;
  return is_filled ? std::optional(std::move(fleet)) : std::nullopt;
}

/// The fleet with the instances that its services need to roll; nothing where they do not roll with more instances
/// either. It is tried in fresh launch orders, because the search did not see what was added.
std::optional<fleet::FilledFleet> with_room_to_roll(const PlanInput& input, fleet::FilledFleet fleet, Watch& watch) {
  for (int round = 0; round < kMaxRounds && watch.go_on(FleetProgress::Phase::kFilling); ++round) {
    const auto rollouts = roll_each(on_fleet(input, fleet));
    if (rollouts.all_roll()) {
      const auto orders = fleet::confirmed_orders(input.scenario, input.market, input.question, fleet,
                                                  fill_request(input.request, watch));
      if (!orders) return std::nullopt;
      fleet.confirmed = *orders;
      return fleet;
    }
    auto more = with_more(input, std::move(fleet), instances_to_roll(rollouts), watch);
    if (!more) return std::nullopt;
    fleet = std::move(*more);
  }
  return std::nullopt;
}

/// `fleets`: cheapest first.
std::optional<fleet::FilledFleet> cheapest_that_rolls(const PlanInput& input,
                                                      const std::vector<fleet::FilledFleet>& fleets, Watch& watch) {
  std::optional<fleet::FilledFleet> best;
  for (const auto& filled : fleets) {
    if (best && filled.hourly_cost >= best->hourly_cost) break;
    auto more = with_room_to_roll(input, filled, watch);
    if (more && (!best || more->hourly_cost < best->hourly_cost)) best = std::move(more);
  }
  return best;
}

/// The recommended fleet of --deployable: the cheapest one that the strategies fill, with what its services need to
/// roll. The one of `fill` where no fleet lets them roll, and where there are too many tasks to try.
std::optional<fleet::FilledFleet> recommended_to_deploy(const PlanInput& input, const fleet::Fill& fill,
                                                        std::int64_t tasks, Watch& watch) {
  if (tasks > kMaxReplayed) return fill.recommended;
  const auto best = cheapest_that_rolls(input, fill.by_policy, watch);
  const auto closing = cheapest_that_rolls(input, fill.closing, watch);
  if (closing && fleet::is_worth_writing(*closing, best)) return closing;
  return best ? best : fill.recommended;
}

/// Fleets that ECS itself fills, beginning with the ideal one and with `starts`. `known`: see fleet::find_fill.
fleet::Fill fill_from(const PlanInput& input, const fleet::BoundedPacking& bounded, const IdealFleet& ideal,
                      std::int64_t tasks, const std::vector<Purchases>& starts, Watch& watch,
                      const std::vector<fleet::KnownFleet>& known = {}) {
  packing::Solution start = bounded.solution;
  start.packing = ideal.packing;
  start.cost = ideal.hourly_cost;
  auto fill = fleet::find_fill(input.scenario, input.market, input.question, start, fill_request(input.request, watch),
                               starts, known);
  if (input.request.deployable) fill.recommended = recommended_to_deploy(input, fill, tasks, watch);
  return fill;
}

/// Efforts to search with: the default, and this many times as much or as little: ten million, which is what a load is
/// planned with, is one of them. Levels far apart cost little more than the last of them alone.
constexpr std::int64_t kLevelFactor = 25;
const std::int64_t kDefaultEffort = packing::SolveLimits{}.effort;
constexpr int kLevelsBelowDefault = 2;

/// The levels within the request's effort, ascending; the lowest one where the effort is below all. A plan with more
/// effort has the searches of one with less among its own, so it costs no more. A search with an effort between two
/// levels would not be among those of a larger effort.
std::vector<std::int64_t> effort_levels(std::int64_t effort) {
  std::vector<std::int64_t> levels;
  for (int below = kLevelsBelowDefault; below >= 0; --below) {
    std::int64_t level = kDefaultEffort;
    for (int i = 0; i < below; ++i) level /= kLevelFactor;
    if (levels.empty() || level <= effort) levels.push_back(level);
  }
  while (levels.back() >= kDefaultEffort && levels.back() <= effort / kLevelFactor)
    levels.push_back(levels.back() * kLevelFactor);
  return levels;
}

/// The search of a subset packs with one part of this many of the effort: as the search of all types packs at the level
/// below, so that all types are packed once for both.
constexpr std::int64_t kSubsetPackingShare = kLevelFactor;
/// A bound from this much packing rules out most subsets, and costs a tenth of what filling one does.
constexpr std::int64_t kBoundingEffort = 400'000;
/// To search the fleets of a subset with every policy takes about as much as to try this many in every launch order.
constexpr std::int64_t kFleetsPerSubset = 60;
constexpr std::int64_t kLeastSubsetFilling = 400'000;
constexpr std::int64_t kMostSubsetFilling = 3'000'000;
/// Every subset of the types is searched if that takes at most this many placements.
constexpr std::int64_t kFillingOfAllSubsets = 26'000'000;

/// Families are searched up to this many tasks: each launch order places all of them.
constexpr std::int64_t kMaxTasksOfFamilies = 5'000;

/// Up to this many types, each is searched alone; of more, those that may fill a cheaper fleet.
constexpr std::size_t kTypesSearchedAll = 8;

/// Placements that the search of a subset may try. They do not depend on the other types of the market: a plan from a
/// part of the types does the same.
std::int64_t subset_filling(const FleetRequest& whole, std::int64_t tasks, std::int64_t level) {
  const std::int64_t most =
      std::min(kFleetsPerSubset * tasks * std::max<std::int64_t>(1, whole.orders), kMostSubsetFilling);
  return std::max(kLeastSubsetFilling, most / std::max<std::int64_t>(1, kDefaultEffort / level));
}

/// A trial with lost zones or rolling services takes about this many times as long.
std::int64_t work_of_trial(const FleetRequest& request) {
  constexpr std::int64_t kWorkOfRolling = 4;
  return (request.survives_zone_loss ? 1 + std::ssize(request.zones) : 1) * (request.deployable ? kWorkOfRolling : 1);
}

bool searches_all_subsets(const FleetRequest& request, std::int64_t tasks, std::size_t types) {
  const std::int64_t most =
      kFillingOfAllSubsets / subset_filling(request, tasks, kDefaultEffort) / work_of_trial(request);
  return types < 16 && (std::int64_t{1} << types) - 1 <= most;
}

/// Whether `placements` are enough to try two fleets in every launch order. Less finds nothing.
bool is_enough_to_fill(std::int64_t placements, std::int64_t tasks, std::int64_t orders) {
  return placements >= 2 * tasks * std::max<std::int64_t>(1, orders);
}

bool rolls(const PlanInput& input, const fleet::FilledFleet& filled) {
  return roll_each(on_fleet(input, filled)).all_roll();
}

/// Packings of all types, each effort once.
class PackingsOfAllTypes {
 public:
  PackingsOfAllTypes(const PlanInput& input, const fleet::BoundedPacking& bounded, Watch& watch)
      : input_(input), watch_(watch) {
    by_effort_.emplace(input.request.effort, bounded);
  }

  const fleet::BoundedPacking& with_effort(std::int64_t effort) {
    const auto known = by_effort_.find(effort);
    if (known != by_effort_.end()) return known->second;
    const auto request = study::with_effort(input_.request, effort);
    const PlanInput own{input_.scenario, input_.market, request, input_.question};
    return by_effort_.emplace(effort, solve(own, watch_)).first->second;
  }

 private:
  const PlanInput& input_;
  Watch& watch_;
  std::map<std::int64_t, fleet::BoundedPacking> by_effort_;
};

/// What the last search of a subset began with.
struct SubsetSearch {
  packing::Packing ideal;
  MicroUsd lower_bound = 0;
  std::int64_t placements = 0;
  bool exhausted = false;
};

/// Whether the search would repeat the one of a lower level. A higher bound alone changes nothing, because fleets below
/// it are never filled; only a search that ran out of effort may then get further.
bool is_searched(const SubsetSearch& search, const std::optional<SubsetSearch>& before) {
  return before && before->ideal == search.ideal && before->placements == search.placements &&
         (!before->exhausted || before->lower_bound == search.lower_bound);
}

std::vector<fleet::KnownFleet> known_fleets(const Market& market, const fleet::Fill& fill) {
  std::vector<fleet::KnownFleet> known;
  for (const auto& filled : fill.by_policy) {
    auto rank = fleet::compute_rank(market, filled.purchases);
    std::get<0>(rank) = filled.hourly_cost;
    known.push_back({filled.policy.name, filled.policy.order, std::move(rank), filled.confirmed});
  }
  return known;
}

/// What ECS fills of these offers alone; nothing where they do not hold every task, cannot be cheaper than what `found`
/// recommends, or would be searched as `before`. Its purchases are in the numbers of the whole market.
std::optional<fleet::Fill> fill_of_subset(const PlanInput& whole, const OfferSubset& subset, std::int64_t tasks,
                                          std::int64_t level, const fleet::Fill& found,
                                          std::optional<SubsetSearch>& before, PackingsOfAllTypes& packings,
                                          Watch& watch) {
  const Market market = with_offers(whole.market, subset.offers);
  const auto question =
      fleet::make_packing_question(whole.scenario, market, {whole.request.headroom_percent, whole.request.zones});
  if (packing::tasks_of(question.problem) < tasks) return std::nullopt;
  const auto pack = [&](std::int64_t effort) {
    const bool has_all_types = subset.offers.size() == whole.market.offers.size();
    const auto request = with_effort(whole.request, effort);
    return has_all_types ? packings.with_effort(effort) : solve({whole.scenario, market, request, question}, watch);
  };
  const auto is_beaten = [&](const fleet::BoundedPacking& packed) {
    return found.recommended && packed.solution.lower_bound >= found.recommended->hourly_cost;
  };
  const std::int64_t packing_effort = level / kSubsetPackingShare;
  const auto bounded = pack(packing_effort);
  if (!bounded.solution.is_complete() || is_beaten(bounded)) return std::nullopt;
  if (packing_effort < kBoundingEffort && is_beaten(pack(kBoundingEffort))) return std::nullopt;
  const std::int64_t placements = subset_filling(whole.request, tasks, level);
  const auto to_fill = with_effort(whole.request, fleet::kPackingEffortOfPlacement * placements);
  const PlanInput input{whole.scenario, market, to_fill, question};
  const IdealFleet ideal = ideal_fleet(input, bounded);
  SubsetSearch search{ideal.packing, bounded.solution.lower_bound, placements};
  if (is_searched(search, before)) return std::nullopt;
  // With --deployable a fleet that is no better may be the one on which services roll.
  const auto known = whole.request.deployable ? std::vector<fleet::KnownFleet>() : known_fleets(whole.market, found);
  auto fill = fill_from(input, bounded, ideal, tasks, {}, watch, known);
  search.exhausted = fill.exhausted;
  before = std::move(search);
  const auto in_whole = [&](fleet::FilledFleet& filled) {
    filled.purchases = fleet::in_whole_market(std::move(filled.purchases), subset.offers);
    // Constraints that represent what ECS does not look at are first, and are those of the whole market's question.
    auto& constraints = filled.policy.constraints;
    std::vector<std::pair<std::uint32_t, placement::Constraint>> all = whole.question.constraints;
    all.insert(all.end(), constraints.begin() + std::ssize(question.constraints), constraints.end());
    constraints = std::move(all);
  };
  if (whole.request.deployable && fill.recommended && !rolls(input, *fill.recommended)) fill.recommended.reset();
  if (fill.recommended) in_whole(*fill.recommended);
  for (auto& filled : fill.by_policy) in_whole(filled);
  for (auto& filled : fill.closing) in_whole(filled);
  return fill;
}

/// Whether a strategy fills as many instances of a single type as cost less than `to_beat`. True where that is not
/// known. It saves the search of hundreds of types, none of which costs less.
bool may_be_cheaper(const PlanInput& whole, const OfferSubset& subset, std::int64_t tasks, std::int64_t level,
                    MicroUsd to_beat, Watch& watch) {
  const bool has_existing = std::any_of(subset.offers.begin(), subset.offers.end(),
                                        [&](std::uint32_t offer) { return whole.market.offers[offer].exists(); });
  if (subset.offers.size() > 1 || has_existing || !whole.request.zones.empty()) return true;
  const auto& offer = whole.market.offers[subset.offers.front()];
  if (offer.hourly_price == 0) return true;
  const Purchases most = {{subset.offers.front(), "", std::min((to_beat - 1) / offer.hourly_price, offer.limit)}};
  const auto request =
      with_effort(whole.request, fleet::kPackingEffortOfPlacement * subset_filling(whole.request, tasks, level));
  const auto placed = fleet::tasks_of(whole.scenario, whole.question);
  const auto policies = fleet::affordable_policies(placed, whole.question, fill_request(request, watch));
  return std::any_of(policies.begin(), policies.end(), [&](const fleet::Policy& policy) {
    return FillCheck(whole, policy, watch, FleetProgress::Phase::kFilling).is_filled(most) != false;
  });
}

/// Adds fleets found with another effort or from a part of the types: the cheaper one of each strategy stays, and the
/// cheaper one of both is recommended. Whether constraints are worth it was decided in each search: if that were
/// decided anew, a better fleet without them could replace a cheaper one with them.
void add_fill(const Market& market, fleet::Fill more, fleet::Fill& fill) {
  const auto rank = [&](const fleet::FilledFleet& filled) {
    auto own = fleet::compute_rank(market, filled.purchases);
    std::get<0>(own) = filled.hourly_cost;
    return std::tuple(own, !filled.policy.is_as_written, -filled.confirmed);
  };
  const auto is_cheaper = [&](const auto& a, const auto& b) { return rank(a) < rank(b); };
  for (auto& filled : more.by_policy) {
    const auto same = std::find_if(fill.by_policy.begin(), fill.by_policy.end(), [&](const auto& other) {
      return other.policy.name == filled.policy.name && other.policy.order == filled.policy.order;
    });
    if (same == fill.by_policy.end())
      fill.by_policy.push_back(std::move(filled));
    else if (is_cheaper(filled, *same))
      *same = std::move(filled);
  }
  std::stable_sort(fill.by_policy.begin(), fill.by_policy.end(), is_cheaper);
  if (more.recommended && (!fill.recommended || is_cheaper(*more.recommended, *fill.recommended)))
    fill.recommended = std::move(more.recommended);
  std::move(more.closing.begin(), more.closing.end(), std::back_inserter(fill.closing));
  fill.method = more.method;
  fill.exhausted = more.exhausted;
}

/// The cheapest fleet of one type on which every service can be deployed, of the types that are likely cheapest. The
/// limit of a cheaper type may leave no room for the new tasks of a deployment.
std::optional<fleet::FilledFleet> single_type_that_rolls(const PlanInput& input, std::int64_t tasks,
                                                         PackingsOfAllTypes& packings, Watch& watch) {
  constexpr int kMostTypes = 8;
  std::optional<fleet::FilledFleet> best;
  int searched = 0;
  for (const auto& subset : offer_subsets(input.question, input.market, 1, false)) {
    if (subset.types != 1 || (best && subset.at_least >= best->hourly_cost)) continue;
    if (++searched > kMostTypes || watch.stopped()) break;
    std::optional<SubsetSearch> before;
    const auto fill = fill_of_subset(input, subset, tasks, kDefaultEffort, {}, before, packings, watch);
    if (!fill || !fill->recommended) continue;
    if (!best || fill->recommended->hourly_cost < best->hourly_cost) best = fill->recommended;
  }
  return best;
}

}  // namespace

fleet::Fill find_fill(const PlanInput& input, const fleet::BoundedPacking& bounded, const IdealFleet& ideal,
                      std::int64_t tasks, Watch& watch) {
  const auto& request = input.request;
  const auto types = types_to_buy(input.market);
  PackingsOfAllTypes packings(input, bounded, watch);
  const bool has_all_subsets = searches_all_subsets(request, tasks, types);
  // With long trials a plan of many types has one search, of all of them.
  const bool has_one_search = work_of_trial(request) > 1 && !has_all_subsets;
  if (tasks > fleet::kMaxLaunched || types == 0 || has_one_search) {
    auto fill = fill_from(input, bounded, ideal, tasks, {}, watch);
    if (request.deployable && fill.recommended && !rolls(input, *fill.recommended)) {
      if (auto other = single_type_that_rolls(input, tasks, packings, watch)) fill.recommended = std::move(other);
    }
    return fill;
  }

  fleet::Fill fill;
  // Nothing costs less. A search with little effort tries few strategies, so the one of the scenario is waited for.
  const auto is_proven = [&] {
    return fill.recommended && fill.recommended->hourly_cost <= bounded.solution.lower_bound &&
           fill.recommended->policy.is_as_written &&
           fill.recommended->policy.constraints.size() == input.question.constraints.size();
  };
  const auto is_over = [&] { return watch.stopped() || is_proven(); };
  const auto subsets = offer_subsets(input.question, input.market, request.most_types, has_all_subsets);
  const auto levels = effort_levels(request.effort);
  std::vector<std::optional<SubsetSearch>> searched(subsets.size());  // the last one of each subset
  for (const std::int64_t level : levels) {
    const bool has_effort = is_enough_to_fill(subset_filling(request, tasks, level), tasks, request.orders);
    for (std::size_t i = 0; i < subsets.size(); ++i) {
      const auto& subset = subsets[i];
      if (!has_effort || is_over()) break;
      const auto to_beat = fill.recommended ? std::optional(fill.recommended->hourly_cost) : std::nullopt;
      if (to_beat && subset.at_least >= *to_beat) continue;
      const bool is_family = !has_all_subsets && subset.types > 1 && subset.types < types;
      if (is_family && tasks > kMaxTasksOfFamilies) continue;
      const bool is_checked = to_beat && subset.types == 1 && types > kTypesSearchedAll;
      if (is_checked && !may_be_cheaper(input, subset, tasks, level, *to_beat, watch)) continue;
      if (auto more = fill_of_subset(input, subset, tasks, level, fill, searched[i], packings, watch))
        add_fill(input.market, std::move(*more), fill);
    }
    // Of few types that was everything. Of many the last search is that of all types with the whole effort, also where
    // nothing costs less: it may find fewer instances for the same price.
    if (has_all_subsets || (level != levels.back() && is_over())) continue;
    const std::int64_t placements = level / 2 / fleet::kPackingEffortOfPlacement;  // the other half was for the subsets
    if (fill.recommended && !is_enough_to_fill(placements, tasks, request.orders)) continue;
    const auto& packed = packings.with_effort(level);
    if (!packed.solution.is_complete()) continue;
    const auto to_fill = with_effort(request, level / 2);
    const PlanInput own{input.scenario, input.market, to_fill, input.question};
    std::vector<Purchases> starts;
    if (!fill.by_policy.empty()) starts.push_back(fill.by_policy.front().purchases);
    add_fill(input.market, fill_from(own, packed, ideal_fleet(own, packed), tasks, starts, watch), fill);
  }
  if (!fill.recommended) add_fill(input.market, fill_from(input, bounded, ideal, tasks, {}, watch), fill);
  // What closes the gap costs less than what needs no constraints.
  fill.closing = fleet::best_ways(std::move(fill.closing));
  if (!fill.by_policy.empty()) {
    const MicroUsd cost = fill.by_policy.front().hourly_cost;
    std::erase_if(fill.closing, [cost](const auto& way) { return way.hourly_cost >= cost; });
  }
  return fill;
}

}  // namespace bayplan::study
