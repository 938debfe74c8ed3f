#pragma once
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/payment/commitments.hpp"
#include "study/payment/hourly_fleets.hpp"
#include "study/payment/load_curve.hpp"

/// Fleets of the hours of a load, chosen together: which fleet of an hour costs least depends on what the other hours
/// commit to.
namespace bayplan::study {

/// What runs in hours with this fleet, for the commitments.
fleet::HourlyDemand demand_of(const fleet::Market& market, const HourlyFleet& fleet, std::int64_t hours);

/// By level, fleets that hold its tasks.
using FleetsOfLevels = std::vector<std::vector<HourlyFleet>>;

/// Adds the fleet unless the level has the same purchases already. A fleet that is only packed is none where another
/// one was seen to be filled: ECS may need more.
void add_fleet(std::vector<HourlyFleet>& fleets, HourlyFleet fleet);

/// One fleet for each level, and the commitments that are cheapest for them.
struct MixedHours {
  std::vector<HourlyFleet> levels;
  std::vector<fleet::Commitment> commitments;  ///< With amounts.
  NanoUsd hourly = 0;                          ///< In the mean of all hours, `extras` of each instance included.
};

/// From the amounts of `start`, every hour takes the fleet that costs it least, then the amounts of `stated` that are
/// not stated are sought for those fleets, as long as both together get cheaper. Every level has a fleet to choose.
MixedHours mix_hours(const fleet::Market& market, const FleetsOfLevels& fleets, const LoadCurve& curve,
                     const std::vector<fleet::Commitment>& stated, std::vector<fleet::Commitment> start,
                     NanoUsd extras);

/// Amounts worth planning every hour for: those of the mix, and of one commitment at a time that covers certain types
/// and is sought, as much as it can cover of a fleet or of a number of instances. The best amount covers all of the
/// fleet of some hour.
std::vector<std::vector<fleet::Commitment>> amounts_to_try(const fleet::Market& market, const FleetsOfLevels& fleets,
                                                           const MixedHours& mix,
                                                           const std::vector<fleet::Commitment>& stated);

}  // namespace bayplan::study
