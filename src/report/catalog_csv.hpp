#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace bayplan::report {

/// A row a type, in the order given, with the prices of `region`. Columns and units are those of the JSON report.
void write_catalog_csv(std::ostream& out, const std::vector<const catalog::InstanceType*>& types,
                       const std::string& region);

}  // namespace bayplan::report
