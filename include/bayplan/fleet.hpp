#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bayplan/assumption.hpp"
#include "bayplan/result.hpp"
#include "bayplan/scenario.hpp"
#include "bayplan/units.hpp"
#include "bayplan/version.hpp"

/// Finds the cheapest instances for the tasks of a scenario, with a proven bound, like `bayplan fleet`. docs/fleet.md
/// describes what the bound includes and how fleets are filled.
namespace bayplan::v0 {

/// Progress of a search.
struct FleetProgress {
  MicroUsd cost = 0;         ///< Cost of the best packing so far; 0 = none yet.
  MicroUsd lower_bound = 0;  ///< 0 = nothing proven yet.
  std::int64_t effort = 0;   ///< Steps.
};

/// A price factor for some types.
struct Discount {
  std::string types = {};  ///< A type, a family or a glob: "p3.2xlarge", "g4dn", "g*.xlarge".
  double factor = 1;       ///< 0.72: you pay 72 %. Six decimals are used.
};

struct FleetOptions {
  std::vector<std::string> constraints = {};        ///< The syntax is that of `PlaceOptions::constraints`.
  std::vector<std::string> types = {};              ///< Globs: "g4dn.*"; empty = every type on sale in the region.
  std::string prices = {};                          ///< Path of a price file; empty = the built-in prices.
  std::vector<Discount> discounts = {};             ///< A type overrides its family, and a family overrides a glob.
  std::map<std::string, std::int64_t> limits = {};  ///< Maximum number of instances by type.
  std::map<std::string, std::int64_t> owned = {};   ///< Existing instances at no price, by type.
  std::map<std::string, std::int64_t> vcpu_quotas = {};  ///< EC2 quotas of running vCPUs by name: {"G and VT", 256}.
  std::optional<std::int64_t> max_types = {};            ///< Maximum number of different types, including owned ones.
  /// Zones for the instances: their number, or their names. Empty = those of the scenario.
  std::variant<std::monostate, std::int64_t, std::vector<std::string>> zones = {};
  bool survive_zone_loss = false;  ///< Every task can still be placed if any one zone is lost. Requires two zones.
  bool deployable = false;         ///< Leave room for each service to deploy within its healthy percents.
  bool add_only = false;           ///< Keep the existing cluster of the scenario; plan only additional instances.
  bool allow_unpriced = false;  ///< Accept types without a price in the region: use another region's price, or vCPUs.
  double headroom_percent = 0;  ///< Additional tasks of each kind, in percent with two decimals; at most 1000.
  std::int64_t orders = 20;     ///< Launch orders in which simulated ECS placement must fill the fleet; at most 10,000.
  /// Gap between the ideal fleet and the lower bound, as a part of the bound, at which the search ends where an exact
  /// proof is out of reach; from 0 to 1.
  double gap = 0.0001;
  std::int64_t effort =
      250'000'000;  ///< Search steps: up to 10 to 30 s. The result is reproducible if they end the search.
  /// Called between steps, on the calling thread; false ends the search with the best result so far. Must not throw.
  std::function<bool(const FleetProgress&)> go_on = {};
};

/// A number of instances of a type in a zone.
struct Purchase {
  std::string instance_type;
  std::string availability_zone;  ///< Empty = any.
  std::int64_t count = 0;
  MicroUsd hourly_price = 0;  ///< Per instance, after discounts; 0 if owned.
  bool owned = false;
};

/// Instances of a type that ECS chooses and launches for a capacity provider of Managed Instances.
struct ManagedInstances {
  std::string capacity_provider;
  std::string instance_type;
  std::int64_t count = 0;
  MicroUsd hourly_price = 0;  ///< Per instance, with the fee.
};

struct Fleet {
  std::vector<Purchase> purchases;
  MicroUsd hourly_cost = 0;
};

/// A fleet that simulated ECS placement fills in each launch order.
struct FilledFleet {
  Fleet fleet;
  std::string strategy;               ///< "binpack:memory", "as written".
  bool largest_first = false;         ///< The largest tasks must be launched first; otherwise the order is irrelevant.
  std::int64_t orders = 0;            ///< Launch orders of the search: every task is placed in each of them.
  std::int64_t confirmed_orders = 0;  ///< Additional launch orders in all of which every task is placed.
  /// Constraints to add to services and calls, by name: "distinctInstance", or the expression of a memberOf.
  std::vector<std::pair<std::string, std::string>> added_constraints;
};

/// Why a task does not fit on a type.
struct TypeRejection {
  std::string instance_type;
  std::vector<std::string> reasons;  ///< The reasons as ECS words them.
  std::string text;                  ///< "RESOURCE:GPU (3 short)"
};

/// Tasks that fit on no available type.
struct Unplaceable {
  std::string name;  ///< Name of the service, or the family.
  std::string task_definition;
  std::int64_t count = 0;
  std::string contradiction;         ///< Contradicting constraints; empty if the types are the reason.
  std::vector<TypeRejection> types;  ///< Closest match first.
};

enum class StoppedBy : std::uint8_t { kProof, kGap, kEffort, kCaller };

/// The proof of the lower bound.
struct FleetProof {
  MicroUsd lower_bound = 0;  ///< Every fleet for the tasks costs at least this; 0 = nothing was proven.
  bool optimal = false;      ///< The ideal fleet costs as much as the bound.
  std::string method;        ///< "duals", "priceLattice", "branchAndPrice".
  /// A certificate of the bound was verified by code that shares nothing with the search; it does not cover the search
  /// tree (`on_trust`).
  bool certificate_checked = false;
  bool on_trust = false;
  StoppedBy stopped_by = StoppedBy::kEffort;
  std::vector<Assumption> relaxations;  ///< Rules that the bound ignores: it is valid, but may be too low.
};

struct FleetReport {
  std::string answer;         ///< "Buy 4 g4dn.12xlarge: $15.648/h, about $11,423/month at 730 h. Proven optimal. ..."
  std::string region;         ///< Region of the prices.
  bool counts_vcpus = false;  ///< No type has a price: one vCPU counts as one USD per hour.
  /// Number of tasks, including headroom, excluding daemons and tasks on Managed Instances.
  std::int64_t tasks = 0;
  std::optional<FilledFleet> recommended;  ///< The cheapest that simulated ECS placement fills; empty if none.
  std::optional<Fleet> ideal;              ///< The cheapest packing; empty if there is no fleet for the tasks.
  FleetProof proof;
  std::vector<Unplaceable> unplaceable;
  std::int64_t left_over = 0;  ///< Tasks that are unplaced because of limits and quotas.
  std::string contradiction;   ///< Tasks that cannot be combined with so few types; may be empty.
  /// What ECS launches for tasks on Managed Instances. The other members describe the other tasks.
  std::vector<ManagedInstances> managed_instances;
  std::map<std::string, std::int64_t> managed_unplaced;  ///< Tasks that no type of their provider holds, by name.
  std::vector<Assumption> assumptions;
};

/// Reads a scenario, searches, simulates ECS placement, and verifies the result with independent code. Safe to call
/// from several threads; the time depends on `effort`. Throws only std::bad_alloc.
Result<FleetReport> plan_fleet(const ScenarioInput& input, const FleetOptions& options = {});

}  // namespace bayplan::v0
