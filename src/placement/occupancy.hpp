#pragma once
#include <cstdint>
#include <vector>

#include "placement/groups.hpp"
#include "placement/instance_state.hpp"
#include "placement/scenario.hpp"
#include "placement/task_classes.hpp"

namespace bayplan::placement {

/// One placement as an index needs to know it.
struct Touch {
  std::uint32_t instance = 0;
  std::uint32_t group = 0;
  bool takes_ports = false;
  Room room;  ///< Of the instance after it.
};

/// What is taken of a cluster.
class Occupancy {
 public:
  /// As the scenario says before the first turn; refers to it.
  explicit Occupancy(const Scenario& scenario);

  const Scenario& scenario() const { return scenario_; }
  const TaskClasses& classes() const { return classes_; }
  const std::vector<InstanceState>& states() const { return states_; }
  const std::vector<Room>& rooms() const { return rooms_; }  ///< Of the states.
  const Groups& groups() const { return groups_; }
  std::uint32_t group_of(std::uint32_t workload) const { return group_of_[workload]; }
  /// Tasks of the group on all instances together.
  std::int64_t tasks_of(std::uint32_t group) const { return tasks_of_group_[group]; }
  /// Every placement so far. An index is brought up to date by those that it has not seen.
  const std::vector<Touch>& history() const { return history_; }

  /// Puts a task of the workload on the instance, which must pass every check. Returns the GPUs that it was given.
  std::vector<ContainerGpus> take(std::uint32_t workload, std::uint32_t instance);

  /// The last task was never placed; `before`: its instance as it was.
  void undo(InstanceState before);

  /// Every instance at the end.
  std::vector<InstanceState> finish() && { return std::move(states_); }

 private:
  const Room& update_room(std::uint32_t instance, bool gpus_changed);

  const Scenario& scenario_;
  TaskClasses classes_;
  Groups groups_;
  std::vector<std::uint32_t> group_of_;  ///< By workload.
  std::vector<InstanceState> states_;
  std::vector<Room> rooms_;
  std::vector<std::int64_t> tasks_of_group_;  ///< By group.
  std::vector<Touch> history_;
};

}  // namespace bayplan::placement
