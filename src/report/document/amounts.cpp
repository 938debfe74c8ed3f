#include "report/document/amounts.hpp"

#include <fmt/core.h>

#include "report/document/figures.hpp"

namespace bayplan::report {
namespace {

/// Whole dollars; amounts under ten have cents.
std::string rounded_usd(MicroUsd amount) {
  return amount < 10 * kMicroUsdPerUsd ? fmt::format("{:.2f}", usd_number(amount))
                                       : with_separators((amount + kMicroUsdPerUsd / 2) / kMicroUsdPerUsd);
}

}  // namespace

std::string with_separators(std::int64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string monthly_cell(MicroUsd per_hour) {
  return rounded_usd(per_hour * kHoursPerMonth);
}

std::string monthly(MicroUsd per_hour) {
  return "$" + monthly_cell(per_hour);
}

std::string yearly_cell(MicroUsd per_hour) {
  return rounded_usd(per_hour * kHoursPerYear);
}

std::string yearly(MicroUsd per_hour) {
  return "$" + yearly_cell(per_hour);
}

std::string hourly_and_monthly(MicroUsd per_hour) {
  return fmt::format("${}/h, about {}/month at {} h", usd(per_hour), monthly(per_hour), kHoursPerMonth);
}

std::string hourly_with_month(MicroUsd per_hour) {
  return fmt::format("${}/h, {}/month", usd(per_hour), monthly(per_hour));
}

std::string signed_cost(MicroUsd difference) {
  const auto amount = difference < 0 ? -difference : difference;
  const char sign = difference < 0 ? '-' : '+';
  return fmt::format("{}${}/h, {}{}/month", sign, usd(amount), sign, monthly(amount));
}

std::string added_cost(const std::optional<MicroUsd>& per_hour) {
  if (!per_hour) return "price unknown";
  return *per_hour == 0 ? "+$0/h" : signed_cost(*per_hour);
}

}  // namespace bayplan::report
