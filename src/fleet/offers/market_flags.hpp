#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "catalog/catalog.hpp"
#include "fleet/offers/market.hpp"

/// What the flags of a market say, read and checked.
namespace bayplan::fleet {

/// A factor in millionths that is paid of the price of some types.
struct Discount {
  enum class Kind : std::uint8_t { kGlob, kFamily, kType };
  Kind kind = Kind::kGlob;
  std::string pattern;  ///< "p3.2xlarge", "g4dn", "g*.xlarge"
  std::int64_t factor_millionths = 1'000'000;

  bool covers(std::string_view instance_type) const;
};

struct MarketFlags {
  std::vector<Discount> discounts;
  std::map<std::string, std::int64_t, std::less<>> limits;  ///< Keyed by instance type.
  std::map<std::string, std::int64_t, std::less<>> owned;   ///< Keyed by instance type, at least 1.
  std::vector<QuotaLimit> quotas;                           ///< Listed in the order of vcpu_quotas().
  /// Names that may be types newer than the catalog, sorted: the flags with them have no effect.
  std::set<std::string, std::less<>> unknown;

  /// What is paid: that of the nearest discount (a type before a family, a family before a glob; the later of two
  /// globs), rounded to the nearest micro-USD, halves up.
  MicroUsd discounted(std::string_view instance_type, MicroUsd price) const;
  const std::int64_t* find_limit(std::string_view instance_type) const;  ///< Null when there is none.
  std::int64_t count_owned(std::string_view instance_type) const;
};

/// Names that flags may use: types of the catalog and those that only the scenario knows.
class TypeNames {
 public:
  TypeNames(const catalog::Catalog& catalog, std::vector<std::string> others)
      : catalog_(catalog), others_(std::move(others)) {}

  bool is_type(std::string_view name) const;
  bool is_family(std::string_view name) const;
  bool any_matches(const std::string& glob) const;
  bool may_be_newer(std::string_view name) const { return catalog_.may_be_newer(name); }
  std::string hint_for(std::string_view name) const { return catalog_.hint_for(name); }

 private:
  const catalog::Catalog& catalog_;
  std::vector<std::string> others_;
};

/// Mistakes go to `errors`, each with the flag that it is in.
MarketFlags read_market_flags(const MarketRequest& request, const TypeNames& names, std::vector<Error>& errors);

}  // namespace bayplan::fleet
