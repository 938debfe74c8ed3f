#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "capacity/fit.hpp"
#include "catalog/catalog.hpp"
#include "report/document/report_document.hpp"

namespace bayplan::report {

/// What the reports of `catalog` are about; refers to what it is made of.
struct CatalogReport {
  const catalog::Catalog& catalog;
  const std::vector<const catalog::InstanceType*>& types;  ///< Types in the order of the report.
  const std::string& region;                               ///< Region of the prices.
  bool wide = false;                                       ///< GPU rates, links, USD per GPU-hour, network.
  const std::vector<std::string>& hints;                   ///< Printed below the table.
};

/// "9 types; EC2 data of 2026-07-20; prices Linux on demand, us-east-1, 2026-07-20"
std::string catalog_answer(const CatalogReport& report, const capacity::PriceRange& prices);

/// schemas/catalog-report.schema.json
void write_catalog_json(std::ostream& out, const CatalogReport& report);

/// A row a type. Columns and units are those of the JSON report.
void write_catalog_csv(std::ostream& out, const CatalogReport& report);

/// How many types, then a table of them, on a page with all columns. In a terminal `--quiet` prints the names, and `-v`
/// also where the data is from.
ReportDocument catalog_document(const CatalogReport& report);

/// USD per hour and whole GPU: a share of a board counts as that share. Nothing without an NVIDIA GPU or a price.
std::optional<MicroUsd> price_per_gpu(const catalog::InstanceType& type, const std::string& region);

}  // namespace bayplan::report
