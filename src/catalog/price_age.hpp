#pragma once
#include <cstdint>
#include <string_view>

/// How old prices are, by the data and not by the clock: the same input gives the same report on every day.
namespace bayplan::catalog {

/// Prices that are older than the newest of the data by more days than this are reported.
inline constexpr std::int64_t kOldPriceDays = 60;

/// The newest day of a price in the data, an ISO 8601 day.
std::string_view newest_price_day();

/// Days from `day`, an ISO 8601 day, to the newest day of a price; 0 for other texts.
std::int64_t days_behind(std::string_view day);

}  // namespace bayplan::catalog
