#include "fleet/prices.hpp"

#include "base/fill.hpp"
#include "base/strings.hpp"

namespace bayplan::fleet {

std::optional<catalog::Price> Prices::of(std::string_view instance_type, const catalog::InstanceType* type) const {
  const auto in_file = of_file_.find(instance_type);
  if (in_file != of_file_.end()) return in_file->second;
  if (type == nullptr || (!file_.empty() && !type->is_own)) return std::nullopt;
  return type->price_in(region_);
}

std::vector<std::string> Prices::regions_with_price(const catalog::InstanceType* type) const {
  std::vector<std::string> regions;
  if (type == nullptr || !file_.empty()) return regions;
  for (const auto& [region, price] : type->prices) regions.push_back(region);
  return regions;
}

std::optional<Prices::Elsewhere> Prices::elsewhere(const catalog::InstanceType& type) const {
  for (const std::string& region : {region_, std::string("us-east-1")}) {
    if (const auto price = type.price_in(region)) return Elsewhere{region, price->hourly};
  }
  std::optional<Elsewhere> dearest;
  for (const auto& [region, price] : type.prices) {
    if (!dearest || price.hourly > dearest->hourly) dearest = Elsewhere{region, price.hourly};
  }
  return dearest;
}

std::string Prices::why_none(const catalog::InstanceType* type) const {
  if (!file_.empty()) return "no price in " + file_;
  const auto regions = regions_with_price(type);
  if (regions.empty()) return "no price in any region";
  return fill("no price in {}; known in {}", {region_, one_of({regions.begin(), regions.end()}, "and")});
}

Prices load_prices(const std::string& path, const std::string& region, const Files& /*files*/,
                   std::vector<Error>& errors) {
  if (!path.empty()) errors.push_back({.message = "price files are not read yet", .file = path});
  return Prices(region);
}

}  // namespace bayplan::fleet
