#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/payment/load_curve.hpp"

/// A fleet for each hour of a load curve, and a bound on every such fleet.
namespace bayplan::study {

/// How a fleet of some hours was found.
enum class FleetEvidence : std::uint8_t {
  kSimulated,  ///< Simulated ECS placement fills it, with the strategy of the recommended fleet.
  kPacked,     ///< A packing that was verified: ECS may need more.
  kLarger,     ///< A fleet of other hours in which at least as many tasks of each workload run.
};

struct HourlyFleet {
  fleet::Purchases purchases;
  MicroUsd hourly_cost = 0;  ///< With surplus CPU credits.
  MicroUsd lower_bound = 0;  ///< No fleet for these tasks costs less.
  FleetEvidence evidence = FleetEvidence::kSimulated;
  std::int64_t orders = 0;  ///< Launch orders simulated.
};

struct HourlyFleets {
  std::vector<HourlyFleet> levels;  ///< By level of the curve.
  std::int64_t simulated = 0;       ///< Levels whose fleets were simulated.
  /// Survival of a zone loss is asked for, and no fleet is known that does: fleets and bounds are without it.
  bool lacks_zone_loss = false;
  std::vector<std::string> mistakes = {};   ///< Faults of the program, found by independent checks.
  std::vector<std::string> withdrawn = {};  ///< The same of the bounds alone.
};

/// At most this many levels are simulated. Of more, those at even steps of the bound from the largest to the smallest
/// are; the others are packed.
inline constexpr std::size_t kMostSimulated = 12;
inline constexpr std::size_t kFewLevels = 48;  ///< Up to this many are all simulated.

/// `scenario`: with the peak of the curve, for which `plan` is; it must have a fleet for every task that fits. The
/// dual prices of the plan's certificate bound every level: a level has no more tasks of a workload than the peak, so
/// no bin can hold tasks worth more than its price there either.
HourlyFleets plan_hourly_fleets(const placement::Scenario& scenario, const fleet::Market& market,
                                const FleetRequest& request, const FleetPlan& plan, const LoadCurve& curve);

/// The cheapest fleet of each level at the prices of `market` that the strategy of `recommended`, a fleet of the peak,
/// fills; with --max-types of its types. Nothing where none was found that simulated ECS placement fills.
std::vector<std::optional<HourlyFleet>> fill_hourly_fleets(const placement::Scenario& scenario,
                                                           const fleet::Market& market, const FleetRequest& request,
                                                           const fleet::FilledFleet& recommended,
                                                           const LoadCurve& curve);

}  // namespace bayplan::study
