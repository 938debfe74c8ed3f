#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "fleet/offers/market.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_terms.hpp"

namespace bayplan::study {

/// Instances of one type that ECS launches for a capacity provider of Managed Instances.
struct ManagedInstances {
  std::string capacity_provider;
  std::string instance_type;
  std::map<std::string, std::int64_t> zones;  ///< Instances by Availability Zone.
  std::int64_t count = 0;
  MicroUsd hourly_price = 0;  ///< Of one, with the fee.
};

/// What ECS launches for the tasks on capacity providers of Managed Instances. ECS chooses these instances, so they are
/// no result of a search: they are the ones that `place --until` of the same tasks ends with.
struct ManagedFleet {
  std::int64_t tasks = 0;                        ///< To be placed, with headroom.
  std::vector<ManagedInstances> instances;       ///< By provider and type, in the order of their first launch.
  std::map<std::string, std::int64_t> unplaced;  ///< Tasks that no instance of their provider holds, by name.
  std::vector<std::string> mistakes;             ///< Of the simulation: faults of the program.

  MicroUsd hourly_cost() const;
};

/// Moves the tasks on providers of Managed Instances to a scenario of their own. What remains of `scenario` has none of
/// these tasks, and none of these providers. Nothing if there are no such tasks.
std::optional<placement::Scenario> take_managed_tasks(placement::Scenario& scenario);

struct LaunchedFleet {
  std::optional<ManagedFleet> fleet;  ///< Nothing when there are errors.
  std::vector<Error> errors;
};

/// Simulates `scenario` of `take_managed_tasks` until nothing more happens, with all of its tasks at once and with
/// `request.headroom_percent` more of each. Providers launch the types that `offered` allows, at its prices. Instances
/// that exist already are not counted.
LaunchedFleet launch_managed_fleet(placement::Scenario scenario, const fleet::MarketRequest& offered,
                                   const FleetRequest& request, const catalog::Catalog& catalog, const Files& files,
                                   const Limits& limits);

}  // namespace bayplan::study
