#include "fleet/recommended/fill_search.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/exchanges.hpp"
#include "fleet/recommended/fleet_rank.hpp"

namespace bayplan::fleet {

FleetRoom::FleetRoom(const Market& market, const Question& question)
    : dimensions_(question.problem.dimensions), per_offer_(market.offers.size()) {
  for (const packing::Shape& shape : question.problem.shapes) {
    for (std::size_t d = 0; d < dimensions_; ++d) wanted_[d] += shape.size[d] * shape.count;
  }
  for (std::size_t i = 0; i < question.bins.size(); ++i) {
    auto& room = per_offer_[question.bins[i].offer];
    for (std::size_t d = 0; d < dimensions_; ++d) room[d] = std::max(room[d], question.problem.types[i].capacity[d]);
  }
  for (std::size_t i = 0; i < market.offers.size(); ++i) {
    const auto standing = static_cast<std::int64_t>(market.offers[i].standing.size());
    for (std::size_t d = 0; d < dimensions_; ++d) wanted_[d] -= per_offer_[i][d] * standing;
  }
}

bool FleetRoom::may_hold_all(const Purchases& purchases) const {
  packing::Amounts missing = wanted_;
  for (const Purchase& one : purchases) {
    for (std::size_t d = 0; d < dimensions_; ++d) missing[d] -= per_offer_[one.offer][d] * one.count;
  }
  return std::all_of(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(dimensions_),
                     [](std::int64_t amount) { return amount <= 0; });
}

namespace {

struct CostRange {
  MicroUsd least = 0;
  MicroUsd most = 0;
};

constexpr std::size_t kMaxFillSteps = 200'000;
/// Limit for offers that cost nothing.
constexpr std::int64_t kMaxForNothing = 1'000;

/// Every fleet whose cost is in the range and that `is_worth_it` lets pass, best first. Nothing where there are more
/// than `most`, or too many to go through.
std::vector<Purchases> all_fleets(const Market& market, const Question& question, CostRange range, std::size_t most,
                                  const std::function<bool(const Purchases&)>& is_worth_it) {
  std::set<std::pair<std::uint32_t, std::string>> offers_in_zones;
  for (const BinOrigin& bin : question.bins) {
    if (market.offers[bin.offer].standing.empty()) offers_in_zones.emplace(bin.offer, bin.availability_zone);
  }
  const std::vector<std::pair<std::uint32_t, std::string>> places(offers_in_zones.begin(), offers_in_zones.end());
  std::vector<MicroUsd> credits_of;  // by place: the most that one instance adds
  std::vector<MicroUsd> prices;      // by place
  for (const auto& [offer, zone] : places) {
    credits_of.push_back(most_credits(market.credits, market.offers[offer].profile));
    prices.push_back(market.offers[offer].hourly_price);
  }
  std::vector<MicroUsd> cheapest_from = prices;  // by place: the lowest price of it and those after it
  for (std::size_t place = places.size(); place-- > 1;)
    cheapest_from[place - 1] = std::min(cheapest_from[place - 1], cheapest_from[place]);

  std::vector<Purchases> fleets;
  std::size_t steps = 0;
  const auto is_too_much = [&] { return steps > kMaxFillSteps || fleets.size() > most; };
  Purchases fleet;
  // Adds the fleets that begin with `fleet` and buy the rest at `place` or after it. `credits`: the most that surplus
  // credits of the fleet so far, and of the cluster, can add to `cost`.
  const auto add_fleets = [&](const auto& self, std::size_t place, MicroUsd cost, MicroUsd credits) -> void {
    // The next place whose price the rest of the money pays for: of a thousand types on sale few are left once some
    // instances are bought. Each place that is passed counts as a step.
    const std::size_t first = place;
    const MicroUsd rest = range.most - cost;
    while (place < places.size() && prices[place] > rest)
      place = cheapest_from[place] > rest ? places.size() : place + 1;
    steps += place - first + 1;
    if (is_too_much()) return;
    if (place == places.size()) {
      if (cost + credits >= range.least && is_worth_it(fleet)) fleets.push_back(fleet);
      return;
    }
    self(self, place + 1, cost, credits);
    const auto& [offer, zone] = places[place];
    const MicroUsd price = prices[place];
    const std::int64_t affordable = price > 0 ? rest / price : kMaxForNothing;
    const std::int64_t most_here = std::min(affordable, market.offers[offer].limit);
    for (std::int64_t count = 1; count <= most_here && !is_too_much(); ++count) {
      fleet.push_back({offer, zone, count});
      self(self, place + 1, cost + count * price, credits + count * credits_of[place]);
      fleet.pop_back();
    }
  };
  add_fleets(add_fleets, 0, 0, most_credits(market, {}));
  if (is_too_much()) return {};
  std::sort(fleets.begin(), fleets.end(), [&](const Purchases& a, const Purchases& b) {
    return std::pair(compute_rank(market, a), a) < std::pair(compute_rank(market, b), b);
  });
  return fleets;
}

constexpr int kGrowths = 60;
/// From here on more is bought than what was left asks for: the orders push each other's tasks about.
constexpr int kPatientGrowths = 12;
/// A search ends after this many consecutive purchases that leave the same tasks unplaced: the instance types that it
/// buys cannot run them.
constexpr int kFruitlessGrowths = 6;
/// Number of fleets that is small enough to try all of them.
constexpr std::size_t kFewFleets = 4'000;

}  // namespace

FillSearch::FillSearch(const SearchSpace& space, LaunchTrials& trials)
    : space_(space),
      trials_(trials),
      room_(space.market, space.question),
      top_up_(space.market, space.question, space.request, space.policy) {}

bool FillSearch::may_be_better(const Purchases& fleet) const {
  return !best_rank_ || compute_rank(space_.market, fleet) < *best_rank_;
}

FleetRank FillSearch::rank(const Purchases& fleet) {
  auto rank = compute_rank(space_.market, fleet);
  std::get<0>(rank) += trials_.credits(fleet);
  return rank;
}

void FillSearch::keep(const Purchases& fleet) {
  auto own = rank(fleet);
  if (best_rank_ && own >= *best_rank_) return;
  best_ = fleet;
  best_rank_ = std::move(own);
  confirmed_.reset();
}

bool FillSearch::try_fleet(const Purchases& fleet) {
  const auto most = hourly_cost(space_.market, fleet) + most_credits(space_.market, fleet);
  return most >= space_.lower_bound && room_.may_hold_all(fleet) &&
         is_allowed(space_.market, fleet, space_.request.most_types) && !trials_.effort().is_exhausted() &&
         trials_.fills(fleet);
}

std::optional<Purchases> FillSearch::grown(Purchases fleet) {
  Leftover before;
  int fruitless = 0;
  for (int round = 0; round < kGrowths && !trials_.effort().is_exhausted(); ++round) {
    auto left = trials_.leftover(fleet);
    if (!left) return fleet;
    fruitless = *left == before ? fruitless + 1 : 0;
    if (fruitless == kFruitlessGrowths) return std::nullopt;
    packing::Effort packing;
    const auto more = top_up_.for_tasks(*left, fleet, packing);
    trials_.effort().spent += packing.spent() / kPackingEffortOfPlacement;
    if (!more) return std::nullopt;
    before = *std::move(left);
    for (Purchase one : *more) {
      if (round >= kPatientGrowths) one.count *= 2;
      fleet = changed(std::move(fleet), one);
    }
    if (!is_allowed(space_.market, fleet, space_.request.most_types)) return std::nullopt;
  }
  return std::nullopt;
}

/// Removes as many instances of the purchase as can be spared. The rest may have to do more above its baseline: the
/// fleet does not get dearer.
Purchases FillSearch::with_fewer(const Purchases& fleet, Purchase purchase) {
  const auto without = [&](std::int64_t count) {
    return changed(fleet, {purchase.offer, purchase.availability_zone, -count});
  };
  const auto is_good = [&](std::int64_t count) {
    const auto fewer = without(count);
    return try_fleet(fewer) && cost(fewer) <= cost(fleet);
  };
  std::int64_t good = 0;
  std::int64_t bad = purchase.count + 1;
  for (std::int64_t step = 1; good + 1 < bad; step *= 2) {
    const std::int64_t next = std::min(good + step, bad - 1);
    if (!is_good(next)) {
      bad = next;
      break;
    }
    good = next;
  }
  while (good + 1 < bad) {
    const std::int64_t middle = good + (bad - good) / 2;
    (is_good(middle) ? good : bad) = middle;
  }
  return without(good);
}

Purchases FillSearch::shrunk(Purchases fleet) {
  Purchases dearest_first = fleet;
  std::stable_sort(dearest_first.begin(), dearest_first.end(), [&](const Purchase& a, const Purchase& b) {
    return space_.market.offers[a.offer].hourly_price > space_.market.offers[b.offer].hourly_price;
  });
  for (const Purchase& purchase : dearest_first) fleet = with_fewer(fleet, purchase);
  return fleet;
}

void FillSearch::begin_at(const Purchases& start) {
  if (const auto fleet = grown(start)) keep(shrunk(*fleet));
}

bool FillSearch::confirm(std::int64_t count) {
  confirmed_ = trials_.confirmed(*best_, count);
  if (confirmed_) return true;
  const Purchases failed = std::move(*best_);
  best_.reset();
  best_rank_.reset();
  begin_at(failed);
  return false;
}

bool FillSearch::exchange_once() {
  for (const Exchange& exchange : cheaper_exchanges(space_.market, space_.question, *best_)) {
    if (trials_.effort().is_exhausted()) return false;
    Purchases fleet = exchanged(*best_, exchange);
    if (!may_be_better(fleet) || !try_fleet(fleet) || rank(fleet) >= *best_rank_) continue;
    // What was good once is often good again: twice as much each time.
    for (Exchange more = exchange; can_be_exchanged(fleet, more); more = doubled(more)) {
      const Purchases next = exchanged(fleet, more);
      if (!try_fleet(next) || cost(next) > cost(fleet) || rank(next) >= *best_rank_) break;
      fleet = next;
    }
    keep(shrunk(std::move(fleet)));
    return true;
  }
  return false;
}

void FillSearch::exchange() {
  while (best_ && exchange_once()) {
  }
}

void FillSearch::try_all() {
  if (!best_) return;
  const auto is_worth_it = [&](const Purchases& fleet) {
    return room_.may_hold_all(fleet) && is_allowed(space_.market, fleet, space_.request.most_types);
  };
  const CostRange range{space_.lower_bound, *best_cost()};
  for (const Purchases& fleet : all_fleets(space_.market, space_.question, range, kFewFleets, is_worth_it)) {
    if (!may_be_better(fleet) || trials_.effort().is_exhausted()) return;
    if (!try_fleet(fleet)) continue;
    keep(fleet);
    // Without credits the first is the cheapest.
    if (trials_.credits(fleet) == 0) return;
  }
}

}  // namespace bayplan::fleet
