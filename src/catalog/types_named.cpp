#include "catalog/types_named.hpp"

namespace bayplan::catalog {

Result<std::vector<const InstanceType*>> types_named(const Catalog& catalog, const std::vector<std::string>& globs) {
  for (const auto& glob : globs) {
    if (!catalog.matching({glob}).empty()) continue;
    const auto hint = catalog.hint_for(glob);
    return Error{.message = "no instance type matches '" + glob + "'",
                 .help = hint.empty() ? "'bayplan catalog' lists all types" : hint};
  }
  return catalog.matching(globs);
}

}  // namespace bayplan::catalog
