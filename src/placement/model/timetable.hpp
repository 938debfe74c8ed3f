#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "placement/model/event.hpp"

/// What a scenario says of time; `Scenario` says what is placed where. All times are whole seconds from
/// the start of the scenario.
namespace bayplan::placement {

/// Every constant of the simulation that ECS documents loosely or not at all; `settings.timing` overrides each by its
/// name. Sources: docs/timeline.md, "Constants".
struct Timing {
  Seconds healthy_after = 40;  ///< A RUNNING task counts as healthy after so long.
  Seconds stop_timeout = 30;   ///< Time from SIGTERM to the end for tasks whose containers state no stopTimeout.
  Seconds boot_time = 180;     ///< Time from launch to ACTIVE for groups without a bootTime.
  Seconds metric_period = 60;  ///< Time between two data points of CapacityProviderReservation.
  std::int64_t scale_out_data_points = 1;  ///< Above the target in a row before a group grows.
  std::int64_t scale_in_data_points = 15;  ///< Below the target in a row before it shrinks.
  Seconds provisioning_timeout = 1'800;    ///< Time after which a PROVISIONING task is stopped.
  std::int64_t provisioning_limit = 500;   ///< PROVISIONING tasks of the cluster at a time.
  std::int64_t launch_rate = 500;          ///< Tasks that ECS launches for one service within a minute.
  Seconds restart_delay = 10;              ///< Delay before a service replaces a failed task; doubles each time.
  /// Time after which a lack of room counts again as a failed attempt of a service; doubles each time.
  Seconds placement_retry_delay = 900;
  Seconds restart_delay_limit = 1'620;  ///< Both grow no further.
  /// Limit on each stage of a deployment that runs both revisions; at its end the deployment rolls back.
  Seconds stage_limit = 86'400;
  Seconds lifecycle_hook = 0;               ///< Time that a stage with lifecycle hooks takes for them.
  Seconds alarm_bake_time = 300;            ///< Time for which a ROLLING deployment watches its alarms at its end.
  Seconds target_healthy_after = 30;        ///< Time from RUNNING until a load balancer counts the task as healthy.
  Seconds deregistration_delay = 300;       ///< Time for which a load balancer drains a task before it is stopped.
  Seconds code_deploy_limit = 3'600;        ///< Time in which the new tasks of a CodeDeploy deployment must be healthy.
  Seconds code_deploy_termination = 3'600;  ///< Time from the traffic shift of CodeDeploy until old tasks stop.
  Seconds endless_after = 604'800;          ///< A run in which for so long nothing but repetition happens is stopped.
};

/// How long the tasks of one workload take.
struct TaskTiming {
  Seconds start_delay = 0;          ///< Time from placement to RUNNING: image pull, start of the containers.
  std::optional<Seconds> duration;  ///< Time from RUNNING until the task ends by itself; nothing = it runs until it is
                                    ///< stopped. A call that states its own goes first.
  Seconds stop_delay = 30;          ///< Time from the order to stop until the task ends.
  std::optional<Seconds> target_healthy_after;  ///< Time from RUNNING until the load balancer counts it as healthy;
                                                ///< nothing without a load balancer.
  Seconds deregistration_delay = 0;             ///< Part of `stop_delay`: the load balancer drains the task first.
};

/// What a service does in addition to placing tasks; by the workload that is its first deployment.
struct ServicePlan {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads: kService or kDaemon.
  std::int64_t desired_count =
      0;  ///< Desired count; in a live cluster it includes running tasks; the workload's count is what is missing.
  CircuitBreaker circuit_breaker;
  bool rebalances = false;  ///< availabilityZoneRebalancing ENABLED, whether it may (rebalancing.hpp) or not.
  model::DeploymentSettings settings;  ///< How its deployments proceed, in addition to the healthy percents.
  std::vector<std::string> conflicts;  ///< Settings that contradict each other or the service, in sentences.
};

/// What ECS Managed Instances do instead of following a desired capacity (docs/managed-instances.md).
struct ManagedInstancesPlan {
  bool scales_in = true;             ///< False: scaleInAfter is -1, idle instances stay.
  Seconds scale_in_after = 0;        ///< Time without a task after which an instance ends.
  Seconds scale_in_after_gpu = 0;    ///< The same for types with a GPU.
  Seconds drains_after = 1'209'600;  ///< Age at which an instance starts to drain: 14 days.
  Seconds ends_after = 1'814'400;    ///< Age at which it is terminated: 21 days.
};

/// What launches instances for a capacity provider: an Auto Scaling group, or ECS itself (Managed Instances).
struct InstanceGroup {
  std::string capacity_provider;
  /// What it launches: by instance type in the order stated, then by zone in the order stated. One row for each type.
  struct Type {
    std::vector<std::uint32_t> profiles;  ///< Index into Scenario::profiles; one for each of `availability_zones`.
  };
  /// An Auto Scaling group has at least one, and launches the first. Types of Managed Instances are in the order of
  /// their price; there are none where a planner allows none of them.
  std::vector<Type> types;
  std::vector<std::string> availability_zones;  ///< Has at least one zone; "" when none is stated.
  std::int64_t min_size = 0;
  std::int64_t max_size = 0;
  Seconds boot_time = 180;  ///< Time from launch to ACTIVE.

