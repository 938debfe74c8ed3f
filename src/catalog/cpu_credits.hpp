#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"
#include "catalog/catalog.hpp"
#include "catalog/extra_prices.hpp"

/// What a burstable type costs beyond its price when it is busy for long (EC2 user guide,
/// burstable-credits-baseline-concepts.html).
namespace bayplan::catalog {

/// The CPU that the price of a burstable type covers.
struct Baseline {
  std::int64_t permille = 0;  ///< Of each vCPU: 225 is 22.5 %.
  bool is_unlimited = false;  ///< Credits above it are bought by default, and not only where asked for, as on T2.
  std::string source;         ///< Key of Catalog::sources().

  /// "20%", "22.5%": of each vCPU.
  std::string percent() const;
};

/// That of the type in data/burstable-types.csv; nothing for other types, whose price covers all of their CPU.
std::optional<Baseline> find_baseline(const InstanceType& type);

/// The price of a vCPU-hour of surplus credits on Linux; nothing for types that take none, or without a known price.
std::optional<ExtraPrice> credit_price(const InstanceType& type, std::string_view region);

}  // namespace bayplan::catalog
