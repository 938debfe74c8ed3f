#include "fleet/recommended/exchanges.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "fleet/recommended/fleet_rank.hpp"

namespace bayplan::fleet {
namespace {

constexpr std::int64_t kMaxOfOneSide = 8;
constexpr std::size_t kCheapestPerShape = 3;

using Place = std::pair<std::uint32_t, std::string>;  ///< Offer and zone.

/// Bin types by the price of one task of the shape, when the bin holds such tasks alone.
std::vector<std::uint32_t> cheapest_bins(const Question& question, const packing::Shape& shape) {
  std::vector<std::pair<double, std::uint32_t>> bins;
  for (std::uint32_t i = 0; i < question.bins.size(); ++i) {
    const std::int64_t copies = packing::most_copies(question.problem, shape, i);
    if (copies > 0)
      bins.emplace_back(static_cast<double>(question.problem.types[i].price) / static_cast<double>(copies), i);
  }
  std::sort(bins.begin(), bins.end());
  if (bins.size() > kCheapestPerShape) bins.resize(kCheapestPerShape);
  std::vector<std::uint32_t> result;
  for (const auto& bin : bins) result.push_back(bin.second);
  return result;
}

}  // namespace

std::set<Place> places_to_buy(const Market& market, const Question& question, const Purchases& fleet) {
  std::set<Place> places;
  for (const Purchase& one : fleet) places.emplace(one.offer, one.availability_zone);
  for (const packing::Shape& shape : question.problem.shapes) {
    for (const std::uint32_t bin : cheapest_bins(question, shape))
      places.emplace(question.bins[bin].offer, question.bins[bin].availability_zone);
  }
  std::erase_if(places, [&](const Place& place) { return !market.offers[place.first].standing.empty(); });
  return places;
}

std::vector<Exchange> cheaper_exchanges(const Market& market, const Question& question, const Purchases& fleet) {
  std::vector<Exchange> exchanges;
  const auto add = [&](const Purchase& out, const Purchase& in) {
    const Offer& given = market.offers[out.offer];
    // Credits that the instances given may have cost can be saved, too.
    const MicroUsd saving = out.count * (given.hourly_price + most_credits(market.credits, given.profile)) -
                            in.count * market.offers[in.offer].hourly_price;
    if (saving >= 0) exchanges.push_back({out, in, saving});
  };
  for (const auto& [offer, zone] : places_to_buy(market, question, fleet)) {
    for (const Purchase& out : fleet) {
      if (out.offer == offer && out.availability_zone == zone) continue;
      for (std::int64_t count = 1; count <= kMaxOfOneSide; ++count) {
        add({out.offer, out.availability_zone, 1}, {offer, zone, count});
        if (count > 1 && count <= out.count) add({out.offer, out.availability_zone, count}, {offer, zone, 1});
      }
    }
  }
  std::stable_sort(exchanges.begin(), exchanges.end(), [](const Exchange& a, const Exchange& b) {
    return std::tie(a.saving, a.out, a.in) < std::tie(b.saving, b.out, b.in);
  });
  return exchanges;
}

bool can_be_exchanged(const Purchases& fleet, const Exchange& exchange) {
  return std::any_of(fleet.begin(), fleet.end(), [&](const Purchase& one) {
    return one.offer == exchange.out.offer && one.availability_zone == exchange.out.availability_zone &&
           one.count >= exchange.out.count;
  });
}

Purchases exchanged(const Purchases& fleet, const Exchange& exchange) {
  const Purchase& out = exchange.out;
  return changed(changed(fleet, {out.offer, out.availability_zone, -out.count}), exchange.in);
}

Exchange doubled(Exchange exchange) {
  exchange.out.count *= 2;
  exchange.in.count *= 2;
  return exchange;
}

}  // namespace bayplan::fleet
