#pragma once
#include <string>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// Types that the globs of `--types` name (all without globs). A glob that names none is an error with a hint.
Result<std::vector<const InstanceType*>> types_named(const Catalog& catalog, const std::vector<std::string>& globs);

}  // namespace bayplan::catalog
