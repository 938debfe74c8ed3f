#include "fleet/offers/price_dates.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/price_age.hpp"

namespace bayplan::fleet {

namespace {

/// Compares ISO 8601 days, which sort as texts.
bool is_over_a_year(const std::string& oldest, const std::string& newest) {
  constexpr std::size_t kYear = 4;
  const auto year = to_integer(std::string_view(oldest).substr(0, kYear));
  return year && newest > std::to_string(*year + 1) + oldest.substr(kYear);
}

void add(const Offer& offer, PriceDates& dates) {
  if (!offer.listed || offer.exists()) return;
  if (!offer.listed->source.empty()) dates.sources.insert(offer.listed->source);
  const std::string& date = offer.listed->date;
  if (date.empty()) return;
  if (dates.oldest.empty() || date < dates.oldest) dates.oldest = date;
  if (date > dates.newest) dates.newest = date;
  ++dates.dated;
  if (catalog::days_behind(date) > catalog::kOldPriceDays) ++dates.old;
}

}  // namespace

PriceDates price_dates(const Market& market, const Purchases& purchases) {
  PriceDates dates;
  for (const Purchase& one : purchases) add(market.offers[one.offer], dates);
  return dates;
}

PriceDates price_dates(const Market& market) {
  PriceDates dates;
  for (const Offer& offer : market.offers) add(offer, dates);
  return dates;
}

std::vector<Assumption> estimated_prices(const Market& market, const Purchases& purchases) {
  std::vector<Assumption> all;
  for (const Purchase& one : purchases) {
    const Offer& offer = market.offers[one.offer];
    if (!offer.listed || !offer.listed->is_estimated() || offer.exists()) continue;
    Assumption assumption{"price-estimated", offer.profile.instance_type,
                          fmt::format("no price of {} in {} is known: that of other sizes or of us-east-1 is used ({})",
                                      offer.profile.instance_type, market.region, offer.listed->source)};
    if (std::find(all.begin(), all.end(), assumption) == all.end()) all.push_back(std::move(assumption));
  }
  return all;
}

std::optional<Assumption> mixed_dates(const PriceDates& dates) {
  if (dates.oldest.empty() || !is_over_a_year(dates.oldest, dates.newest)) return std::nullopt;
  return Assumption{
      "price-dates-apart", "",
      fmt::format("the sum mixes prices of {} and {}, more than a year apart", dates.oldest, dates.newest)};
}

}  // namespace bayplan::fleet
