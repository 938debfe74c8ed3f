#include "catalog/region_prices.hpp"

#include <cmath>
#include <set>

#include "base/strings.hpp"
#include "catalog/cells.hpp"

namespace bayplan::catalog {

namespace {

MicroUsd micro_usd(std::string_view price) {
  return std::llround(to_number(price).value_or(0) * kMicroUsdPerUsd);
}

}  // namespace

std::optional<Price> RegionPrices::in(std::string_view region) const {
  if (const auto stated = stated_.find(region); stated != stated_.end()) return stated->second;
  for (const Row& row : rows_) {
    auto regions = row.regions;
    auto prices = row.prices;
    while (!regions.empty() && !prices.empty()) {
      const auto name = take_until(regions, ',');
      const auto price = take_until(prices, ',');
      if (name == region && !price.empty())
        return Price{micro_usd(price), std::string(row.date), std::string(row.source)};
    }
  }
  return std::nullopt;
}

std::vector<std::string> RegionPrices::regions() const {
  std::set<std::string> found;
  for (const auto& [region, price] : stated_) found.insert(region);
  for (const Row& row : rows_) {
    auto regions = row.regions;
    auto prices = row.prices;
    while (!regions.empty() && !prices.empty()) {
      const auto name = take_until(regions, ',');
      if (!take_until(prices, ',').empty()) found.emplace(name);
    }
  }
  return {found.begin(), found.end()};
}

PriceTables::PriceTables(std::string_view csv) {
  RegionPrices::Row row;
  for (auto line : lines_of(csv)) {
    auto name = take_until(line, ',');
    if (name.find('@') == std::string_view::npos) {
      row.prices = line;
      rows_.emplace(name, row);
    } else {
      row.source = take_until(name, '@');
      row.date = name;
      row.regions = line;
      headers_.push_back(line);
    }
  }
}

RegionPrices PriceTables::of(std::string_view instance_type) const {
  RegionPrices prices;
  const auto [first, last] = rows_.equal_range(instance_type);
  for (auto row = first; row != last; ++row) prices.add(row->second);
  return prices;
}

std::vector<std::string> PriceTables::regions() const {
  std::set<std::string> found;
  for (auto header : headers_) {
    while (!header.empty()) found.emplace(take_until(header, ','));
  }
  return {found.begin(), found.end()};
}

}  // namespace bayplan::catalog
