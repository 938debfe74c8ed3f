#include "lint/config/config_types.hpp"

#include "catalog/types_named.hpp"

namespace bayplan::lint {

std::optional<Error> fault_of_types(const Config& config, const catalog::Catalog& catalog) {
  if (!config.types) return std::nullopt;
  for (const auto& glob : *config.types) {
    const auto named = catalog::types_named(catalog, {glob});
    if (named) continue;
    Error error = config.places.at("types." + glob);
    error.message = named.error().message;
    error.help = named.error().help;
    return error;
  }
  return std::nullopt;
}

}  // namespace bayplan::lint
