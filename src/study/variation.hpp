#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "placement/scenario.hpp"

/// What a capacity planner would have otherwise, as values: made of whatif's flags, of the scenario's `variants`, or of
/// a grid (load_variants.hpp), everything that they name looked up. What each does: docs/whatif.md.
namespace bayplan::study {

/// Many variants share one list.
using Profiles = std::shared_ptr<const std::vector<placement::InstanceProfile>>;

/// Each instance of one type is one of another, in the same place of the file order. `profiles`: by profile of the
/// scenario (of `ReplaceInstances`, where the variant has one), what its instances have in place of it; itself where
/// the type is another one. Replacements of one variant happen at the same time.
struct ReplaceType {
  std::string from;
  std::string to;
  Profiles profiles;
};

/// Of every service and every RunTask call; daemons have none.
struct ReplaceStrategies {
  std::vector<placement::Strategy> strategies;
};

/// Of grids: the cluster consists of other instances, all of them empty.
struct ReplaceInstances {
  Profiles profiles;
  std::vector<placement::ContainerInstance> instances;  ///< Profiles by position in `profiles`.
};

struct ReplaceSeed {
  std::uint64_t seed = 1;
};

struct ReplaceOrder {
  placement::TaskOrder order = placement::TaskOrder::kGiven;
};

/// The scenario would have been another from the start: everything is placed anew.
using PlannedVariation = std::variant<ReplaceType, ReplaceStrategies, ReplaceInstances, ReplaceSeed, ReplaceOrder>;

/// They join behind the others, ACTIVE and empty.
struct AddInstances {
  std::vector<placement::InstanceProfile> profiles;
  std::vector<placement::ContainerInstance> instances;  ///< In order; profiles by position in `profiles`.
};

/// The instances are gone, and what runs there with them.
struct LoseInstances {
  std::vector<std::uint32_t> instances;  ///< Indexes into Scenario::instances, sorted.
};

/// The instances take no more tasks; those of services move within their healthy percents.
struct DrainInstances {
  std::vector<std::uint32_t> instances;  ///< Sorted.
};

/// So many instances of the type are given back: those with the fewest tasks but for daemons, the last in file order
/// among equals.
struct RemoveInstances {
  std::string instance_type;
  std::int64_t count = 0;
};

/// desiredCount of a service, or so many tasks of all RunTask calls of the family together.
struct Scale {
  std::vector<std::uint32_t> workloads;  ///< One service, or the RunTask workloads of one name in order.
  std::int64_t count = 0;
};

/// Happens to the cluster as it stands; all events of a variant are one moment.
using ClusterEvent = std::variant<AddInstances, LoseInstances, DrainInstances, RemoveInstances, Scale>;

/// A rolling deployment, when the cluster has settled after the events.
struct Deploy {
  std::uint32_t workload = 0;         ///< The service.
  std::uint32_t task_definition = 0;  ///< Index into Scenario::task_definitions.
};

/// A variant of the scenario: planned variations first, then the events on what stands, then the deployments.
struct Variant {
  std::string name;  ///< "lose-az us-east-2a", or its key in `variants`.
  std::vector<PlannedVariation> planned;
  std::vector<ClusterEvent> events;
  std::vector<Deploy> deployments;
  placement::Origin origin;  ///< Line 0 when the command line says it.
};

}  // namespace bayplan::study
