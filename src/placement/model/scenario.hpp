#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "base/optional_index.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "capacity/gpu_needs.hpp"
#include "capacity/requirement.hpp"
#include "catalog/catalog.hpp"
#include "model/task_definition.hpp"
#include "placement/model/instance_profile.hpp"
#include "placement/model/timetable.hpp"
#include "placement/policy/policy.hpp"
#include "query/query.hpp"
#include "text/document.hpp"

/// What the engine is given: every reference resolved, every instance expanded, nothing left to look up or to refuse.
/// Made by `load_scenario` (load_scenario.hpp) from files, or by `arguments.hpp` from the command line.
namespace bayplan::placement {

enum class StrategyType : std::uint8_t { kRandom, kSpread, kBinpack };

/// One entry of placementStrategy. Only what can be ranked gets here.
struct Strategy {
  StrategyType type = StrategyType::kRandom;
  /// kBinpack: "cpu" or "memory". kSpread: "instanceId" (also where "host" was written) or "attribute:NAME". kRandom:
  /// "".
  std::string field;

  std::string_view attribute() const;  ///< NAME of "attribute:NAME", else empty.
  bool operator==(const Strategy&) const = default;
};

enum class ConstraintType : std::uint8_t { kDistinctInstance, kMemberOf };

struct Constraint {
  ConstraintType type = ConstraintType::kDistinctInstance;
  std::string source;                                   ///< kMemberOf: the expression as written.
  std::shared_ptr<const query::Expression> expression;  ///< kMemberOf only.
  /// The tasks on the instance are unknown, as on one to buy: the constraint is satisfied if some tasks would satisfy
  /// it.
  bool ignores_tasks = false;

