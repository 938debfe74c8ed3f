#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "capacity/fargate_size.hpp"
#include "catalog/fargate_prices.hpp"

/// What tasks cost on Fargate. Billing is per second from the pull of the image to the end of the task, for at least
/// one minute (aws.amazon.com/fargate/pricing, 2026-10-01), by the size that the task asks for.
namespace bayplan::fleet {

/// What is billed of one task.
struct FargateTask {
  capacity::FargateSize size;
  std::int64_t storage = 0;                 ///< GiB of ephemeral storage that the task asks for; 0 when it does not.
  std::optional<std::string> architecture;  ///< "arm64"; anything else is x86_64, the default of Fargate.
  bool windows = false;
  bool operator==(const FargateTask&) const = default;
};

/// A rate that a cost is made of.
/// Source of a Spot rate that is estimated from the On-Demand rate; such a rate has no date.
inline constexpr std::string_view kEstimatedSpotRate = "fargate-spot-average";

struct UsedRate {
  std::string item;  ///< "linux-x86 vCPU"
  NanoUsd price = 0;
  std::string date;
  std::string source;
};

struct FargateCost {
  /// An hour of one task, of the rates that are known.
  NanoUsd hourly = 0;
  /// Rates that are not known: "Fargate rate of ephemeral storage in eu-north-1". When there are some, `hourly` is a
  /// part of the cost.
  std::vector<std::string> missing;
  std::vector<UsedRate> rates;
  bool is_spot_estimate = false;  ///< The On-Demand rates less kFargateSpotDiscount.

  bool is_known() const { return missing.empty(); }
};

/// `region` is for the words alone. Fargate Spot does not run Windows: an error of the caller.
FargateCost fargate_cost(const FargateTask& task, const catalog::FargatePrices& prices, const std::string& region,
                         bool is_spot);

}  // namespace bayplan::fleet
