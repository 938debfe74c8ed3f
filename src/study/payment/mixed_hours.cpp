#include "study/payment/mixed_hours.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

namespace bayplan::study {

using fleet::Commitment;
using fleet::CommitmentType;
using fleet::HourlyDemand;
using fleet::Market;

namespace {

/// Of one commitment, all fleets together.
constexpr std::size_t kMostAmounts = 12;

/// At most kMostAmounts of them, the nearest to `amount` first: what is cheapest for all hours is rarely far from what
/// is cheapest for the fleets known so far.
std::vector<std::int64_t> nearest_first(const std::set<std::int64_t>& amounts, std::int64_t amount) {
  std::vector<std::int64_t> all(amounts.begin(), amounts.end());
  if (all.size() > kMostAmounts) {
    std::vector<std::int64_t> few;
    for (std::size_t i = 0; i < kMostAmounts; ++i) few.push_back(all[i * (all.size() - 1) / (kMostAmounts - 1)]);
    all = std::move(few);
  }
  std::stable_sort(all.begin(), all.end(), [amount](std::int64_t left, std::int64_t right) {
    return std::abs(left - amount) < std::abs(right - amount);
  });
  return all;
}

}  // namespace

HourlyDemand demand_of(const Market& market, const HourlyFleet& fleet, std::int64_t hours) {
  // No commitment covers CPU credits.
  HourlyDemand demand{hours, {}, fleet.hourly_cost - fleet::hourly_cost(market, fleet.purchases)};
  for (const auto& purchase : fleet.purchases) {
    const auto& offer = market.offers[purchase.offer];
    const MicroUsd cost = offer.hourly_price * purchase.count;
    if (market.has_spot_prices) {
      demand.other += cost;
    } else if (cost > 0) {
      demand.instances.push_back({offer.profile.instance_type, purchase.count, offer.hourly_price});
    }
  }
  return demand;
}

void add_fleet(std::vector<HourlyFleet>& fleets, HourlyFleet fleet) {
  const auto is_packed = [](const HourlyFleet& one) { return one.evidence == FleetEvidence::kPacked; };
  if (is_packed(fleet) && !std::all_of(fleets.begin(), fleets.end(), is_packed)) return;
  if (!is_packed(fleet)) std::erase_if(fleets, is_packed);
  const bool is_known = std::any_of(fleets.begin(), fleets.end(),
                                    [&](const HourlyFleet& other) { return other.purchases == fleet.purchases; });
  if (!is_known) fleets.push_back(std::move(fleet));
}

MixedHours mix_hours(const Market& market, const FleetsOfLevels& fleets, const LoadCurve& curve,
                     const std::vector<Commitment>& stated, std::vector<Commitment> start, NanoUsd extras) {
  const auto extras_of = [&](const HourlyFleet& fleet) { return extras * fleet::instances_of(fleet.purchases); };
  std::optional<MixedHours> best;
  for (;;) {
    MixedHours mix;
    std::vector<HourlyDemand> demand;
    NanoUsd extras_of_all = 0;
    for (std::size_t i = 0; i < fleets.size(); ++i) {
      const auto cost = [&](const HourlyFleet& fleet) {
        return fleet::bill(demand_of(market, fleet, 1), start).total() + extras_of(fleet);
      };
      const HourlyFleet* cheapest = nullptr;
      NanoUsd least = 0;
      for (const auto& fleet : fleets[i]) {
        const NanoUsd own = cost(fleet);
        if (cheapest != nullptr && own >= least) continue;
        cheapest = &fleet;
        least = own;
      }
      const std::int64_t hours = curve.levels[i].hours;
      demand.push_back(demand_of(market, *cheapest, hours));
      extras_of_all += extras_of(*cheapest) * hours;
      mix.levels.push_back(*cheapest);
    }
    mix.commitments = fleet::cheapest_commitments(demand, stated);
    mix.hourly =
        fleet::mean_cost(demand, mix.commitments) + extras_of_all / static_cast<std::int64_t>(curve.hours.size());
    if (best && mix.hourly >= best->hourly) return *std::move(best);
    start = mix.commitments;
    best = std::move(mix);
  }
}

std::vector<std::vector<Commitment>> amounts_to_try(const Market& market, const FleetsOfLevels& fleets,
                                                    const MixedHours& mix, const std::vector<Commitment>& stated) {
  std::vector<std::vector<Commitment>> list = {mix.commitments};
  for (std::size_t c = 0; c < stated.size(); ++c) {
    if (stated[c].amount || stated[c].type == CommitmentType::kComputeSavingsPlan) continue;
    std::set<std::int64_t> of_mix;
    for (const auto& fleet : mix.levels) of_mix.insert(fleet::amount_for_all(stated[c], demand_of(market, fleet, 1)));
    std::set<std::int64_t> of_all;
    std::optional<HourlyDemand> least;  // one instance of the least type that runs
    for (const auto& level : fleets) {
      for (const auto& fleet : level) {
        const auto demand = demand_of(market, fleet, 1);
        of_all.insert(fleet::amount_for_all(stated[c], demand));
        for (const auto& running : demand.instances) {
          const bool is_less = !least || running.hourly_price < least->instances.front().hourly_price;
          if (is_less && fleet::covers(stated[c], running.instance_type))
            least = HourlyDemand{1, {{running.instance_type, 1, running.hourly_price}}, 0};
        }
      }
    }
    // A fleet that mixes covered types with others may not be among those known so far: also try the amounts of a
    // number of covered instances.
    if (least) {
      const std::int64_t most = *of_all.rbegin();
      auto& count = least->instances.front().count;
      const std::int64_t instances = most / fleet::amount_for_all(stated[c], *least);
      const std::int64_t step = std::max<std::int64_t>(1, instances / static_cast<std::int64_t>(kMostAmounts));
      for (count = step; fleet::amount_for_all(stated[c], *least) < most; count += step)
        of_all.insert(fleet::amount_for_all(stated[c], *least));
    }
    for (const auto& amounts : {of_mix, of_all}) {
      for (const auto amount : nearest_first(amounts, *mix.commitments[c].amount)) {
        auto& one = list.emplace_back(mix.commitments);
        one[c].amount = amount;
      }
    }
  }
  return list;
}

}  // namespace bayplan::study
