#include "catalog/price_age.hpp"

#include <chrono>
#include <optional>

#include "base/strings.hpp"

namespace bayplan::catalog {

namespace {

std::optional<std::chrono::sys_days> parse_day(std::string_view day) {
  const auto parts = split(day, '-');
  if (parts.size() != 3) return std::nullopt;
  const auto year = to_integer(parts[0]);
  const auto month = to_integer(parts[1]);
  const auto number = to_integer(parts[2]);
  if (!year || !month || !number) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*number))};
  if (!date.ok()) return std::nullopt;
  return date;
}

}  // namespace

std::string_view newest_price_day() {
  return BAYPLAN_PRICES_DATE;
}

std::int64_t days_behind(std::string_view day) {
  const auto newest = parse_day(newest_price_day());
  const auto own = parse_day(day);
  return newest && own ? (*newest - *own).count() : 0;
}

}  // namespace bayplan::catalog