  bool is_managed = false;  ///< managedScaling ENABLED.
  std::int64_t target_capacity = 100;
  std::int64_t minimum_scaling_step_size = 1;
  std::int64_t maximum_scaling_step_size = 10'000;
  Seconds instance_warmup_period = 300;
  bool has_termination_protection = false;
  bool has_managed_draining = true;
  bool rebalances_capacity = false;  ///< Capacity Rebalancing: replaces Spot instances at a rebalance recommendation.
  std::optional<ManagedInstancesPlan> managed_instances;  ///< Nothing for an Auto Scaling group.
  Origin origin;

  /// It follows CapacityProviderReservation.
  bool follows_reservation() const { return is_managed && !managed_instances; }
  /// Why SetDesiredCapacity refuses the number; nothing when it is within minSize and maxSize.
  std::optional<Error> find_capacity_error(std::int64_t desired) const;
};

/// How often Spot instances are interrupted: the share of them within 30 days, in millionths.
struct SpotInterruptionRates {
  std::int64_t millionths = 0;                               ///< Of pools that are not listed.
  std::map<std::string, std::int64_t, std::less<>> by_pool;  ///< Keyed by pool, "m5.large@us-east-1a".

  bool is_zero() const { return millionths == 0 && by_pool.empty(); }
  std::int64_t of(const std::string& pool) const {
    const auto found = by_pool.find(pool);
    return found == by_pool.end() ? millionths : found->second;
  }
};

enum class WhenFull : std::uint8_t { kFail, kWait };

struct Timetable {
  Timing timing;
  std::vector<TaskTiming> tasks;      ///< One entry per workload.
  std::vector<ServicePlan> services;  ///< Listed in the order of the file, daemons among them.
  std::vector<InstanceGroup> groups;  ///< Listed in the order of the file.
  std::vector<TimedEvent> events;     ///< Sorted by time, then in the order of the file.
  WhenFull when_full = WhenFull::kFail;
  SpotInterruptionRates spot;
  std::optional<Seconds> until;         ///< `--until`: the run stops there.
  std::int64_t most_tasks = 3'000'000;  ///< A run keeps every task from its arrival on.
  /// By default, services and groups start instances and tasks until the run ends.
  std::int64_t most_restarts = 500'000;  ///< Tasks that services start after time 0.
  std::int64_t most_launches = 200'000;  ///< Instances that groups start after time 0.
  /// Something in it takes time: without, everything is placed at time 0 and that is all (engine.hpp).
  bool has_time = false;
};

/// The Auto Scaling group of the capacity provider, an index into Timetable::groups; nothing when it has none.
std::optional<std::uint32_t> find_group(const Timetable& timetable, std::string_view capacity_provider);

/// The settings of the service whose first deployment has the workload; null when none has.
const model::DeploymentSettings* settings_of(const Timetable& timetable, std::uint32_t workload);

std::string duration_text(Seconds seconds);  ///< "1h30m", as scenarios write it.

/// The longest time that a scenario may state, a million hours: sums of a thousand million of them stay in 64 bits.
inline constexpr Seconds kLongestDuration = Seconds{1'000'000} * 3'600;

}  // namespace bayplan::placement
