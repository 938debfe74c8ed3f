#include "cli/types_option.hpp"

namespace bayplan::cli {

Result<std::vector<const catalog::InstanceType*>> types_named(const catalog::Catalog& catalog,
                                                              const std::vector<std::string>& globs) {
  for (const auto& glob : globs) {
    if (!catalog.matching({glob}).empty()) continue;
    return Error{.message = "no instance type matches '" + glob + "'", .help = catalog.hint_for(glob)};
  }
  return catalog.matching(globs);
}

}  // namespace bayplan::cli
