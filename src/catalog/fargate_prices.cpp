#include "catalog/fargate_prices.hpp"

#include <algorithm>
#include <cmath>

#include "base/strings.hpp"
#include "embedded/fargate_prices.hpp"

namespace bayplan::catalog {

namespace {

enum Column : std::size_t { kRegion, kPlatform, kVcpu, kGb, kLicense, kDate, kSource, kColumns };

NanoUsd nano_usd(std::string_view usd) {
  return usd.empty() ? 0 : std::llround(to_number(usd).value_or(0) * kNanoUsdPerUsd);
}

}  // namespace

FargatePrices fargate_prices(std::string_view region) {
  FargatePrices prices;
  for (const auto line : split(embedded::fargate_prices(), '\n')) {
    if (!line.starts_with(region)) continue;
    const auto cells = split(line, ',');
    if (cells.size() != kColumns || cells[kRegion] != region) continue;
    const auto platform = std::find(kFargatePlatforms.begin(), kFargatePlatforms.end(), cells[kPlatform]);
    if (platform == kFargatePlatforms.end()) continue;
    prices[static_cast<std::size_t>(platform - kFargatePlatforms.begin())] = {
        nano_usd(cells[kVcpu]), nano_usd(cells[kGb]), nano_usd(cells[kLicense]), std::string(cells[kDate]),
        std::string(cells[kSource])};
  }
  return prices;
}

}  // namespace bayplan::catalog
