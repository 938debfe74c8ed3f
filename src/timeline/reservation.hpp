#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "capacity/requirement.hpp"
#include "placement/model/scenario.hpp"
#include "placement/model/timetable.hpp"

/// Managed scaling of an Auto Scaling group by CapacityProviderReservation (ECS developer guide, cluster-auto-scaling).
namespace bayplan::timeline {

/// PROVISIONING tasks that ask for the same.
struct WaitingKind {
  const capacity::TaskRequirement* requirement = nullptr;
  bool is_distinct = false;  ///< distinctInstance: the only constraint that the estimate understands.
  std::int64_t count = 0;
};

/// Instances that the waiting tasks need beyond those that are up, within the scaling steps; nothing when there are no
/// kinds, or the smallest figures of the group's types hold a task of none. Each figure is taken alone: with several
/// types no single one need have all the largest.
std::optional<std::int64_t> instances_to_add(const placement::Scenario& scenario, const placement::InstanceGroup& group,
                                             std::span<const WaitingKind> kinds);

/// CapacityProviderReservation as the fraction that it is.
struct Reservation {
  std::int64_t needed = 0;   ///< M
  std::int64_t running = 0;  ///< N

  /// M / N x 100 in millionths of a percent, rounded down. With N = 0: 100 % when M = 0, else 200 % (aws/
  /// containers-roadmap 653, 1716, 961).
  std::int64_t percent_millionths() const;
  bool is_above(std::int64_t target) const;
  bool is_below(std::int64_t target) const;
};

/// Instances that bring the metric to the group's target, within `min_size` and `max_size`.
std::int64_t capacity_for(const Reservation& reservation, const placement::InstanceGroup& group);

/// What a group does at a data point.
struct Scaling {
  enum class Kind : std::uint8_t { kNone, kOut, kIn } kind = Kind::kNone;
  std::int64_t instances = 0;  ///< kOut: desired capacity from here on, more than before. kIn: how many go, above 0.
  bool operator==(const Scaling&) const = default;
};

/// The alarms of target tracking on one group: what its past data points allow.
class ScalingAlarm {
 public:
  /// Once a metric period, in the order of time.
  Scaling at_data_point(placement::Seconds now, const Reservation& reservation, std::int64_t desired_capacity,
                        const placement::InstanceGroup& group, const placement::Timing& timing);

 private:
  bool is_warming_up(placement::Seconds now, const placement::InstanceGroup& group) const;

  std::int64_t points_above_ = 0;  ///< Number of consecutive data points above the target.
  std::int64_t points_below_ = 0;
  std::optional<placement::Seconds> last_scale_out_;
};

}  // namespace bayplan::timeline
