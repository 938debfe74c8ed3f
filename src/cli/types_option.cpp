#include "cli/types_option.hpp"

#include <set>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::cli {

Result<std::vector<const catalog::InstanceType*>> types_named(const catalog::Catalog& catalog,
                                                              const std::vector<std::string>& globs) {
  for (const auto& glob : globs) {
    if (!catalog.matching({glob}).empty()) continue;
    return Error{.message = "no instance type matches '" + glob + "'", .help = catalog.hint_for(glob)};
  }
  return catalog.matching(globs);
}

Result<std::string> known_region(const catalog::Catalog& catalog, const std::string& region) {
  std::set<std::string_view> regions;
  std::set<std::string_view> priced;
  for (const auto& type : catalog.types()) {
    regions.insert(type.regions.begin(), type.regions.end());
    for (const auto& [name, price] : type.prices) priced.insert(name);
  }
  regions.insert(priced.begin(), priced.end());
  if (regions.contains(region)) return region;
  const auto near = nearest(region, {regions.begin(), regions.end()});
  return Error{
      .message = "unknown region '" + region + "'" + (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
      .help = "Prices are known for " + one_of({priced.begin(), priced.end()}, "and") + "."};
}

}  // namespace bayplan::cli
