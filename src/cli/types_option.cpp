#include "cli/types_option.hpp"

namespace bayplan::cli {

Result<std::vector<const catalog::InstanceType*>> types_named(const catalog::Catalog& catalog,
                                                              const std::vector<std::string>& globs) {
  for (const auto& glob : globs) {
    if (!catalog.matching({glob}).empty()) continue;
    const auto hint = catalog.hint_for(glob);
    return Error{.message = "no instance type matches '" + glob + "'",
                 .help = hint.empty() ? "'bayplan catalog' lists all types" : hint};
  }
  return catalog.matching(globs);
}

}  // namespace bayplan::cli
