#pragma once
#include <optional>
#include <vector>

#include "base/assumption.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_plan.hpp"

/// What awsvpcTrunking does to a plan: with it an instance holds more tasks in network mode awsvpc.
namespace bayplan::study {

/// The fleet with awsvpcTrunking on every type that supports it.
struct TrunkedFleet {
  fleet::Purchases purchases;  ///< Of the market of the plan.
  MicroUsd hourly_cost = 0;
  bool is_filled = false;  ///< Simulated ECS placement fills it; else it is the ideal packing.
};

/// Plans once more with trunking. Nothing where the plan has it already or has no fleet; unless `always`, nothing where
/// network interfaces do not decide what the plan costs, either.
std::optional<TrunkedFleet> compare_trunking(const placement::Scenario& scenario, const fleet::Market& market,
                                             const FleetRequest& request, const FleetPlan& plan, bool always);

/// Whether what is bought has trunking, where network interfaces count; else nothing.
std::vector<Assumption> trunking_assumptions(const fleet::Market& market, const FleetPlan& plan);

}  // namespace bayplan::study
