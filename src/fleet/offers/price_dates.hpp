#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "fleet/offers/purchase.hpp"

namespace bayplan::fleet {

/// Dates of the prices in a sum.
struct PriceDates {
  std::string oldest;             ///< ISO 8601 day; empty when no price has a date.
  std::string newest;             ///< ISO 8601 day; empty when no price has a date.
  std::int64_t dated = 0;         ///< Prices with a date.
  std::int64_t old = 0;           ///< Those over 60 days older than the newest of the data.
  std::set<std::string> sources;  ///< Keys of Catalog::sources() and price files.
};

/// Dates of the prices that are paid; what is owned costs nothing.
PriceDates price_dates(const Market& market, const Purchases& purchases);
/// Dates of all prices in the market.
PriceDates price_dates(const Market& market);

/// Of the types that are bought, those whose price is derived from other prices.
std::vector<Assumption> estimated_prices(const Market& market, const Purchases& purchases);

/// Where oldest and newest lie more than a year apart: a sum of prices that never held together.
std::optional<Assumption> mixed_dates(const PriceDates& dates);

}  // namespace bayplan::fleet
