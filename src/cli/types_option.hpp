#pragma once
#include <string>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::cli {

/// Types that the globs of `--types` name (all without globs). A glob that names none is an error with a hint.
Result<std::vector<const catalog::InstanceType*>> types_named(const catalog::Catalog& catalog,
                                                              const std::vector<std::string>& globs);

}  // namespace bayplan::cli
