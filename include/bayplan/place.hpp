#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bayplan/assumption.hpp"
#include "bayplan/result.hpp"
#include "bayplan/scenario.hpp"
#include "bayplan/units.hpp"
#include "bayplan/version.hpp"

/// Where ECS would put tasks on a described cluster: what `bayplan place` does at time 0. Rules, choices where ECS is
/// silent, and their sources: docs/placement.md.
namespace bayplan::v0 {

struct PlaceOptions {
  std::vector<std::string> strategies = {};   ///< "binpack:memory", "spread:attribute:ecs.availability-zone", or as the
                                              ///< AWS CLI takes them; a chain. They replace those of the scenario, or
                                              ///< are those of `ScenarioInput::tasks`.
  std::vector<std::string> constraints = {};  ///< "type=memberOf,expression=..."
};

/// What an instance registers, what is left of it, what a task lacks. Whole numbers.
struct Resources {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpus = 0;
  std::optional<std::int64_t> network_interfaces;  ///< Of tasks in awsvpc mode; nothing where nobody says how many.
  std::optional<std::int64_t> ebs_attachments;     ///< For EBS volumes of tasks; nothing where the limit is not known.
  std::vector<std::uint16_t> tcp_ports;            ///< Taken, sorted; of a shortfall those wanted and taken.
  std::vector<std::uint16_t> udp_ports;
};

/// The GPUs that a container was given.
struct ContainerGpus {
  std::string container;
  std::vector<std::string> gpu_ids;  ///< Of `Gpu::id`.
};

struct Placement {
  std::string task;                              ///< "train#1": numbers count per name, failures included.
  std::string task_definition;                   ///< "train:1"
  std::string group;                             ///< "service:NAME", "family:FAMILY" or the group given.
  std::size_t instance = 0;                      ///< Index into PlaceReport::instances.
  std::optional<std::string> capacity_provider;  ///< Chosen for it.
  std::vector<ContainerGpus> containers;         ///< Those with a GPU alone.
  bool tied = false;                             ///< Another instance was as good after the last strategy.
};

/// Why one instance did not take a task.
struct Rejection {
  std::size_t instance = 0;             ///< Index into PlaceReport::instances.
  std::vector<std::string> reasons;     ///< ECS's words, all that hold: "RESOURCE:GPU", "ATTRIBUTE" ...
  Resources shortfall;                  ///< So much is missing; 0 or empty = nothing.
  double gpu_fraction = 0;              ///< Missing of one GPU, on types that give out fractions.
  MiB gpu_memory = 0;                   ///< Missing on the GPU that has most left, of tasks that share (MPS).
  std::vector<std::string> attributes;  ///< Required and missing.
};

/// A task without a place.
struct Failure {
  std::string task;
  std::string task_definition;
  std::string group;
  std::optional<std::string> capacity_provider;
  std::string reason;                  ///< Of the closest instance: "RESOURCE:GPU".
  std::string message;                 ///< What ECS would say: the service event, or RunTask's reason.
  bool provisioning = false;           ///< Not refused: it waits for its capacity provider to scale.
  std::optional<std::size_t> closest;  ///< Index into PlaceReport::instances.
  /// The task whose failure holds `instances`: this one's own, or of one that asks the same where nothing has changed
  /// since.
  std::string explained_by;
  std::vector<Rejection> instances;              ///< All of a small cluster, of a large one the nearest misses.
  std::map<std::string, std::int64_t> rejected;  ///< Instances by reason; one counts under each of its reasons.
  std::optional<std::int64_t> would_fit;         ///< Of a call that is placed as a whole: so many had a place.
};

struct Gpu {
  std::string id;             ///< "p3.2xlarge#1/gpu0"
  std::string state;          ///< "IDLE", "DEDICATED", "NVIDIA_MPS".
  std::optional<MiB> memory;  ///< Nothing when not known.
  std::optional<MiB> remaining_memory;
  std::vector<std::string> tasks;  ///< On it.
};

/// A container instance, and what is left of it in the end.
struct Instance {
  std::string id;             ///< ec2InstanceId, or "<instanceType>#<n>" counted per type in the order of the cluster.
  std::string instance_type;  ///< May be empty where only resources are stated.
  std::string availability_zone;  ///< Empty when not stated.
  std::string status;             ///< "ACTIVE", "DRAINING" ...
  Resources registered;           ///< Ports: those that the agent keeps.
  Resources remaining;            ///< Ports: all that are taken.
  std::int64_t tasks = 0;         ///< On it, those that ran before included.
  std::vector<Gpu> gpus;
  std::optional<MicroUsd> hourly_price;  ///< Nothing when not known.
};

/// How many tasks of a "TASKDEF=max" fit.
struct FitLimit {
  std::string name;
  std::string task_definition;
  std::int64_t fit = 0;
  std::optional<Failure> ended_by;  ///< Nothing where so many fit that it was not found out.
};

struct PlaceSummary {
  std::int64_t placed = 0;
  std::int64_t unplaced = 0;      ///< Failures that do not wait.
  std::int64_t provisioning = 0;  ///< Failures that do.
  std::int64_t instances_used = 0;
  std::optional<MicroUsd> hourly_cost;  ///< Of every instance; nothing when one has no known price.
  std::int64_t ties = 0;
};

struct PlaceReport {
  std::string answer;  ///< "YES 12 of 12 tasks placed on 4 of 6 instances"
  std::uint64_t seed = 1;
  std::vector<Placement> placements;  ///< In the order of placement.
  std::vector<Failure> failures;      ///< In the order of placement.
  std::vector<FitLimit> limits;
  std::vector<Instance> instances;  ///< In the order of the cluster, which decides ties.
  std::vector<Assumption> assumptions;
  PlaceSummary summary;
  std::int64_t tie_orders_tried = 1;  ///< It counts this one, and others where a tie decides.
  std::int64_t tie_orders_fit = 0;    ///< In so many of them every task has a place.

  /// In every tie order that was tried.
  bool all_placed() const { return tie_orders_fit == tie_orders_tried; }
};

/// Reads a scenario, places every task, and checks the answer by code of its own. The same input gives the same report.
/// Safe to call from several threads. A scenario that takes time (startAt, events, Auto Scaling) is an error: the
/// program runs those. Nothing throws but std::bad_alloc.
Result<PlaceReport> place(const ScenarioInput& input, const PlaceOptions& options = {});

}  // namespace bayplan::v0
