#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "report/text_options.hpp"

namespace bayplan::report {

struct CatalogTextOptions : TextOptions {
  std::string region;
  bool wide = false;                    ///< GPU rates, links, USD per GPU-hour, network.
  std::vector<std::string> hints = {};  ///< Printed below the table.
};

/// USD per hour and whole GPU: a share of a board counts as that share. Nothing without an NVIDIA GPU or a price.
std::optional<MicroUsd> price_per_gpu(const catalog::InstanceType& type, const std::string& region);

/// How many types, then a table of them.
void write_catalog_text(std::ostream& out, const catalog::Catalog& catalog,
                        const std::vector<const catalog::InstanceType*>& types, const CatalogTextOptions& options);

}  // namespace bayplan::report
