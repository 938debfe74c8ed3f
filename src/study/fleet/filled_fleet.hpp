#pragma once
#include <optional>

#include "fleet/offers/market.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_plan.hpp"

namespace bayplan::study {

/// Tasks of a fleet that is filled once more, to look at what it holds.
inline constexpr std::int64_t kMaxReplayed = 500'000;

/// The scenario with those instances dealt to the zones, and the policy: placing it fills the fleet.
placement::Scenario on_fleet(const placement::Scenario& scenario, const fleet::Market& market,
                             const FleetRequest& request, const fleet::Question& question,
                             const fleet::Purchases& purchases, const fleet::Policy& policy);

/// A fleet that ECS has filled in the order that the scenario writes.
struct FilledCluster {
  placement::Scenario scenario;  ///< With the fleet as its cluster.
  placement::Outcome outcome;
};

/// The recommended fleet; nothing where there is none, or more than kMaxReplayed tasks.
std::optional<FilledCluster> fill_recommended_fleet(const placement::Scenario& scenario, const fleet::Market& market,
                                                    const FleetRequest& request, const FleetPlan& plan);

}  // namespace bayplan::study
