#pragma once
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// Content of data/instance-types.json.
struct CatalogData {
  std::vector<InstanceType> types;  ///< In file order.
  std::vector<Source> sources;
};

/// `json` is the project's own data: a test holds it against the format, so nothing is checked here.
CatalogData read_catalog(std::string json);

}  // namespace bayplan::catalog
