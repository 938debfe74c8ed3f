#include "fleet/recommended/fleet_rank.hpp"

#include <algorithm>
#include <map>

namespace bayplan::fleet {
namespace {

std::map<std::string, std::int64_t> vcpus_by_quota(const Market& market, const Purchases& purchases) {
  std::map<std::string, std::int64_t> vcpus;
  for (const Purchase& one : purchases) {
    const Offer& offer = market.offers[one.offer];
    vcpus[offer.quota] += vcpus_of(offer.profile) * one.count;
  }
  return vcpus;
}

/// Instances of all offers of one type.
std::int64_t count_of_type(const Market& market, const Purchases& purchases, const std::string& type) {
  std::int64_t count = 0;
  for (const Purchase& one : purchases) count += market.offers[one.offer].profile.instance_type == type ? one.count : 0;
  return count;
}

MicroUsd spent_on(const Market& market, const Purchases& purchases, const SpendLimit& limit) {
  MicroUsd spent = 0;
  for (const Purchase& one : purchases) {
    const Offer& offer = market.offers[one.offer];
    if (offer.spend_limit == limit.name) spent += offer.spends * one.count;
  }
  return spent;
}

}  // namespace

FleetRank compute_rank(const Market& market, const Purchases& purchases) {
  auto types = list_types(market, purchases);
  const std::size_t count = types.size();
  return {hourly_cost(market, purchases), instances_of(purchases), count, std::move(types)};
}

Purchases changed(Purchases purchases, const Purchase& purchase) {
  const auto place = std::lower_bound(purchases.begin(), purchases.end(), purchase, [](const auto& a, const auto& b) {
    return std::tie(a.offer, a.availability_zone) < std::tie(b.offer, b.availability_zone);
  });
  const bool is_there = place != purchases.end() && place->offer == purchase.offer &&
                        place->availability_zone == purchase.availability_zone;
  if (!is_there) {
    if (purchase.count > 0) purchases.insert(place, purchase);
  } else if ((place->count += purchase.count) <= 0) {
    purchases.erase(place);
  }
  return purchases;
}

std::int64_t instances_of(const Purchases& purchases, std::uint32_t offer) {
  std::int64_t count = 0;
  for (const Purchase& one : purchases) count += one.offer == offer ? one.count : 0;
  return count;
}

std::vector<std::string> list_types(const Market& market, const Purchases& purchases) {
  std::vector<std::string> types;
  for (const Purchase& one : purchases) types.push_back(market.offers[one.offer].profile.instance_type);
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

bool is_allowed(const Market& market, const Purchases& purchases, std::int64_t most_types) {
  for (const Purchase& one : purchases) {
    if (instances_of(purchases, one.offer) > market.offers[one.offer].limit) return false;
  }
  for (const TypeLimit& limit : market.limits) {
    if (count_of_type(market, purchases, limit.instance_type) > limit.count) return false;
  }
  const auto vcpus = vcpus_by_quota(market, purchases);
  for (const QuotaLimit& limit : market.quotas) {
    const auto used = vcpus.find(limit.quota);
    if (used != vcpus.end() && used->second > limit.left()) return false;
  }
  for (const SpendLimit& limit : market.spend_limits) {
    if (spent_on(market, purchases, limit) > limit.hourly) return false;
  }
  return most_types == 0 || static_cast<std::int64_t>(list_types(market, purchases).size()) <= most_types;
}

std::vector<std::int64_t> room_for_more(const Market& market, const Purchases& purchases, std::int64_t most_types) {
  const auto vcpus = vcpus_by_quota(market, purchases);
  const auto types = list_types(market, purchases);
  const bool may_add_types = most_types == 0 || static_cast<std::int64_t>(types.size()) < most_types;
  std::vector<std::int64_t> room;
  for (std::uint32_t i = 0; i < market.offers.size(); ++i) {
    const Offer& offer = market.offers[i];
    std::int64_t more = offer.limit == packing::kUnlimited ? offer.limit : offer.limit - instances_of(purchases, i);
    for (const TypeLimit& limit : market.limits) {
      if (limit.instance_type == offer.profile.instance_type)
        more = std::min(more, limit.count - count_of_type(market, purchases, limit.instance_type));
    }
    for (const QuotaLimit& limit : market.quotas) {
      const std::int64_t each = vcpus_of(offer.profile);
      if (limit.quota != offer.quota || each == 0) continue;
      const auto used = vcpus.find(limit.quota);
      more = std::min(more, (limit.left() - (used == vcpus.end() ? 0 : used->second)) / each);
    }
    for (const SpendLimit& limit : market.spend_limits) {
      if (limit.name == offer.spend_limit && offer.spends > 0)
        more = std::min(more, (limit.hourly - spent_on(market, purchases, limit)) / offer.spends);
    }
    const bool has_type = std::binary_search(types.begin(), types.end(), offer.profile.instance_type);
    const bool may_buy = offer.standing.empty() && (may_add_types || has_type);
    room.push_back(may_buy ? std::max<std::int64_t>(0, more) : 0);
  }
  return room;
}

}  // namespace bayplan::fleet
