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

/// The cheapest instances for a scenario's tasks, with a proven bound: what `bayplan fleet` does. What the bound heeds,
/// and what filling means: docs/fleet.md.
namespace bayplan::v0 {

/// How a search stands.
struct FleetProgress {
  MicroUsd cost = 0;         ///< Of the best packing so far; 0 = none yet.
  MicroUsd lower_bound = 0;  ///< 0 = nothing proven yet.
  std::int64_t effort = 0;   ///< Steps.
};

/// What is paid of the price of some types.
struct Discount {
  std::string types = {};  ///< A type, a family or a glob: "p3.2xlarge", "g4dn", "g*.xlarge".
  double factor = 1;       ///< 0.72: 72 % are paid. Millionths of it count.
};

struct FleetOptions {
  std::vector<std::string> constraints = {};             ///< As for `place`.
  std::vector<std::string> types = {};                   ///< Globs: "g4dn.*"; empty = every type on sale in the region.
  std::string prices = {};                               ///< Path of a price file; empty = the built-in prices.
  std::vector<Discount> discounts = {};                  ///< A type goes before its family, a family before a glob.
  std::map<std::string, std::int64_t> limits = {};       ///< At most so many, by instance type.
  std::map<std::string, std::int64_t> owned = {};        ///< There already, at no price, by instance type.
  std::map<std::string, std::int64_t> vcpu_quotas = {};  ///< EC2 quotas of running vCPUs by name: {"G and VT", 256}.
  std::optional<std::int64_t> max_types = {};            ///< At most so many different types, owned ones included.
  /// Zones to deal the instances to: how many, or their names. Nothing = those of the scenario.
  std::variant<std::monostate, std::int64_t, std::vector<std::string>> zones = {};
  bool survive_zone_loss = false;     ///< With any one zone lost every task still finds a place. Wants two zones.
  bool deployable = false;            ///< With room for each service to deploy within its healthy percents.
  bool add_only = false;              ///< Keep the scenario's cluster as it stands; say what to buy beside it.
  bool allow_unpriced = false;        ///< Plan without prices of the region: by another region's, else by vCPUs.
  std::int64_t headroom_percent = 0;  ///< So many more tasks of each kind; at most 1000.
  std::int64_t orders = 20;           ///< Launch orders in which ECS must fill the fleet; at most 10,000.
  std::int64_t effort = 250'000'000;  ///< Steps of the search: 10 to 30 s. A search that ends by it is reproducible.
  /// Asked between steps, on the calling thread; false ends the search with the best so far. It must not throw.
  std::function<bool(const FleetProgress&)> go_on = {};
};

/// So many instances of a type in a zone.
struct Purchase {
  std::string instance_type;
  std::string availability_zone;  ///< Empty = any.
  std::int64_t count = 0;
  MicroUsd hourly_price = 0;  ///< Of one, discounts taken off; 0 when owned.
  bool owned = false;
};

struct Fleet {
  std::vector<Purchase> purchases;
  MicroUsd hourly_cost = 0;
};

/// A fleet that ECS itself fills, launch order by launch order.
struct FilledFleet {
  Fleet fleet;
  std::string strategy;               ///< "binpack:memory", "as written".
  bool largest_first = false;         ///< The tasks must be launched largest first; else any order will do.
  std::int64_t orders = 0;            ///< Launch orders of the search: every task has a place in each.
  std::int64_t confirmed_orders = 0;  ///< Further ones, drawn when it was found, in all of which that is true.
  /// What must be added to services and calls, by their name: "distinctInstance", or the expression of a memberOf.
  std::vector<std::pair<std::string, std::string>> added_constraints;
};

/// Why a type does not take a task.
struct TypeRejection {
  std::string instance_type;
  std::vector<std::string> reasons;  ///< ECS's words.
  std::string text;                  ///< "RESOURCE:GPU (3 short)"
};

/// Tasks that no type that may be bought takes.
struct Unplaceable {
  std::string name;  ///< Of the service, or the family.
  std::string task_definition;
  std::int64_t count = 0;
  std::string contradiction;         ///< Constraints that cannot hold together; empty when it is the types.
  std::vector<TypeRejection> types;  ///< Nearest miss first.
};

enum class StoppedBy : std::uint8_t { kProof, kEffort, kCaller };

/// What says that no fleet costs less.
struct FleetProof {
  MicroUsd lower_bound = 0;  ///< No fleet that holds the tasks costs less; 0 = nothing was proven.
  bool optimal = false;      ///< The ideal fleet costs no more than that.
  std::string method;        ///< "duals", "priceLattice", "branchAndPrice".
  /// A certificate of the bound was checked by code that shares nothing with the search; what rests on the search tree
  /// alone is not in it (`on_trust`).
  bool certificate_checked = false;
  bool on_trust = false;
  StoppedBy stopped_by = StoppedBy::kEffort;
  std::vector<Assumption> relaxations;  ///< What placement heeds and the bound does not: it holds, and may be too low.
};

struct FleetReport {
  std::string answer;         ///< "Buy 4 g4dn.12xlarge ...: $28.80/h. ECS fills it with ... No fleet costs less ..."
  std::string region;         ///< Of the prices.
  bool counts_vcpus = false;  ///< No type has a price: one vCPU counts as one USD an hour.
  std::int64_t tasks = 0;     ///< To hold, headroom included, daemons not.
  std::optional<FilledFleet> recommended;  ///< The cheapest that ECS fills by itself; nothing when none was found.
  std::optional<Fleet> ideal;              ///< The cheapest packing; nothing when the tasks have no fleet.
  FleetProof proof;
  std::vector<Unplaceable> unplaceable;
  std::int64_t left_over = 0;  ///< Tasks that limits and quotas leave without an instance.
  std::string contradiction;   ///< What no fleet of so few types can hold; empty.
  std::vector<Assumption> assumptions;
};

/// Reads a scenario, searches, fills what it finds as ECS would, and checks all of it by code of its own. Safe to call
/// from several threads; takes as long as `effort` says. Nothing throws but std::bad_alloc.
Result<FleetReport> plan_fleet(const ScenarioInput& input, const FleetOptions& options = {});

}  // namespace bayplan::v0
