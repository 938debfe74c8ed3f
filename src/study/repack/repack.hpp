#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/assumption.hpp"
#include "base/units.hpp"
#include "placement/engine/gpu_devices.hpp"
#include "placement/explain/result_summary.hpp"
#include "placement/model/scenario.hpp"

/// What could be given back of a cluster that runs: which container instances to drain, one step after another, each on
/// the state that the last one leaves.
namespace bayplan::study {

/// One call of UpdateContainerInstancesState takes this many container instances (API_UpdateContainerInstancesState,
/// containerInstances).
inline constexpr std::int64_t kMostTogether = 10;

/// Tasks of all services together up to which their deployments are tried.
inline constexpr std::int64_t kMostDeployedTasks = 20'000;

struct RepackRequest {
  std::optional<std::int64_t> max_moves;  ///< Limit for all steps together.
  std::optional<double> min_ratio;        ///< The plan ends before the first step whose `ratio_of` is lower.
  bool keeps_zones = false;               ///< No service ends up in fewer zones.
  bool waits_for_tasks = false;           ///< Instances with RunTask tasks are drained too: gone when these have ended.
  std::int64_t together = kMostTogether;  ///< Limit on the number of instances that drain at the same time.
  std::int64_t effort = 150'000;          ///< Drains and moves simulated by the search beyond its first plans.
};

/// Tasks of one name: index into RepackPlan::names.
struct NameMoves {
  std::uint32_t name = 0;
  std::int64_t count = 0;
  std::vector<std::uint32_t> moved_to;  ///< Instances, sorted, unique.
};

/// A task of a service was started, or stopped.
struct ServiceTaskTransition {
  bool is_start = false;
  std::uint32_t workload = 0;
  std::int64_t number = 0;  ///< Number of the task; 0 if it ran before the first placement.
  std::uint32_t running =
      0;  ///< Index into Scenario::running if it ran before the first placement and has not moved since.
  bool ran_before = false;
  std::uint32_t instance = 0;
  std::string capacity_provider;               ///< The chosen capacity provider of a start; empty = none.
  std::vector<placement::ContainerGpus> gpus;  ///< GPUs that a start assigns.
};

/// Instances that drain at the same time. The step is done when they are empty and terminated.
struct RepackStep {
  std::vector<std::uint32_t> instances;  ///< Sorted.
  std::vector<NameMoves> moves;          ///< Moves of services, by name.
  std::vector<NameMoves> ends;           ///< RunTask tasks that have to end first, by name.
  std::int64_t moved = 0;
  MicroUsd saving = 0;  ///< An hour, of the instances with a known price.
  std::vector<ServiceTaskTransition> transitions;
};

/// A service, or the standalone tasks of one family.
struct RepackName {
  std::uint32_t workload = 0;  ///< The first of the name.
  std::string name;
  bool is_service = false;
  std::int64_t desired = 0;
  std::int64_t placed = 0;    ///< Placed tasks before the first step; after the last, fewer by those that ended.
  std::int64_t must_run = 0;  ///< Number of tasks that minimumHealthyPercent requires.
  std::int64_t fewest = 0;    ///< That ran at any time of the plan.
  std::int64_t moves = 0;
  std::int64_t ended = 0;
  /// The service can deploy its definition again before the first step, and after the last: fewer instances may have
  /// no room for what a deployment starts next to them. Nothing for standalone tasks, and past kMostDeployed tasks.
  std::optional<bool> deploys_before;
  std::optional<bool> deploys_after;
  std::vector<std::string> zones_before;
  std::vector<std::string> zones_after;
};

enum class StayReason : std::uint8_t {
  kNoPlace,       ///< Tasks of a service have no place elsewhere.
  kHeld,          ///< A service may neither start nor stop one.
  kZones,         ///< A service would be in fewer zones.
  kMaxMoves,      ///< It could go, with more moves.
  kMinRatio,      ///< It could go, but saves too little for its moves.
  kStandalone,    ///< RunTask tasks, which ECS does not start again.
  kUnknown,       ///< The definition of a task is not described.
  kHidden,        ///< It has tasks that are not described.
  kMinSize,       ///< Its Auto Scaling group has no more than minSize.
  kDraining,      ///< It drains already.
  kDisconnected,  ///< It has tasks, and an agent that could not stop them.
  kNotActive,     ///< Registering, deregistering ...
};

/// Instances that stay for one reason.
struct StayingInstances {
  StayReason why = StayReason::kNoPlace;
  std::optional<std::uint32_t> name;  ///< Whose tasks; index into RepackPlan::names.
  std::string subject;                ///< kMinSize: the capacity provider.
  std::string reason;                 ///< kNoPlace: of the first instance: "RESOURCE:GPU".
  std::vector<std::uint32_t> instances;
};

/// No plan of any kind saves more: the rest must hold the tasks, resource by resource and in parts, and there must
/// be as many instances as tasks that cannot share one.
struct RepackLimit {
  MicroUsd saving = 0;
  std::int64_t instances = 0;  ///< That can go at most.
  std::string binds;  ///< "GPU", "PORTS", "distinctInstance"; empty where nothing binds but instances that cannot go.
};

struct RepackPlan {
  std::shared_ptr<const placement::Scenario> scenario;  ///< Indexes refer to it; workloads made for tasks without one.
  placement::Summary before;
  placement::Summary after;
  std::vector<RepackStep> steps;
  std::vector<RepackName> names;
  std::vector<StayingInstances>
      staying;                 ///< Sorted: those that stay for lack of room first, then by number of instances.
  std::int64_t instances = 0;  ///< Given back.
  std::int64_t moves = 0;
  MicroUsd saving = 0;
  std::vector<std::string> unpriced;            ///< Types of instances given back whose price is unknown, sorted.
  std::optional<RepackLimit> limit;             ///< Nothing where a price is not known.
  bool is_best = false;                         ///< The saving is the limit.
  std::vector<placement::PlacementFact> facts;  ///< What the placement before any step rests on.
  std::vector<std::string> mistakes;  ///< What a check with resource accounting of its own says: faults of the program.
  std::vector<std::string> withdrawn;  ///< The same of the limit alone: it is left out.

  std::int64_t without_place() const;  ///< Tasks that have no place before the first step, nor after the last.
  std::int64_t service_tasks() const;  ///< Tasks of services that are placed before the first step.
};

/// What a step saves and moves, as shares of the cluster before the first step.
struct StepShares {
  double saved = 0;  ///< Of the hourly cost, 0 to 1.
  double moved = 0;  ///< Of the tasks of services; above 1 where tasks move more than once.
  /// `saved` by `moved`, which Karpenter's Balanced consolidation wants to be at least 0.5
  /// (https://karpenter.sh/v1.14/concepts/disruption/); nothing for a step that moves no task.
  std::optional<double> ratio() const { return moved > 0 ? std::optional(saved / moved) : std::nullopt; }
};

/// Nothing if the price of an instance of the cluster is not known.
std::optional<StepShares> shares_of(const RepackPlan& plan, const RepackStep& step);

/// Withdraws a limit that the plan exceeds.
void check_limit(RepackPlan& plan);

/// Plans the repacking of a scenario at time 0.
RepackPlan repack(const placement::Scenario& scenario, const RepackRequest& request);

}  // namespace bayplan::study
