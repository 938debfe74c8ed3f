#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/packing_problem.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// A number of instances of one offer in one zone.
struct Purchase {
  std::uint32_t offer = 0;        ///< Index into Market::offers.
  std::string availability_zone;  ///< Empty = any.
  std::int64_t count = 0;
  bool operator==(const Purchase&) const = default;
  bool operator<(const Purchase& other) const {
    return std::tie(offer, availability_zone, count) < std::tie(other.offer, other.availability_zone, other.count);
  }
};

/// Sorted by offer and zone, each pair once, counts at least 1. Existing instances are not in it.
using Purchases = std::vector<Purchase>;

/// Profile of one instance of the offer, in the zone unless that is empty.
placement::InstanceProfile profile_of(const Offer& offer, const std::string& availability_zone);

MicroUsd hourly_cost(const Market& market, const Purchases& purchases);
std::int64_t instances_of(const Purchases& purchases);

/// Where bins that hold this are bought: empty when their tasks may be in any of the zones.
std::string zone_of(const Question& question, const packing::Pattern& pattern);

/// What the bins of a packing are bought as.
Purchases compute_purchases(const Question& question, const Market& market, const packing::Packing& packing);

/// Purchases in a market with other offers, as purchases in the whole market: `offers` has the offer of the whole for
/// each of the other.
Purchases in_whole_market(Purchases purchases, const std::vector<std::uint32_t>& offers);

/// The instances dealt to the zones in turn, offer by offer, so that no zone has two more of an offer than another;
/// those bound to a zone stay there.
Purchases dealt(const Purchases& purchases, const std::vector<std::string>& zones);

/// The scenario with these instances behind those that it keeps (`keeps_cluster`; else in place of all its own, and of
/// what runs there). Ids are "<instanceType>#<n>".
placement::Scenario with_purchases(const placement::Scenario& scenario, const Market& market,
                                   const Purchases& purchases, bool keeps_cluster);

}  // namespace bayplan::fleet
