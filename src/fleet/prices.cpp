#include "fleet/prices.hpp"

#include <algorithm>

#include "base/fill.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "fleet/price_file.hpp"

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
  if (regions.empty()) return type != nullptr && type->is_own ? "no hourlyPrice stated" : "no price in any region";
  return fill("no price in {}; known in {}", {region_, one_of({regions.begin(), regions.end()}, "and")});
}

namespace {

/// Names that nobody knows, of a table that somebody wrote: slips, or types newer than the catalog.
std::optional<Assumption> unknown_types(const PriceFile& file, const std::string& path, const TypeNames& names) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> unknown;
  for (const auto& [type, price] : file.prices) {
    if (!names.is_type(type)) unknown.push_back(printable(type));
  }
  if (file.kind != PriceFileKind::kTable || unknown.empty()) return std::nullopt;
  const std::size_t shown = std::min(kMost, unknown.size());
  std::string text = fill("{} has prices of types that are not known and not planned with: {}",
                          {path, join({unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ")});
  if (unknown.size() > shown) text += fill(" and {} more", {unknown.size() - shown});
  return Assumption{"price-type-unknown", path, std::move(text)};
}

Assumption spot_prices(const PriceFile& file, const std::string& path) {
  const std::string where = file.zones.size() < 2 ? "" : fill(", the dearest of {} zones'", {file.zones.size()});
  return {"spot-prices", path,
          fill("prices are the newest spot prices of {}{}: they change by the hour", {path, where})};
}

}  // namespace

LoadedPrices load_prices(const std::string& path, const std::string& region, const TypeNames& names, const Files& files,
                         const Limits& limits) {
  if (path.empty()) return {Prices(region), {}, {}};
  PriceFile file = read_price_file(path, region, files, limits);
  std::vector<Assumption> assumptions;
  if (file.kind == PriceFileKind::kSpotHistory) assumptions.push_back(spot_prices(file, path));
  if (auto unknown = unknown_types(file, path, names)) {
    if (!file.errors.empty()) {  // assumptions of a run that ends here are not told
      file.errors.push_back({.message = unknown->text, .help = "a slip, or types newer than the catalog"});
    }
    assumptions.push_back(std::move(*unknown));
  }
  return {Prices(region, path, std::move(file.prices)), std::move(assumptions), std::move(file.errors)};
}

}  // namespace bayplan::fleet
