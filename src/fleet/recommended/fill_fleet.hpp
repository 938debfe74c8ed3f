#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/solve.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// What ECS itself fills: fleets that the placement engine was seen to fill, not what a packing promises.
namespace bayplan::fleet {

/// How tasks are launched and placed.
struct Policy {
  /// "as written", or the strategy that every service and RunTask call has: "binpack:memory",
  /// "spread:attribute:ecs.availability-zone,binpack:memory".
  std::string name;
  std::vector<placement::Strategy> strategies;  ///< Empty with "as written".
  bool is_as_written = false;
  placement::TaskOrder order = placement::TaskOrder::kGiven;  ///< kGiven: any order of launches was tried.
  /// More placement constraints of workloads than the scenario writes: those of the question first, which represent
  /// what ECS does not look at, then those that close the gap to the ideal.
  std::vector<std::pair<std::uint32_t, placement::Constraint>> constraints;
};

/// The scenario with the policy.
placement::Scenario with_policy(placement::Scenario scenario, const Policy& policy);

/// The scenario with its launches in an order drawn by the seed, and ties drawn: 0 is the scenario as it is (see
/// LaunchOrders). Ids of instances stay, their positions need not.
placement::Scenario in_launch_order(placement::Scenario scenario, std::uint64_t order);

/// A fleet that the policy fills in every order tried.
struct FilledFleet {
  Purchases purchases;
  MicroUsd hourly_cost = 0;  ///< With the surplus CPU credits of the launch order as written.
  Policy policy;
  std::int64_t orders = 0;     ///< Launch orders of the search: every task has a place in each.
  std::int64_t confirmed = 0;  ///< Further ones that it was tried in when found, in all of which that is true.
};

struct FillRequest {
  std::int64_t orders = 20;         ///< --orders
  std::vector<std::string> zones;   ///< Zones to deal instances to; empty = one nameless zone.
  bool survives_zone_loss = false;  ///< Every task still has a place when any one of `zones` is lost.
  std::int64_t most_types = 0;      ///< --max-types; 0 = any.
  bool keeps_cluster = false;
  std::int64_t effort = 0;  ///< Placements of one task to try at most, all orders together.
  std::function<bool()> go_on = [] { return true; };
};

/// A task placed is about so much work of the packing search.
inline constexpr std::int64_t kPackingEffortOfPlacement = 50;

/// Maximum number of tasks launched to see whether ECS fills a fleet; identical tasks need not be launched.
inline constexpr std::int64_t kMaxLaunched = 250'000;

/// How it was found out what ECS fills.
enum class FillMethod : std::uint8_t {
  kLaunches,    ///< Every task was launched, in every order.
  kAlikeTasks,  ///< What one instance takes of tasks that are all alike, times the instances.
  kNone,        ///< Not at all: more than kMaxLaunched tasks.
};

/// How near ECS comes to the ideal.
struct Fill {
  FillMethod method = FillMethod::kLaunches;
  /// The cheapest without constraints of our own, or with them where they are worth writing; nothing when no policy
  /// fills any fleet that was tried.
  std::optional<FilledFleet> recommended;
  std::vector<FilledFleet> by_policy;  ///< The cheapest of each policy without constraints of our own, cheapest first.
  /// These have constraints or an order that the scenario does not have, and cost less than without. Cheapest first.
  std::vector<FilledFleet> closing;
  bool exhausted = false;  ///< The effort ended before every idea was tried.
};

/// The policies that a search with the request's effort tries: all candidates, or those that fill best where the effort
/// is enough for few. `tasks`: as `tasks_of` gives them.
std::vector<Policy> affordable_policies(const placement::Scenario& tasks, const Question& question,
                                        const FillRequest& request);

/// A fleet that another search, of other types or with another effort, has found for a policy.
struct KnownFleet {
  std::string policy;  ///< Its name.
  placement::TaskOrder order = placement::TaskOrder::kGiven;
  FleetRank rank;
  std::int64_t confirmed = 0;
};

/// The cheapest fleet found that ECS fills, and fills in orders that the search had not seen, beginning with the ideal
/// one and `starts`. `scenario`: tasks to place; its cluster only with `keeps_cluster`. A fleet that is no better
/// than the one that `known` has for its policy is not confirmed.
Fill find_fill(const placement::Scenario& scenario, const Market& market, const Question& question,
               const packing::Solution& ideal, const FillRequest& request, const std::vector<Purchases>& starts = {},
               const std::vector<KnownFleet>& known = {});

/// The first few ways to close the gap: cheapest first, with fewest constraints first of equal ones, and one strategy
/// of each way.
std::vector<FilledFleet> best_ways(std::vector<FilledFleet> ways);

/// Whether constraints that the scenario does not have save enough to be recommended. A fleet that was tried in no
/// fresh order does not replace one that was.
bool is_worth_writing(const FilledFleet& with_constraints, const std::optional<FilledFleet>& without);

/// Counts the further launch orders in which the policy fills a fleet that fills those of the search: as many as the
/// effort allows. Nothing when one of them leaves a task over.
std::optional<std::int64_t> confirmed_orders(const placement::Scenario& scenario, const Market& market,
                                             const Question& question, const FilledFleet& fleet,
                                             const FillRequest& request);

}  // namespace bayplan::fleet
