#include "report/document/prices.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/price_age.hpp"
#include "report/document/json_parts.hpp"

namespace bayplan::report {

capacity::PriceRange find_price_range(const placement::Scenario& scenario) {
  std::map<std::string, const catalog::InstanceType*> by_name;
  std::vector<std::string> unknown;
  for (const auto& profile : scenario.profiles) {
    if (profile.type != nullptr) {
      by_name.emplace(profile.type->name, profile.type);
    } else if (!profile.instance_type.empty() &&
               std::find(unknown.begin(), unknown.end(), profile.instance_type) == unknown.end()) {
      unknown.push_back(profile.instance_type);
    }
  }
  std::vector<const catalog::InstanceType*> types;
  for (const auto& [name, type] : by_name) types.push_back(type);
  auto prices = capacity::price_range(types, scenario.region);
  prices.unpriced.insert(prices.unpriced.end(), unknown.begin(), unknown.end());
  return prices;
}

std::string price_days(const std::string& oldest, const std::string& newest) {
  return oldest == newest ? newest : oldest + " to " + newest;
}

std::string old_price_words(std::int64_t old, std::int64_t all) {
  if (old == 0) return {};
  return fmt::format("; {}over {} days older than the newest of the data ({}): fleet --prices FILE takes current ones",
                     old == all ? std::string() : fmt::format("{} of {} ", old, all), catalog::kOldPriceDays,
                     catalog::newest_price_day());
}

std::string price_words(const capacity::PriceRange& prices) {
  if (prices.oldest.empty()) return "No known prices for " + prices.region;
  std::string text = "Prices: Linux on demand, " + prices.region + ", " + price_days(prices.oldest, prices.newest);
  const auto name_types = [](const std::vector<std::string>& types) {
    return types.size() == 1 ? types.front() : count_of(static_cast<std::int64_t>(types.size()), "type");
  };
  if (!prices.unpriced.empty()) text += "; none for " + name_types(prices.unpriced);
  if (!prices.estimated.empty()) text += "; estimated for " + name_types(prices.estimated);
  return text + old_price_words(prices.old, prices.priced);
}

void write_prices_json(JsonWriter& json, const capacity::PriceRange& prices) {
  json.key("prices").begin_object(JsonWriter::Layout::kLine).member("region", prices.region);
  json.member_or_null("oldest", prices.oldest);
  json.member_or_null("newest", prices.newest);
  write_list(json, "unpriced", prices.unpriced);
  write_list(json, "estimated", prices.estimated);
  json.end_object();
}

}  // namespace bayplan::report