  /// Whether starting or stopping a task on an instance can change the result.
  bool depends_on_tasks() const { return expression && !ignores_tasks && expression->depends_on_tasks(); }
};

/// A subnet that the scenario or the description of its cluster names.
struct Subnet {
  std::string availability_zone;
  /// Addresses that are free before the first placement: AvailableIpAddressCount of EC2. Nothing where that is not
  /// stated, and of a subnet without IPv4, for which EC2 counts none.
  std::optional<std::int64_t> available_addresses;
  Origin origin;  ///< Where its zone is said.
};

/// What is taken of one GPU before the first placement.
struct GpuUse {
  bool dedicated = false;
  MiB shared_memory = 0;              ///< Memory used by tasks that share the GPU (MPS).
  std::int64_t share_millionths = 0;  ///< Share of a fractional device.
  bool is_shared = false;             ///< Tasks that share the GPU (MPS) are on it.
  bool operator==(const GpuUse&) const = default;
};

/// What is in use on an instance before the first placement, in addition to what its profile reserves.
struct InstanceUse {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  std::int64_t ebs_volumes = 0;          ///< Attached for tasks.
  std::vector<std::uint16_t> tcp_ports;  ///< Sorted, unique, none of the profile's.
  std::vector<std::uint16_t> udp_ports;
  std::vector<GpuUse> gpus;  ///< Use of every device; empty = none is in use.
  std::int64_t tasks = 0;
};

/// A task of a live cluster that runs on none of its container instances, but on Fargate.
struct TaskElsewhere {
  std::string id;           ///< Last part of its ARN.
  std::string launch_type;  ///< Empty when not described.
  std::string group;
};

/// A task that runs before the first placement. What it takes is in the InstanceUse of its instance.
struct RunningTask {
  std::string id;  ///< Last part of its ARN.
  std::uint32_t instance = 0;
  std::string group;
  std::string task_definition;      ///< "web:3"; the scenario need not know it.
  bool stopping = false;            ///< The task is stopping: it still holds its resources but counts in no group.
  bool daemon = false;              ///< It belongs to a daemon service.
  std::vector<std::uint32_t> gpus;  ///< Devices of the instance.
};

struct TaskDefinition {
  std::string family;
  std::int64_t revision = 1;         ///< Described revision, otherwise counted per family in the order of the files.
  std::string name;                  ///< "train:1"
  model::TaskDefinition definition;  ///< Views a document that the scenario keeps.
  capacity::TaskRequirement requirement;
  std::vector<Constraint> constraints;       ///< Constraints of the definition itself; workloads hold them too.
  std::vector<std::string> container_names;  ///< Listed in file order.
  bool is_registered = false;                ///< ECS describes it, so ECS has accepted it.
  Origin origin;
};

enum class WorkloadKind : std::uint8_t { kDaemon, kService, kTasks };

struct ProviderShare {
  std::string capacity_provider;  ///< Known: an instance or `capacityProviders` names it.
  std::int64_t base = 0;
  std::int64_t weight = 0;
};

/// A service or one RunTask call: `count` tasks that are alike.
struct Workload {
  WorkloadKind kind = WorkloadKind::kTasks;
  std::string name;                   ///< serviceName, or the family; tasks are "<name>#<n>" from 1.
  std::uint32_t task_definition = 0;  ///< Index into Scenario::task_definitions.
  /// desiredCount or count, of all its calls together; not read for kDaemon. Nothing = as many as fit
  /// (`--task TASKDEF=max`).
  std::optional<std::int64_t> count = 1;
  std::string group;                      ///< "service:NAME", or the group given, or "family:FAMILY".
  capacity::TaskRequirement requirement;  ///< Requirement of one task, overrides applied.
  std::vector<Strategy> strategies;  ///< Stated strategies, at most 5; empty = the default of ECS (services: spread
                                     ///< over zones, then instances; tasks: random).
  std::vector<Constraint>
      constraints;  ///< Constraints of the task definition first, then those stated here; all must hold.
  /// Zones that the subnets of an awsvpc task allow, sorted; nothing = not restricted.
  std::optional<std::vector<std::string>> availability_zones;
  std::vector<std::string> subnets;  ///< IDs of the subnets of an awsvpc task; empty = not stated.
  OptionalIndex only_profile;        ///< StartTask names instances: only those of this profile count, an index into
                                     ///< Scenario::profiles.
  std::vector<ProviderShare> capacity_providers;  ///< Empty = every instance of the cluster (launch type EC2).
  /// Tasks only: each of its calls is placed as a whole or not at all. Nothing that ECS offers.
  bool all_or_nothing = false;
  std::int64_t minimum_healthy_percent = 100;
  std::int64_t maximum_percent = 200;
  bool is_live = false;  ///< The service of a described cluster, not one that the scenario adds or restates.
  Origin origin;
};

/// One attempt to place tasks. RunTask calls that ask for the same thing share a workload and differ in their attempts.
struct Call {
  std::uint32_t workload = 0;       ///< Index into Scenario::workloads.
  std::int64_t count = 1;           ///< Tasks; not read for kDaemon.
  Seconds start_at = 0;             ///< RunTask is called then.
  std::optional<Seconds> duration;  ///< Replaces the duration in the timetable of the workload.
};

enum class TaskOrder : std::uint8_t { kGiven, kLargestFirst };

/// Who wins among the instances that the last strategy leaves equal. ECS does not say; `kDrawn` draws one of them.
enum class TieOrder : std::uint8_t { kFile, kDrawn };

/// Something that a reader should know of the cluster, apart from what a report takes for granted.
struct ClusterFinding {
  std::string id;
  std::string subject;
  std::string text;
};

/// The capacity providers of a cluster, as far as its description has them.
struct ClusterProviders {
  std::optional<std::vector<std::string>> associated;  ///< In the order described; nothing where no answer lists them.
  std::vector<ProviderShare> default_strategy;         ///< Where tasks go that name neither launch type nor providers.
  std::vector<text::Value> described;  ///< As describe-capacity-providers has them; the scenario keeps them.
};

/// A service that runs in a live cluster, as far as it says where its tasks go.
struct RunningService {
  std::string name;
  WorkloadKind kind = WorkloadKind::kService;
  std::string task_definition;  ///< "web:7"; empty when not described, the scenario need not know it.
  std::vector<Strategy> strategies;
  std::vector<Constraint> constraints;                         ///< Its own; those of its definition come before them.
  std::optional<std::vector<std::string>> availability_zones;  ///< Zones of its subnets, if all of them are known.
  std::vector<std::string> subnets;                            ///< Those that it states, in known zones or not.
  std::vector<ProviderShare> capacity_providers;
  std::string launch_type;  ///< Empty when not described.
  /// Its newest deployment is FAILED: it starts nothing more, and the tasks of older ones stay (DG
  /// deployment-circuit-breaker).
  bool has_failed = false;
  std::int64_t desired_count = 0;
  std::int64_t running_count = 0;  ///< PENDING ones too.
  std::int64_t minimum_healthy_percent = 100;
  std::int64_t maximum_percent = 200;
  model::DeploymentSettings settings;
  Origin origin;  ///< Where it is described.
};

/// What a described cluster is about to do at the moment of its description, where the command does not take its
/// services as workloads: services that do not have the tasks that they want where they want them, and RunTask tasks
/// that wait for an instance. `study::settle` lets it happen.
struct InFlight {
  std::vector<Workload> workloads;  ///< `count` is what is missing.
  std::vector<ServicePlan> plans;   ///< Of its services; ServicePlan::workload is an index into `workloads`.
};

/// A cluster and what is to run on it.
struct Scenario {
  std::string region = "us-east-1";
  std::string cluster_name;
  std::vector<InstanceProfile> profiles;
  std::vector<ContainerInstance> instances;  ///< Listed in file order, which decides ties.
  std::vector<InstanceUse> in_use;           ///< One entry per instance; those behind its end are empty.
  std::vector<RunningTask> running;          ///< Sorted by instance, then as described.
  std::vector<TaskElsewhere> elsewhere;      ///< In the order described.
  ClusterProviders providers;
  std::vector<RunningService> services;                ///< Services of a live cluster.
  std::map<std::string, Subnet, std::less<>> subnets;  ///< Those whose zones are known, by ID.
  InFlight in_flight;                                  ///< Empty once it is settled.
  std::vector<TaskDefinition> task_definitions;
  std::vector<Workload> workloads;  ///< Listed in the order of their first placement: daemon services, services, tasks.
  /// Attempts of tasks (and services) in the order of placement. A workload that none names has one attempt with its
  /// count.
  std::vector<Call> calls;
  capacity::NeedsByName needs;  ///< What is said of GPUs in addition to the labels of the definitions.
  std::uint64_t seed = 1;       ///< Seed of all random draws.
  TaskOrder order = TaskOrder::kGiven;
  TieOrder ties = TieOrder::kFile;
  /// Takes the place of the strategies of every workload. Nothing that ECS offers.
  std::optional<Policy> policy = std::nullopt;
  /// The policy chooses only for tasks that StartTask can start: all others keep their strategies.
  bool policy_by_start_task = false;
  /// Capacity providers whose managed scaling is ENABLED, sorted: a task that does not fit on one waits for it.
  std::vector<std::string> managed_providers;
  Timetable timetable;
  std::vector<Assumption> assumptions;
  std::vector<ClusterFinding> findings;  ///< Where the description of a live cluster contradicts itself.
  /// What the file asks for and this release does not simulate (launch type FARGATE ...): a command that simulates
  /// prints all of them and exits with 2.
  std::vector<Error> not_simulated;
  /// What makes this a scenario over time, with its place; `subject` names it: "startAt", "events" ...
  /// (refuse_over_time)
  std::vector<Error> over_time;

  std::vector<std::shared_ptr<const text::Document>> documents;  ///< Task definitions view them.
  std::string file;                                ///< The scenario file; empty when the command line says all.
  std::shared_ptr<const text::Document> document;  ///< The document of that file.

  /// What is taken of the instance; null when nothing is.
  const InstanceUse* use_of(std::uint32_t instance) const;
  /// Tasks that run on the instance before the first placement.
  std::span<const RunningTask> running_on(std::uint32_t instance) const;
};

/// Tasks to place or tasks that run have EBS volumes configured at launch.
bool attaches_volumes(const Scenario& scenario);

/// Adds an assumption, unless the scenario has one with this id and subject.
void assume(Scenario& scenario, std::string id, std::string subject, std::string text);

/// What each of Scenario::running takes, as far as the scenario knows its definition.
std::vector<capacity::TaskRequirement> requirements_of_running(const Scenario& scenario);

}  // namespace bayplan::placement
