#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "placement/engine/filters.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/timetable.hpp"

namespace bayplan::timeline {

/// Which instances ECS Managed Instances launch for the tasks that wait on one capacity provider. AWS documents that
/// resources, constraints and instance requirements decide which types qualify, that cost decides among those, and that
/// tasks of a service go to instances in at least three zones where there are that many (ECS developer guide, Managed
/// Instances: instance types, task placement, auto scaling). Of the types that qualify, the one with the lowest price
/// per task that it holds is taken here, of equals the cheapest.
class ManagedLaunches {
 public:
  /// `classes`: the task classes of the provider.
  ManagedLaunches(const placement::Occupancy& occupancy, const placement::InstanceGroup& group,
                  std::vector<std::uint32_t> classes);

  /// Begins anew with the tasks of each class that wait.
  void begin(const std::function<std::int64_t(std::uint32_t task_class)>& count_waiting);
  bool has_waiting() const;
  /// An empty instance of the profile takes what it can hold.
  void use(std::uint32_t profile);
  /// The profile of the next instance in the zone (an index into the group's zones), which takes its tasks; nothing if
  /// no type holds any.
  /// `may_launch`: whether EC2 has capacity for the profile.
  std::optional<std::uint32_t> choose(std::size_t zone, const std::function<bool(std::uint32_t profile)>& may_launch);

 private:
  struct WaitingClass {
    std::uint32_t workload = 0;
    std::uint32_t group = 0;
    placement::Filter filter;
    std::int64_t count = 0;
    std::int64_t quota = 0;  ///< Tasks of it on one new instance, at most.
  };

  /// How many tasks of each class an empty instance of the profile takes; with `by_quota` not more than each quota.
  std::vector<std::int64_t> fill(std::uint32_t profile, bool by_quota) const;
  void subtract(const std::vector<std::int64_t>& taken);

  const placement::Scenario& scenario_;
  const placement::InstanceGroup& group_;
  placement::ProfileChecks checks_;
  std::vector<std::uint32_t> numbers_;  ///< Task class of each of `waiting_`.
  std::vector<WaitingClass> waiting_;
};

}  // namespace bayplan::timeline
