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

/// Simulates where ECS would place tasks on a described cluster, like `bayplan place` at time 0. docs/placement.md
/// lists the rules, the choices that ECS does not document, and their sources.
namespace bayplan::v0 {

struct PlaceOptions {
  std::vector<std::string> strategies = {};  ///< "binpack:memory", "spread:attribute:ecs.availability-zone", or in the
                                             ///< syntax of the AWS CLI; a chain. They replace those of the scenario, or
                                             ///< apply to `ScenarioInput::tasks`.
  std::vector<std::string> constraints = {};  ///< "type=memberOf,expression=..."
};

/// Registered or remaining resources of an instance, or missing resources of a task. Integers.
struct Resources {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpus = 0;
  std::optional<std::int64_t> network_interfaces;  ///< Network interfaces that awsvpc tasks can use; empty if unknown.
  std::optional<std::int64_t> ebs_attachments;  ///< EBS volumes that tasks can attach; empty if the limit is unknown.
  std::vector<std::uint16_t>
      tcp_ports;  ///< Sorted ports in use; a shortfall lists those that are requested and in use.
  std::vector<std::uint16_t> udp_ports;
};

/// The GPUs assigned to a container.
struct ContainerGpus {
  std::string container;
  std::vector<std::string> gpu_ids;  ///< Values of `Gpu::id`.
};

struct Placement {
  std::string task;                              ///< "train#1": numbered per name, including failures.
  std::string task_definition;                   ///< "train:1"
  std::string group;                             ///< "service:NAME", "family:FAMILY" or the given group.
  std::size_t instance = 0;                      ///< Index into PlaceReport::instances.
  std::optional<std::string> capacity_provider;  ///< Chosen for the task.
  std::vector<ContainerGpus> containers;         ///< Includes only containers with GPUs.
  bool tied = false;                             ///< Another instance was equal after the last strategy.
};

/// Why one instance rejected a task.
struct Rejection {
  std::size_t instance = 0;             ///< Index into PlaceReport::instances.
  std::vector<std::string> reasons;     ///< All reasons in the words of ECS: "RESOURCE:GPU", "ATTRIBUTE" ...
  Resources shortfall;                  ///< Missing resources; 0 or empty = nothing.
  double gpu_fraction = 0;              ///< Missing part of one GPU, on fractional types.
  MiB gpu_memory = 0;                   ///< Missing on the GPU with the most free memory, for shared GPUs (MPS).
  std::vector<std::string> attributes;  ///< Required and missing.
};

/// An unplaced task.
struct Failure {
  std::string task;
  std::string task_definition;
  std::string group;
  std::optional<std::string> capacity_provider;
  std::string reason;                  ///< Reason of the closest instance: "RESOURCE:GPU".
  std::string message;                 ///< The message of ECS: the service event, or the RunTask reason.
  bool provisioning = false;           ///< The task waits for its capacity provider to scale.
  std::optional<std::size_t> closest;  ///< Index into PlaceReport::instances.
  /// The task whose failure contains `instances`: this task, or an earlier one with the same requirements if nothing
  /// has changed since.
  std::string explained_by;
  std::vector<Rejection> instances;              ///< All of a small cluster; in a large cluster the closest matches.
  std::map<std::string, std::int64_t> rejected;  ///< Instances by reason; one counts under each of its reasons.
  std::optional<std::int64_t> would_fit;         ///< Number of tasks that fit, if the call places all or none.
};

struct Gpu {
  std::string id;             ///< "p3.2xlarge#1/gpu0"
  std::string state;          ///< "IDLE", "DEDICATED", "NVIDIA_MPS".
  std::optional<MiB> memory;  ///< Empty if unknown.
  std::optional<MiB> remaining_memory;
  std::vector<std::string> tasks;  ///< Tasks that use it.
};

/// A container instance and its remaining resources at the end.
struct Instance {
  std::string id;             ///< ec2InstanceId, or "<instanceType>#<n>" numbered per type in the order of the cluster.
  std::string instance_type;  ///< May be empty if only resources are stated.
  std::string availability_zone;  ///< Empty if not stated.
  std::string status;             ///< "ACTIVE", "DRAINING" ...
  Resources registered;           ///< Ports: those that the agent reserves.
  Resources remaining;            ///< Ports: all ports in use.
  std::int64_t tasks = 0;         ///< Tasks on it, including earlier ones.
  std::vector<Gpu> gpus;
  std::optional<MicroUsd> hourly_price;  ///< Empty if unknown.
};

/// The number of tasks that fit for "TASKDEF=max".
struct FitLimit {
  std::string name;
  std::string task_definition;
  std::int64_t fit = 0;
  std::optional<Failure> ended_by;  ///< Empty if the maximum count was reached first.
};

struct PlaceSummary {
  std::int64_t placed = 0;
  std::int64_t unplaced = 0;      ///< Failures that are not waiting.
  std::int64_t provisioning = 0;  ///< Failures that are waiting.
  std::int64_t instances_used = 0;
  std::optional<MicroUsd> hourly_cost;  ///< Price of all instances; empty if the price of one is unknown.
  std::int64_t ties = 0;
};

struct PlaceReport {
  std::string answer;  ///< "YES 12 of 12 tasks placed on 4 of 6 instances"
  std::uint64_t seed = 1;
  std::vector<Placement> placements;  ///< Placed tasks in the order of placement.
  std::vector<Failure> failures;      ///< Unplaced tasks in the order of placement.
  std::vector<FitLimit> limits;
  std::vector<Instance> instances;  ///< Instances in the order of the cluster, which breaks ties.
  std::vector<Assumption> assumptions;
  PlaceSummary summary;
  std::int64_t tie_orders_tried = 1;  ///< Including this one, and others if ties occurred.
  std::int64_t tie_orders_fit = 0;    ///< Orders in which every task is placed.

  /// True if every task is placed in every tie order that was tried.
  bool all_placed() const { return tie_orders_fit == tie_orders_tried; }
};

/// Reads a scenario, places every task, and verifies the answer with independent code. The same input gives the same
/// report. Safe to call from several threads. A scenario over time (startAt, events, Auto Scaling) is an error: only
/// the program runs those. Throws only std::bad_alloc.
Result<PlaceReport> place(const ScenarioInput& input, const PlaceOptions& options = {});

}  // namespace bayplan::v0
