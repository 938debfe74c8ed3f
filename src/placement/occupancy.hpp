#pragma once
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "placement/groups.hpp"
#include "placement/instance_state.hpp"
#include "placement/scenario.hpp"
#include "placement/task_classes.hpp"

namespace bayplan::placement {

inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

/// One change of an instance as an index needs to know it.
struct Touch {
  std::uint32_t instance = 0;
  std::uint32_t group = kNoGroup;  ///< Whose tasks on the instance are others now.
  std::int8_t tasks = 0;           ///< So many more of them.
  bool frees = false;              ///< A task that did not fit may fit now.
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
  /// kNoGroup when nothing of the scenario names it.
  std::uint32_t group_named(std::string_view name) const { return groups_.find(name).value_or(kNoGroup); }
  /// Tasks of the group on all instances together.
  std::int64_t tasks_of(std::uint32_t group) const { return tasks_of_group_[group]; }
  /// Every placement so far. An index is brought up to date by those that it has not seen.
  const std::vector<Touch>& history() const { return history_; }

  /// Puts a task of the workload on the instance, which must pass every check. Returns the GPUs that it was given.
  std::vector<ContainerGpus> take(std::uint32_t workload, std::uint32_t instance);

  /// The inverse: a task of the workload that `take` put there, and that was given `gpus`, has ended.
  void give_back(std::uint32_t workload, std::uint32_t instance, const std::vector<ContainerGpus>& gpus);

  /// A task on the instance is on its way out: it counts in its group no longer (spreads, distinctInstance, memberOf on
  /// groups), and keeps what it takes until it is given back as a task of no group.
  void leave_group(std::uint32_t instance, std::uint32_t group);

  /// What a task on the instance takes is free again, wherever the task came from. `group`: kNoGroup when it counts in
  /// none (any more). `gpus`: the devices that it uses, each once, sorted (`devices_of`, RunningTask::gpus).
  /// The group of a task that ran before the first turn (RunningTask) is `group_named(task.group)`; kNoGroup when it
  /// was stopping.
  void give_back(std::uint32_t instance, const capacity::TaskRequirement& task, std::uint32_t group,
                 const std::vector<std::uint32_t>& gpus);

  /// The last task was never placed; `before`: its instance as it was.
  void undo(InstanceState before);

  /// Every instance at the end.
  std::vector<InstanceState> finish() && { return std::move(states_); }

 private:
  void drop_from(std::uint32_t group, InstanceState& state);
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
