#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "fleet/market_flags.hpp"

namespace bayplan::fleet {

/// What instance types cost in one region, from one source: the catalog, or a price file in its place.
class Prices {
 public:
  /// Those of the catalog. `region` as in a scenario.
  explicit Prices(std::string region) : region_(std::move(region)) {}
  /// Those of a file: types that it does not name have no price, but for the user's own.
  Prices(std::string region, std::string file, std::map<std::string, catalog::Price, std::less<>> of_file)
      : region_(std::move(region)), file_(std::move(file)), of_file_(std::move(of_file)) {}

  const std::string& region() const { return region_; }

  /// `type` may be null when the catalog lacks it.
  std::optional<catalog::Price> of(std::string_view instance_type, const catalog::InstanceType* type) const;
  /// Where the catalog knows a price, sorted; none when the prices are those of a file.
  std::vector<std::string> regions_with_price(const catalog::InstanceType* type) const;
  struct Elsewhere {
    std::string region;
    MicroUsd hourly = 0;
  };
  /// What the catalog knows of the region itself, of us-east-1, or of the dearest region: the first of these.
  std::optional<Elsewhere> elsewhere(const catalog::InstanceType& type) const;
  /// "no price in eu-north-1; known in us-east-1 and us-west-2", "no price in prices.csv".
  std::string why_none(const catalog::InstanceType* type) const;

 private:
  std::string region_;
  std::string file_;  ///< Empty = the catalog.
  std::map<std::string, catalog::Price, std::less<>> of_file_;
};

struct LoadedPrices {
  Prices prices;
  std::vector<Assumption> assumptions;
  std::vector<Error> errors;
};

/// Those of the file, or of the catalog when `path` is empty.
LoadedPrices load_prices(const std::string& path, const std::string& region, const TypeNames& names, const Files& files,
                         const Limits& limits);

}  // namespace bayplan::fleet
