#pragma once
/// The cheapest fleet for a scenario: the ideal one with its proof, and what ECS itself fills.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "base/percent.hpp"
#include "base/units.hpp"
#include "fleet/ideal/few_types.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "packing/packing_problem.hpp"
#include "packing/solve.hpp"
#include "packing/verify_packing.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/alternatives.hpp"
#include "study/fleet/fleet_deployable.hpp"
#include "study/fleet/fleet_use.hpp"
#include "study/memory_uncertainty.hpp"

namespace bayplan::study {

struct ResourcePrice {
  std::string resource;  ///< "CPU", "MEMORY", "GPU"
  double usd = 0;        ///< An hour, of one vCPU, one GiB, one GPU.
};

/// What of the worth of tasks is due to each resource: prices at which no task comes to more than it is worth, and
/// which explain as much of the worth as they can, that of a resource of which little is in use the least. `worth`: of
/// a task of each shape (Duals::worth). By resource of the question; those that the problem does not count are left
/// out.
std::vector<ResourcePrice> resource_prices(const fleet::Question& question, const fleet::Market& market,
                                           const packing::Packing& packing, const std::vector<std::int64_t>& worth);

/// The cheapest fleet found if surplus CPU credits cost nothing.
struct FleetWithoutCredits {
  fleet::Purchases purchases;
  MicroUsd hourly_price = 0;  ///< Of the instances.
  MicroUsd hourly_cost = 0;   ///< With the credits that they need.
};

/// Why the search for the ideal ended.
enum class FleetStop : std::uint8_t { kProof, kGap, kEffort, kTime, kInterrupt };

struct FleetProgress {
  enum class Phase : std::uint8_t { kPacking, kFilling, kComparing };
  Phase phase = Phase::kPacking;
  packing::Progress packing;  ///< Progress of the packing, or its last state after that phase.
};

struct FleetRequest {
  std::int64_t effort = packing::SolveLimits{}.effort;  ///< --effort, of the packing and of the filling.
  double gap = 0.0001;                                  ///< --gap, as a part of the bound.
  unsigned threads = 1;                                 ///< --jobs; the plan does not depend on it.
  std::int64_t orders = 20;                             ///< --orders
  Percent headroom_percent;                             ///< --headroom
  std::vector<std::string> zones;                       ///< --zones: their names; empty = one nameless zone.
  bool survives_zone_loss = false;                      ///< --survive-zone-loss
  std::int64_t most_types = 0;                          ///< --max-types; 0 = any.
  bool keeps_cluster = false;                           ///< --add-only
  bool deployable = false;                              ///< --deployable
  /// Called between steps, by one thread at a time; kTime or kInterrupt ends what is under way with the best so far.
  std::function<std::optional<FleetStop>(const FleetProgress&)> stop = [](const FleetProgress&) {
    return std::optional<FleetStop>();
  };
  /// Whether there is time after a stop: whether simulated ECS placement fills the best fleet so far is worth some.
  std::function<bool()> grace = [] { return true; };
};

/// When the instances of one zone of the recommended fleet are gone.
struct ZoneLoss {
  std::string availability_zone;
  std::int64_t instances = 0;      ///< Lost.
  std::int64_t without_place = 0;  ///< Tasks that find no place on the others.
};

/// What the certificate's check came to.
enum class Proof : std::uint8_t {
  kChecked,     ///< The bound follows from the certificate, which holds.
  kSearchTree,  ///< The certificate holds and proves less; the rest rests on a search tree.
  kNotChecked,  ///< The certificate was too hard to check within the states allowed.
};

/// The cheapest fleet if each task could be assigned to an instance by hand.
struct IdealFleet {
  packing::Packing packing;
  bool is_true = false;  ///< Every instance can run its tasks, also by the constraints that the packing problem omits.
  fleet::Purchases purchases;
  MicroUsd hourly_cost = 0;  ///< With surplus CPU credits.
  FleetUse use;
};

/// Utilization and risks of the recommended fleet, from placing the tasks on it again.
struct FleetReview {
  std::optional<FleetUse> use;  ///< Nothing where there is no recommended fleet.
  std::vector<PlacedTasks> placed;
  Rollouts rollouts;
  MemoryUncertainty memory_uncertainty;
  std::vector<ZoneLoss> zone_losses;
  std::vector<std::string> mistakes;  ///< Internal errors.
};

struct FleetPlan {
  fleet::Question question;
  /// The cheapest packing of the question's problem and its bound, with a limit on types if one was requested.
  fleet::BoundedPacking bounded;
  std::string contradiction;  ///< What no fleet of so few types can hold; empty.
  Proof proof = Proof::kChecked;
  IdealFleet ideal;
  std::vector<ResourcePrice> resource_prices;
  /// No fleet that holds the tasks costs less, a lost zone counted where one is asked for.
  MicroUsd lower_bound = 0;
  bool optimal = false;  ///< No fleet holds the tasks for less than the ideal one, and the ideal one does hold them.
  FleetStop stopped_by = FleetStop::kEffort;
  fleet::Fill fill;
  FleetReview review;  ///< Of the recommended fleet.
  Alternatives alternatives;
  /// Where that fleet has burstable instances, and credits make it dearer than the ideal one.
  std::optional<FleetWithoutCredits> without_credits;
  /// Where quotas leave tasks over: those with which the cheapest fleet holds all of them, what runs already included.
  std::vector<fleet::QuotaLimit> quotas_to_request;
  std::vector<Assumption> assumptions;
  std::vector<std::string> mistakes;  ///< What checks with code of their own say: faults of the program.
  /// The same of the bound alone: it is left out, with what rests on it, and all else was checked.
  std::vector<std::string> withdrawn;

  std::int64_t tasks = 0;  ///< That have a place; with headroom, without daemons.
  /// The answer: the recommended fleet, or the ideal one where ECS fills none.
  const fleet::Purchases& purchases() const { return fill.recommended ? fill.recommended->purchases : ideal.purchases; }
  MicroUsd hourly_cost() const { return fill.recommended ? fill.recommended->hourly_cost : ideal.hourly_cost; }
  const FleetUse& use() const { return review.use ? *review.use : ideal.use; }

  /// The search ended before anything was proven: its certificate says nothing of what a task is worth.
  bool has_no_bound() const { return bounded.solution.lower_bound == 0 && ideal.hourly_cost > 0; }
  /// The bound of the problem that the answer solves: without a recommended fleet the answer is the ideal one, which
  /// need not survive a zone loss.
  MicroUsd bound_of_answer() const { return fill.recommended ? lower_bound : bounded.solution.lower_bound; }
  /// The whole bound failed its check, its certificate included.
  bool has_withdrawn_bound() const { return !withdrawn.empty() && bounded.parts.empty(); }
  std::int64_t left_over() const;  ///< Tasks that limits and quotas leave without an instance.
};

/// The plan without its bound and what rests on it, because the bound failed a check: `mistake` says which.
FleetPlan without_bound(FleetPlan plan, std::string mistake);

/// The plan without a bound that the recommended fleet undercuts. Without the part for a lost zone it may hold.
FleetPlan with_checked_bound(FleetPlan plan);

/// The plan with another recommended fleet, which simulated ECS placement fills.
FleetPlan with_recommended(FleetPlan plan, const placement::Scenario& scenario, const fleet::Market& market,
                           const FleetRequest& request, fleet::FilledFleet fleet);

/// Every workload must have a count. `scenario`: with `keeps_cluster` as it is, else as `tasks_to_plan` has it.
FleetPlan plan_fleet(const placement::Scenario& scenario, const fleet::Market& market, const FleetRequest& request);

}  // namespace bayplan::study
