#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "catalog/fargate_prices.hpp"

/// Files of prices: those that AWS gives out, and tables of one's own.
namespace bayplan::fleet {

enum class PriceFileKind : std::uint8_t {
  kTable,        ///< CSV: instanceType,hourlyPrice and, where known, region, date, currency.
  kPriceList,    ///< AWS Price List: index.json of AmazonEC2 or AmazonECS, or the answer of `aws pricing get-products`.
  kSpotHistory,  ///< The answer of `aws ec2 describe-spot-price-history`.
};

struct PriceFile {
  PriceFileKind kind = PriceFileKind::kTable;
  /// Prices in the region, keyed by instance type: on demand for Linux and shared tenancy in a price list; of spot
  /// prices the newest of each zone, the dearest zone's.
  std::map<std::string, catalog::Price, std::less<>> prices;
  /// Rates of Fargate and fees of Managed Instances: of a table in rows such as `fargate:linux-x86:vcpu` and
  /// `managed-instances:c6a.2xlarge`, of a price list the products of AmazonECS.
  catalog::FargatePrices fargate;
  std::map<std::string, catalog::Price, std::less<>> managed_fees;
  std::set<std::string> zones;  ///< Zones whose spot prices are used.
  /// A Spot price history gives each pool its newest price; the key is "m5.large@us-east-1a".
  std::map<std::string, catalog::Price, std::less<>> pools;
  std::set<std::string> other_regions;  ///< That the file has prices of, too.
  std::vector<Error> errors;            ///< One a bad row, the first ones of many.

  /// Whether it has prices of Fargate or Managed Instances.
  bool has_other_prices() const;
};

/// The kind follows from the content. When there are errors, the prices are not all there are.
PriceFile read_price_file(const std::string& path, const std::string& region, const Files& files,
                          const Limits& limits = {});

}  // namespace bayplan::fleet
