#include "catalog/region.hpp"

#include <set>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::catalog {

Result<std::string> known_region(const Catalog& catalog, const std::string& region) {
  const auto& priced = catalog.priced_regions();
  std::set<std::string_view> regions(priced.begin(), priced.end());
  for (const auto& type : catalog.types()) regions.insert(type.regions.names().begin(), type.regions.names().end());
  if (regions.contains(region)) return region;
  const auto near = nearest(region, {regions.begin(), regions.end()});
  if (near) return Error{.message = "unknown region '" + region + "'; did you mean '" + std::string(*near) + "'?"};
  return Error{.message = "unknown region '" + region + "'",
               .help = "Prices are known for " + one_of({priced.begin(), priced.end()}, "and") + "."};
}

std::optional<std::string> region_of_zone(std::string_view zone) {
  const auto first = zone.find('-');
  const auto digits = zone.find_first_of("0123456789");
  if (first == std::string_view::npos || digits == std::string_view::npos || digits < first) return std::nullopt;
  const auto end = zone.find_first_not_of("0123456789", digits);
  if (end == std::string_view::npos || zone[digits - 1] != '-') return std::nullopt;
  return std::string(zone.substr(0, end));
}

}  // namespace bayplan::catalog
