#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/percent.hpp"
#include "fleet/offers/market.hpp"
#include "study/fleet/fleet_plan.hpp"

/// A fleet of which a share of the tasks runs on Spot Instances, dealt to several pools.
namespace bayplan::study {

/// What `fleet --spot` asks for.
struct SpotRequest {
  Percent percent;         ///< Of the tasks of each service and family, rounded down: above 0, at most 100.
  std::int64_t pools = 4;  ///< Pools that share these tasks equally: 1 to kMostPools.
};
/// A capacity provider strategy has at most 20 providers (API_CreateService): one is that of the On-Demand Instances.
inline constexpr std::int64_t kMostPools = 19;

/// What is bought in one pool: an instance type in an Availability Zone.
struct SpotPool {
  std::string instance_type;
  std::string availability_zone;
  MicroUsd hourly_price = 0;  ///< Of one instance.
  std::string date;           ///< Of the price; empty if it is not known.
  std::int64_t instances = 0;
  std::int64_t tasks = 0;      ///< Without those of daemon services.
  MicroUsd hourly_cost = 0;    ///< Of all its instances.
  std::int64_t orders = 0;     ///< Launch orders in which simulated ECS placement fills it; 0 = in none.
  std::int64_t displaced = 0;  ///< Of its tasks, those that fit nowhere on the rest of the fleet if the pool is lost.
};

/// Tasks of one service or family.
struct SpotTasks {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t on_demand = 0;
  std::int64_t spot = 0;
};

struct SpotPlan {
  SpotRequest request;
  std::vector<SpotTasks> tasks;  ///< Without daemon services.
  std::vector<SpotPool> pools;   ///< The largest share first.
  MicroUsd hourly_cost = 0;
  /// No fleet whose pools each hold an equal share of the tasks costs less; nothing if the bound failed its check.
  std::optional<MicroUsd> lower_bound;
  std::optional<MicroUsd> all_on_demand;  ///< Ideal packing of all tasks On-Demand; nothing if they do not all fit.
  bool is_loss_simulated = true;          ///< False: too many tasks, `displaced` says nothing.
  std::vector<std::string> mistakes;      ///< What checks with code of their own say: faults of the program.
  std::vector<std::string> withdrawn;     ///< The same of bounds alone: they are left out.

  std::int64_t spot_tasks() const;
  std::int64_t most_lost() const;  ///< Tasks that the loss of one pool stops at most.
};

/// Withdraws a bound that the pools undercut.
void check_lower_bound(SpotPlan& plan);

/// Tasks of each workload that run On-Demand; those of daemon services stay as they are.
std::vector<std::int64_t> on_demand_counts(const placement::Scenario& scenario, Percent percent);

/// Why a scenario cannot be dealt to pools.
std::optional<Error> refuse_spot(const placement::Scenario& scenario, const SpotRequest& request);

/// Plans the Spot part of `scenario`, which has all its tasks. `market`: types at Spot prices, with those of pools
/// where they are known. `on_demand`: the plan of the rest, whose instances take tasks of a lost pool. An error if
/// fewer than the requested number of pools hold their share.
Result<SpotPlan> plan_spot(const placement::Scenario& scenario, const fleet::Market& market, const SpotRequest& request,
                           const FleetRequest& fleet_request, const fleet::Market& on_demand_market,
                           const FleetPlan& on_demand);

}  // namespace bayplan::study
