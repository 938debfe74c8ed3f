#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace bayplan::catalog {

struct Price {
  MicroUsd hourly = 0;
  std::string date;    ///< ISO 8601 day on which it was read; empty when the user states it.
  std::string source;  ///< Key of Catalog::sources(); empty when the user states it.

  /// Derived from other prices: by size, or from another region (data/ec2-prices.csv).
  bool is_estimated() const { return source.starts_with("price-estimate-"); }
};

/// What one instance type costs in each region. The embedded tables have 19,000 prices, of which a run needs few:
/// a row is read when somebody asks for one of its regions.
class RegionPrices {
 public:
  /// One row of an embedded table. The texts must outlive the object.
  struct Row {
    std::string_view source;   ///< "price-regions"
    std::string_view date;     ///< ISO 8601 day.
    std::string_view regions;  ///< Header cells, separated by commas.
    std::string_view prices;   ///< In the order of the regions; trailing cells may be absent.
  };

  void add(const Row& row) { rows_.push_back(row); }
  /// Replaces what is known of the region.
  void set(const std::string& region, Price price) { stated_[region] = std::move(price); }

  /// Nothing when no price is known there.
  std::optional<Price> in(std::string_view region) const;
  std::vector<std::string> regions() const;  ///< Those with a price, sorted.

 private:
  std::vector<Row> rows_;
  std::map<std::string, Price, std::less<>> stated_;
};

/// The tables of data/ec2-prices.csv.
class PriceTables {
 public:
  /// `csv` must outlive the tables and what they give.
  explicit PriceTables(std::string_view csv);

  RegionPrices of(std::string_view instance_type) const;
  std::vector<std::string> regions() const;  ///< Those that a table has a column for, sorted.

 private:
  std::multimap<std::string_view, RegionPrices::Row> rows_;
  std::vector<std::string_view> headers_;
};

}  // namespace bayplan::catalog
