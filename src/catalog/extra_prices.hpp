#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace bayplan::catalog {

/// The price of something that is paid in addition to the instance.
struct ExtraPrice {
  NanoUsd price = 0;   ///< Of a GB-month of a volume, an hour of an address, or a vCPU-hour of CPU credits.
  std::string date;    ///< ISO 8601 day.
  std::string source;  ///< Key of Catalog::sources().
};

/// That of `item` ("gp3", "public-ipv4", "cpu-credits-t3") in data/extra-prices.csv; nothing when it is not known in
/// the region.
std::optional<ExtraPrice> extra_price(std::string_view item, std::string_view region);

/// GiB of the root volume of an ECS-optimized Amazon Linux 2 or 2023 AMI, for scenarios without a size of their own
/// (ECS developer guide as of 2026-09, not measured).
inline constexpr std::int64_t kRootVolumeGib = 30;

}  // namespace bayplan::catalog
