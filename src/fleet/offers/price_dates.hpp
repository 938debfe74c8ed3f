#pragma once
#include <optional>
#include <set>
#include <string>

#include "base/assumption.hpp"
#include "fleet/offers/purchase.hpp"

namespace bayplan::fleet {

/// Of when the prices in a sum are.
struct PriceDates {
  std::string oldest;             ///< ISO 8601 day; empty when no price has a date.
  std::string newest;             ///< ISO 8601 day; empty when no price has a date.
  std::set<std::string> sources;  ///< Keys of Catalog::sources() and price files.
};

/// Of what is paid for; what is owned costs nothing.
PriceDates price_dates(const Market& market, const Purchases& purchases);
/// Of all that may be bought.
PriceDates price_dates(const Market& market);

/// Where oldest and newest lie more than a year apart: a sum of prices that never held together.
std::optional<Assumption> mixed_dates(const PriceDates& dates);

}  // namespace bayplan::fleet
