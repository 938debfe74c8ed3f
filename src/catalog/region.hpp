#pragma once
#include <string>

#include "base/result.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// A region that the catalog knows prices or offerings of; anything else is an error that names the nearest.
Result<std::string> known_region(const Catalog& catalog, const std::string& region);

}  // namespace bayplan::catalog
