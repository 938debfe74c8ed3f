#include "report/document/amounts.hpp"

#include <fmt/format.h>

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
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string hourly_and_monthly(MicroUsd per_hour) {
  return fmt::format("${}/h, about ${}/month at {} h", usd(per_hour), rounded_usd(per_hour * kHoursPerMonth),
                     kHoursPerMonth);
}

}  // namespace bayplan::report
