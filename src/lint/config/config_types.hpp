#pragma once
#include <optional>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "lint/config/config.hpp"

namespace bayplan::lint {

/// The first glob under `types` that names no instance type, which the schema cannot tell: an error where it stands.
std::optional<Error> fault_of_types(const Config& config, const catalog::Catalog& catalog);

}  // namespace bayplan::lint
