#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"
#include "timeline/deployment_terms.hpp"
#include "timeline/history.hpp"

/// What a run was like, in figures: made of the log in one pass.
namespace bayplan::timeline {

/// What is counted at every moment.
enum class Level : std::uint8_t {
  kActive,   ///< Instances.
  kBooting,  ///< Instances that are paid for and not there yet.
  kDraining,
  kRunning,  ///< Tasks.
  kPending,
  kStopping,
  kWaiting,       ///< Unplaced tasks in the queue or of a service that retries.
  kProvisioning,  ///< Unplaced tasks of a managed capacity provider.
  kCpuReserved,
  kCpuRegistered,  ///< Registered by ACTIVE and DRAINING instances, like the other registered amounts.
  kMemoryReserved,
  kMemoryRegistered,
  kGpuReserved,  ///< Millionths of a GPU, as all GPU figures.
  kGpuRegistered,
  kGpuBooting,   ///< The amount on booting instances.
  kGpuStarting,  ///< Held by tasks between placement and RUNNING.
  kGpuJob,       ///< Held by tasks of a job that waits for its last place.
  kGpuStopping,  ///< Held by tasks that are stopping.
  kHourlyCost,   ///< Cost of every instance with a known price, in MicroUsd.
  kCount,
};
inline constexpr std::size_t kLevels = static_cast<std::size_t>(Level::kCount);

/// Levels summed over time.
class LevelSeconds {
 public:
  double of(Level level) const { return sums_[static_cast<std::size_t>(level)]; }
  void add(const std::array<std::int64_t, kLevels>& levels, Seconds seconds) {
    for (std::size_t i = 0; i < kLevels; ++i) sums_[i] += static_cast<double>(levels[i]) * static_cast<double>(seconds);
  }
  void add(const LevelSeconds& other) {
    for (std::size_t i = 0; i < kLevels; ++i) sums_[i] += other.sums_[i];
  }
  /// Held by tasks that do not run.
  double gpu_pinned() const { return of(Level::kGpuStarting) + of(Level::kGpuJob) + of(Level::kGpuStopping); }
  /// There, and of no group.
  double gpu_idle() const { return std::max(0.0, of(Level::kGpuRegistered) - of(Level::kGpuReserved)); }

 private:
  std::array<double, kLevels> sums_{};
};

inline constexpr std::int64_t kMaxBuckets = 2'000;

struct Bucket {
  LevelSeconds levels;
  std::int64_t worst_waiting = 0;  ///< Most tasks without a place at a time, PROVISIONING ones among them.
  /// Paid beyond the time that instances were there: for those that went here before their least paid time was over.
  MicroUsd least_paid = 0;
};

/// The run cut into pieces of `width`; the last may be shorter.
struct Series {
  Seconds width = 1;
  Seconds end = 0;
  std::vector<Bucket> buckets;

