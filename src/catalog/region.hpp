#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// A region that the catalog knows prices or offerings of; anything else is an error that names the nearest.
Result<std::string> known_region(const Catalog& catalog, const std::string& region);

/// "us-east-1" of "us-east-1a", "us-west-2" of the local zone "us-west-2-lax-1a"; nothing of what is no zone.
std::optional<std::string> region_of_zone(std::string_view zone);

}  // namespace bayplan::catalog
