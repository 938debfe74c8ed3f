#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "timeline/cluster.hpp"
#include "timeline/managed_launches.hpp"
#include "timeline/reservation.hpp"

namespace bayplan::timeline {

/// What launches instances for capacity providers. Auto Scaling groups start instances, replace lost ones, grow and
/// shrink; Managed Instances come for tasks that wait and end when they are idle or too old.
class InstanceGroups {
 public:
  explicit InstanceGroups(Cluster& cluster);

  /// What is missing at the start is ACTIVE from the start.
  void fill_up_at_start();
  /// A data point of each managed group, and what follows from it.
  void at_data_point();
  bool has_managed() const;
  /// Ticks in a row without an event after which none can bring one.
  std::int64_t quiet_ticks() const;
  /// Terminates instances that were to go and hold nothing but daemons, then launches what lacks.
  void settle();
  /// SetDesiredCapacity by the scenario's event; `cause` is its entry.
  void set_desired_capacity(std::uint32_t group, std::int64_t desired, std::uint32_t cause);

  /// Spot pools that match the glob have no capacity from now on.
  void lose_pools(const std::string& glob) { lost_pools_.insert(glob); }
  /// Capacity Rebalancing: launches a replacement, and lets the instance go when it is ACTIVE.
  void replace(std::uint32_t instance, OptionalIndex cause);
  void lose_zone(const std::string& zone) { lost_zones_.insert(zone); }
  bool is_lost(const std::string& zone) const { return lost_zones_.contains(zone); }
  /// Whether the instance has been idle for so long at `at` that Managed Instances end it.
  bool ends_idle_at(std::uint32_t instance, Seconds at) const;
  void end_idle(std::uint32_t instance) { cluster_.terminate(instance, cluster_.instance(instance).last_event); }
  /// Managed Instances: the instance has reached the age at which it drains, or ends.
  void age(std::uint32_t instance);
  /// "<type>#<n>" for the next instance of the profile.
  std::string next_id(std::uint32_t profile);

 private:
  struct Group {
    std::vector<std::uint32_t> members;  ///< Not gone.
    std::int64_t desired = 0;
    ScalingAlarm alarm;
    OptionalIndex reason;        ///< The event that set `desired`.
    OptionalIndex shrunk_by;     ///< The event for which it still terminates instances; protected ones have to wait.
    std::optional<Metric> last;  ///< Nothing before the first data point.
  };

  const placement::InstanceGroup& plan(std::uint32_t group) const { return cluster_.timetable().groups[group]; }
  void drop_gone(Group& group);
  std::int64_t staying(const Group& group) const;
  Reservation measure(std::uint32_t group) const;
  std::vector<WaitingKind> waiting(std::uint32_t group) const;
  OptionalIndex first_waiting(std::uint32_t group) const;
  void data_point(std::uint32_t group);
  void scale_in(std::uint32_t group, std::int64_t count);
  void shrink(std::uint32_t group);
  void remove(std::uint32_t group, std::uint32_t instance, std::uint32_t cause);
  std::vector<std::uint32_t> victims(std::uint32_t group, std::int64_t count) const;
  bool launch(std::uint32_t group, OptionalIndex cause);
  void settle_managed_instances();
  void launch_for_waiting(std::uint32_t group);
  void launch_managed(std::uint32_t group, std::uint32_t profile);
  void note_idle(std::uint32_t group);
  ManagedLaunches& managed_launches(std::uint32_t group);
  /// Position of the zone with fewest members that stay; the zones' number when none is left.
  std::vector<std::int64_t> members_by_zone(std::uint32_t group) const;
  std::size_t zone_with_fewest(std::uint32_t group) const;
  /// The profile that the group launches next: its first type with capacity, in the zone with the fewest members.
  std::optional<std::uint32_t> next_profile(std::uint32_t group) const;
  bool has_capacity(std::uint32_t profile) const;
  void settle_replacements();
  bool stays(std::uint32_t instance) const;

  Cluster& cluster_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> classes_;  ///< One entry per group: task classes of its provider.
  std::vector<char> is_distinct_;                    ///< One entry per workload.
  std::set<std::string> lost_zones_;
  std::set<std::string> lost_pools_;                     ///< Globs of Spot pools without capacity.
  std::map<std::uint32_t, std::uint32_t> replacements_;  ///< The instance that each replacement is launched for.
  std::map<std::uint32_t, ManagedLaunches> managed_;     ///< By group, of Managed Instances.
  std::map<std::uint32_t, Seconds> ends_idle_;           ///< By idle instance of Managed Instances: when it ends.
  std::vector<std::uint32_t> leaving_;                   ///< Terminating and still there, by launch.
  bool is_resized_ = true;
  std::uint64_t changes_ = 0;                   ///< Changes of the occupancy when groups were last filled up.
  std::map<std::string, std::int64_t> number_;  ///< Ids given out, by instance type.
};

}  // namespace bayplan::timeline
