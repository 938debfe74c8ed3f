#include "study/payment/marginal_market.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "packing/packing_problem.hpp"

namespace bayplan::study {

using fleet::Commitment;
using fleet::Market;

namespace {

/// The lowest price of what the commitment covers; 0 where the market sells none of that.
MicroUsd lowest_price(const Market& market, const Commitment& commitment) {
  MicroUsd lowest = 0;
  for (const auto& offer : market.offers) {
    const bool is_bought = !offer.exists() && offer.hourly_price > 0;
    if (!is_bought || !fleet::covers(commitment, offer.profile.instance_type)) continue;
    lowest = lowest == 0 ? offer.hourly_price : std::min(lowest, offer.hourly_price);
  }
  return lowest;
}

}  // namespace

MarginalMarket marginal_market(const Market& market, const std::vector<Commitment>& commitments, MicroUsd extras,
                               StatedPlans stated) {
  constexpr MicroUsd kPartLeft = 1'000;  // so that of types that are paid the smaller fleet is bought
  MarginalMarket marginal{market, {}};
  marginal.market.offers.clear();
  const auto add = [&](fleet::Offer offer, std::uint32_t of_whole) {
    marginal.market.offers.push_back(std::move(offer));
    marginal.offers.push_back(of_whole);
  };
  std::vector<std::int64_t> reserved;  // of commitments: instances that no offer has yet
  for (std::size_t c = 0; c < commitments.size(); ++c) {
    const Commitment& one = commitments[c];
    reserved.push_back(one.amount.value_or(0));
    if (one.type == fleet::CommitmentType::kEc2InstanceSavingsPlan && one.amount && stated != StatedPlans::kDiscount) {
      const MicroUsd covered = fleet::covered_usage(one, *one.amount) / kNanoUsdPerMicroUsd;
      const MicroUsd more = stated == StatedPlans::kPaidInPart ? lowest_price(market, one) - 1 : 0;
      marginal.market.spend_limits.push_back({std::to_string(c), covered + std::max<MicroUsd>(0, more)});
    }
  }
  for (std::uint32_t i = 0; i < market.offers.size(); ++i) {
    fleet::Offer offer = market.offers[i];
    const bool is_bought = !offer.exists() && offer.hourly_price > 0;
    const std::string& type = offer.profile.instance_type;
    MicroUsd price = offer.hourly_price;
    for (std::size_t c = 0; c < commitments.size() && is_bought; ++c) {
      const Commitment& one = commitments[c];
      const auto discounted = std::max<MicroUsd>(
          1, static_cast<MicroUsd>(std::llround(static_cast<double>(offer.hourly_price) *
                                                (1 - static_cast<double>(one.discount_millionths) / 1e6))));
      switch (one.type) {
        case fleet::CommitmentType::kReservedInstances:
          if (!fleet::covers(one, type)) break;
          if (!one.amount) price = std::min(price, discounted);
          if (const auto count = std::min(reserved[c], offer.limit); count > 0) {
            fleet::Offer own = offer;
            own.hourly_price = extras;
            own.is_owned = true;
            own.limit = count;
            reserved[c] -= count;
            add(std::move(own), i);
          }
          break;
        case fleet::CommitmentType::kEc2InstanceSavingsPlan:
          if (!fleet::covers(one, type)) break;
          if (!one.amount || stated == StatedPlans::kDiscount) {
            price = std::min(price, discounted);
          } else {
            fleet::Offer own = offer;
            own.hourly_price = std::max<MicroUsd>(1, offer.hourly_price / kPartLeft) + extras;
            own.spend_limit = std::to_string(c);
            own.spends = offer.hourly_price;
            if (offer.limit != packing::kUnlimited) marginal.market.limits.push_back({type, offer.limit});
            add(std::move(own), i);
          }
          break;
        case fleet::CommitmentType::kComputeSavingsPlan:
          break;  // of every type: no type gets cheaper than another
      }
    }
    offer.hourly_price = offer.standing.empty() ? price + extras : price;
    add(std::move(offer), i);
  }
  return marginal;
}

MicroUsd on_demand_cost(const MarginalMarket& marginal, const Market& market, const fleet::Purchases& purchases,
                        MicroUsd cost) {
  return cost - fleet::hourly_cost(marginal.market, purchases) +
         fleet::hourly_cost(market, fleet::in_whole_market(purchases, marginal.offers));
}

fleet::Purchases in_marginal_market(const MarginalMarket& marginal, const fleet::Purchases& purchases) {
  fleet::Purchases own;
  for (auto one : purchases) {
    // The offer at the full price comes after those that a commitment pays.
    const auto last = std::find(marginal.offers.rbegin(), marginal.offers.rend(), one.offer);
    one.offer = static_cast<std::uint32_t>(std::distance(last, marginal.offers.rend()) - 1);
    own.push_back(std::move(one));
  }
  std::sort(own.begin(), own.end());
  return own;
}

}  // namespace bayplan::study
