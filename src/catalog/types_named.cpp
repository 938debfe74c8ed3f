#include "catalog/types_named.hpp"

#include "base/strings.hpp"

namespace bayplan::catalog {

Result<NamedTypes> types_named(const Catalog& catalog, const std::vector<std::string>& globs) {
  NamedTypes named;
  for (const auto& glob : globs) {
    if (!catalog.matching({glob}).empty()) continue;
    if (catalog.may_be_newer(glob)) {
      named.unknown.push_back(glob);
      continue;
    }
    const auto hint = catalog.hint_for(glob);
    return Error{.message = "no instance type matches '" + glob + "'",
                 .help = hint.empty() ? "'bayplan catalog' lists all types" : hint};
  }
  named.types = catalog.matching(globs);
  return named;
}

Result<NamedTypes> some_types_named(const Catalog& catalog, const std::vector<std::string>& globs) {
  auto named = types_named(catalog, globs);
  if (!named || !named->types.empty()) return named;
  return Error{.message = unknown_type_words(catalog, named->unknown.front()),
               .help = "instanceTypes of a scenario describes newer types; 'bayplan catalog' lists the known ones"};
}

std::string unknown_type_words(const Catalog& catalog, std::string_view glob) {
  const std::string data = " the catalog (EC2 data of " + catalog.data_date() + ")";
  return std::string(glob) + (is_glob(glob) ? " matches no instance type of" : " is not in") + data;
}

}  // namespace bayplan::catalog