  Seconds begin_of(std::size_t bucket) const { return static_cast<Seconds>(bucket) * width; }
  Seconds seconds_of(std::size_t bucket) const { return std::min(width, end - begin_of(bucket)); }
  /// Mean over the bucket; 0 for a run without length.
  double mean(std::size_t bucket, double level_seconds) const {
    const Seconds seconds = seconds_of(bucket);
    return seconds == 0 ? 0 : level_seconds / static_cast<double>(seconds);
  }
};

/// The smallest round width with which the run has at most kMaxBuckets buckets.
Seconds bucket_width(Seconds end);

/// Percentiles of durations by nearest rank.
struct Delay {
  Seconds p50 = 0;
  Seconds p95 = 0;
  Seconds worst = 0;
  OptionalIndex worst_task;
};

/// Tasks from their arrival on. Neither daemon tasks nor those that ran before the start.
struct WaitTimes {
  std::string name;  ///< serviceName or family; empty = all together.
  std::int64_t arrived = 0;
  std::int64_t placed = 0;
  std::int64_t ran = 0;             ///< RUNNING at any time.
  std::int64_t ended = 0;           ///< Tasks that ended by themselves.
  std::int64_t failed = 0;          ///< Tasks that failed because they were never placed.
  std::int64_t waiting = 0;         ///< Tasks that are unplaced at the end of the run.
  std::int64_t given_up = 0;        ///< Stopped before they had a place.
  std::optional<Delay> to_place;    ///< Time from arrival to placement of placed tasks.
  std::optional<Delay> to_running;  ///< Time from arrival to RUNNING of tasks that ran.
};

/// A task without a place when the run ends: it waits, or its service is about to try again.
struct WaitingTask {
  std::uint32_t task = 0;
  Seconds since = 0;
  bool is_provisioning = false;
};

/// A task of no service that stopped before it was done, and not because the scenario stops it.
struct InterruptedTask {
  std::uint32_t task = 0;
  Seconds ran = 0;      ///< Time since RUNNING.
  OptionalIndex cause;  ///< Index into History::events: what took its instance away.
};

/// An instance that drains and keeps tasks of a service, though nothing more can happen.
struct BlockedDrain {
  std::uint32_t instance = 0;        ///< Index into History::instances.
  std::uint32_t service = 0;         ///< Index into Timetable::services.
  std::vector<std::uint32_t> tasks;  ///< That stay there; indexes into History::tasks.
  ServiceTerms terms;                ///< Terms at the end of the run.
};

struct InstanceCost {
  Seconds seconds = 0;           ///< That are paid for.
  std::optional<MicroUsd> cost;  ///< Nothing without a known price.
  Seconds idle_seconds = 0;      ///< It was there and held no task but those of daemons.
  Seconds booting_seconds = 0;   ///< Time from launch to ACTIVE.
};

struct TypeCost {
  std::string instance_type;
  std::int64_t instances = 0;
  Seconds seconds = 0;          ///< Sum over all of them.
  std::optional<Seconds> each;  ///< Where all are paid for equally long.
  std::optional<MicroUsd> hourly_price;
  MicroUsd cost = 0;
  MicroUsd idle_cost = 0;
};

/// A time in which a group had more instances than it needed.
struct Surplus {
  Seconds from = 0;
  Seconds to = 0;
  std::int64_t needed = 0;  ///< That hold a task, or boot for one.
  std::int64_t paid = 0;
};

struct GroupUse {
  std::uint32_t group = 0;    ///< Index into Timetable::groups.
  std::int64_t launched = 0;  ///< Instances launched during the run.
  std::int64_t least = 0;     ///< Instances at a time.
  std::int64_t most = 0;
  std::int64_t last = 0;
  Seconds idle_seconds = 0;  ///< Sum over all its instances.
  Seconds full_seconds = 0;  ///< Time at its maxSize while tasks of its capacity provider were PROVISIONING.
  Seconds full_from = 0;     ///< The first time.
  MicroUsd cost = 0;
  MicroUsd idle_cost = 0;
  std::optional<Surplus> longest;  ///< The surplus with the most idle instance time.
  std::int64_t surpluses = 0;
};

struct Cost {
  /// Cost of the instances with a known price. Each is paid by the second from launch to termination or the end of the
  /// run, one that the run launched and terminated for at least 60 seconds (Amazon EC2 On-Demand pricing, Linux), and
  /// rounded to the nearest MicroUsd.
  MicroUsd total = 0;
  MicroUsd idle = 0;                    ///< Cost of instances without tasks other than those of daemons.
  MicroUsd booting = 0;                 ///< Cost of instances before they accepted tasks.
  std::vector<InstanceCost> instances;  ///< Indexed like History::instances.
  std::vector<TypeCost> types;          ///< Sorted by name.
  std::int64_t unpriced = 0;            ///< Instances without a known price.
};

/// Notices of Spot interruptions by pool.
std::map<std::string, std::int64_t> count_interruptions(const placement::Scenario& scenario, const History& history);

/// Time during which a service had fewer RUNNING tasks than its desired count, after it had reached it once: the boot
/// of a cluster is no outage.
struct BelowDesired {
  std::uint32_t service = 0;  ///< Index into Timetable::services.
  Seconds total = 0;
  /// Parts of it by the last event of the scenario before them, in the order of time. Parts before all events have
  /// none.
  struct Part {
    OptionalIndex event;  ///< Index into Timetable::events.
    Seconds at = 0;       ///< When it happened.
    Seconds seconds = 0;
  };
  std::vector<Part> parts;
};

/// In the order of services, without those that are never below.
std::vector<BelowDesired> compute_below_desired(const placement::Scenario& scenario, const History& history);

struct Figures {
  Series series;
  LevelSeconds levels;  ///< Over the whole run.
  std::int64_t worst_waiting = 0;
  Seconds worst_waiting_at = 0;
  std::int64_t most_instances = 0;  ///< That are paid for at a time.
  MicroUsd most_hourly_cost = 0;    ///< Highest cost at a time of instances with a known price.
  WaitTimes all;
  std::vector<WaitTimes> names;  ///< The waits in the order of the workloads.
  std::vector<WaitingTask> waiting;
  std::vector<InterruptedTask> interrupted_tasks;  ///< The tasks in the order of their interruptions.
  double gpu_cut_off = 0;                 ///< GPU time of interrupted tasks, in millionths of a GPU times seconds.
  std::vector<BlockedDrain> held_drains;  ///< The drains that are held, sorted by instance.
  /// Services whose newest deployment failed or is not complete at the end, each by that deployment: indexes into
  /// History::deployments, those that never finish first. What a rollback brought back does not make good what failed.
  std::vector<std::uint32_t> unfinished;
  std::vector<bool> was_behind;  ///< One entry per task: whether others waited in the queue when it came to wait there.
  Cost cost;
  std::vector<GroupUse> groups;  ///< Figures of every group.

  double mean(Level level) const { return series.end == 0 ? 0 : levels.of(level) / static_cast<double>(series.end); }
};

Figures figures(const placement::Scenario& scenario, const History& history);

}  // namespace bayplan::timeline
