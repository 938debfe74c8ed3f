#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace bayplan::catalog {

/// What Fargate has rates for.
enum class FargatePlatform : std::uint8_t { kLinuxX86, kLinuxArm, kWindows, kLinuxX86Spot, kLinuxArmSpot, kStorage };
inline constexpr std::array<std::string_view, 6> kFargatePlatforms = {"linux-x86",      "linux-arm",      "windows",
                                                                      "linux-x86-spot", "linux-arm-spot", "storage"};

inline std::string_view name_of(FargatePlatform platform) {
  return kFargatePlatforms[static_cast<std::size_t>(platform)];
}

/// Rates an hour. Units that the platform does not have are 0: storage has `gb` alone, only Windows has a license.
struct FargateRate {
  NanoUsd vcpu = 0;
  NanoUsd gb = 0;       ///< Of memory, or of ephemeral storage above kFreeFargateStorage. A GB is 1024 MiB.
  NanoUsd license = 0;  ///< Of the operating system, for each vCPU.
  std::string date;     ///< ISO 8601 day; empty when the user states it without one.
  std::string source;   ///< Key of Catalog::sources(), or a price file.
};

/// GiB of ephemeral storage that each task has without charge (aws.amazon.com/fargate/pricing).
inline constexpr std::int64_t kFreeFargateStorage = 20;

/// Fargate Spot where no price of the region is known: the mean discount of three regions in 2026 (source
/// fargate-spot-average), in percent of the On-Demand rate.
inline constexpr std::int64_t kFargateSpotDiscount = 68;

/// Rates of one region by platform; nothing where none is known.
using FargatePrices = std::array<std::optional<FargateRate>, kFargatePlatforms.size()>;

/// Those of data/fargate-prices.csv.
FargatePrices fargate_prices(std::string_view region);

}  // namespace bayplan::catalog
