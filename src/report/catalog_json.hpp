#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace bayplan::report {

/// schemas/catalog-report.schema.json: `types` in their order, with the prices of `region`.
void write_catalog_json(std::ostream& out, const catalog::Catalog& catalog,
                        const std::vector<const catalog::InstanceType*>& types, const std::string& region);

}  // namespace bayplan::report
