#include "catalog/price_age.hpp"

#include "base/date_time.hpp"

namespace bayplan::catalog {

std::string_view newest_price_day() {
  return BAYPLAN_PRICES_DATE;
}

std::int64_t days_behind(std::string_view day) {
  constexpr std::int64_t kSecondsPerDay = 86'400;
  const auto newest = parse_date_time(newest_price_day());
  const auto own = parse_date_time(day);
  return newest && own ? (*newest - *own) / kSecondsPerDay : 0;
}

}  // namespace bayplan::catalog
