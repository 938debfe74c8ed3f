#include "catalog/extra_prices.hpp"

#include <cmath>

#include "base/strings.hpp"
#include "embedded/extra_prices.hpp"

namespace bayplan::catalog {

std::optional<ExtraPrice> extra_price(std::string_view item, std::string_view region) {
  enum Column : std::size_t { kItem, kRegion, kUsd, kUnit, kDate, kSource, kColumns };
  std::optional<ExtraPrice> found;
  for (const auto line : split(embedded::extra_prices(), '\n')) {
    const auto cells = split(line, ',');
    if (cells.size() != kColumns || cells[kItem] != item) continue;
    const bool is_general = cells[kRegion].empty();
    if (!is_general && cells[kRegion] != region) continue;
    if (is_general && found) continue;
    found = ExtraPrice{std::llround(to_number(cells[kUsd]).value_or(0) * kNanoUsdPerUsd), std::string(cells[kDate]),
                       std::string(cells[kSource])};
  }
  return found;
}

}  // namespace bayplan::catalog
