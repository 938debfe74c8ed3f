#pragma once
#include <cstdint>
#include <string>

#include "base/json_writer.hpp"
#include "capacity/fit.hpp"
#include "placement/model/scenario.hpp"

/// Where the prices of a report come from.
namespace bayplan::report {

/// Prices of the instance types of a scenario.
capacity::PriceRange find_price_range(const placement::Scenario& scenario);

/// "Prices: Linux on demand, us-east-1, 2026-07-20; none for g5.xlarge"
std::string price_words(const capacity::PriceRange& prices);

/// "; over 60 days older than the newest of the data (2026-09-05): fleet --prices FILE takes current ones", of `old` of
/// all prices; empty when none is.
std::string old_price_words(std::int64_t old, std::int64_t all);

/// "2026-07-20", "2026-07-20 to 2026-08-02"; empty without any.
std::string price_days(const std::string& oldest, const std::string& newest);

/// Member "prices": region, days, and the types without a price.
void write_prices_json(JsonWriter& json, const capacity::PriceRange& prices);

}  // namespace bayplan::report
