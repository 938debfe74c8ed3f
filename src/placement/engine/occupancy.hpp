#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/optional_index.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// The tasks of one workload on one capacity provider: what fits one of them fits all, and they rank instances alike.
/// Numbered over the scenario.
class TaskClasses {
 public:
  explicit TaskClasses(const Scenario& scenario);

  std::size_t size() const { return workloads_.size(); }
  /// `provider`: position in the workload's capacity providers; 0 when it has none.
  std::uint32_t number(std::uint32_t workload, std::size_t provider) const {
    return first_[workload] + static_cast<std::uint32_t>(provider);
  }
  std::uint32_t workload_of(std::uint32_t task_class) const { return workloads_[task_class]; }
  /// Position in the workload's capacity providers; nothing when it names none.
  OptionalIndex provider_position(std::uint32_t task_class) const {
    if (providers_[task_class].empty()) return std::nullopt;
    return task_class - first_[workloads_[task_class]];
  }
  /// Empty when the workload names no provider. Views the scenario.
  std::string_view find_provider(std::uint32_t task_class) const { return providers_[task_class]; }

 private:
  std::vector<std::uint32_t> first_;  ///< One entry per workload.
  std::vector<std::uint32_t> workloads_;
  std::vector<std::string_view> providers_;
};

inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

/// One change of an instance as an index needs to know it.
struct InstanceChange {
  std::uint32_t instance = 0;
  std::uint32_t group = kNoGroup;  ///< Whose tasks on the instance are others now.
  std::int32_t tasks = 0;          ///< Change of their number.
  bool takes_ports = false;
  bool frees = false;            ///< A task that did not fit may fit now.
  bool changes_profile = false;  ///< Nothing that was known of the instance need hold.
  Room room;                     ///< Room of the instance after the change.
};

/// The touches of a cluster, numbered from 0. The oldest are dropped where there are many: an index that has not seen
/// them makes up for it with one look at every instance.
class ChangeHistory {
 public:
  /// Keeps as many as would be slower to read than `instances` instances.
  explicit ChangeHistory(std::size_t instances) : kept_(std::max(kLeast, kPerInstance * instances)) {}

  std::uint64_t begin() const { return dropped_; }  ///< Number of the oldest that is kept.
  std::uint64_t end() const { return dropped_ + touches_.size(); }
  /// Returns the changes from `number` on, which must still be kept.
  std::span<const InstanceChange> since(std::uint64_t number) const {
    return std::span(touches_).subspan(number - dropped_);
  }
  /// Touches so far that freed something or changed a profile.
  std::uint64_t frees() const { return frees_; }

  void add(const InstanceChange& touch) {
    if (touches_.size() >= 2 * kept_) drop();
    touches_.push_back(touch);
    if (touch.frees) ++frees_;
  }

 private:
  static constexpr std::size_t kLeast = std::size_t{1} << 14;
  static constexpr std::size_t kPerInstance = 8;

  void drop() {
    touches_.erase(touches_.begin(), touches_.end() - static_cast<std::ptrdiff_t>(kept_));
    dropped_ += kept_;
  }

  std::size_t kept_;
  std::vector<InstanceChange> touches_;
  std::uint64_t dropped_ = 0;
  std::uint64_t frees_ = 0;
};

/// The resources in use in a cluster: what each task reserves, and releases when it ends. Instances come, go and change
/// state during its life: the owner of the scenario changes it and notifies the occupancy.
///
///   Scenario scenario = ...;                    // stays where it is; its workloads and calls stay as they are
///   Occupancy occupancy(scenario);
///   IndexChooser chooser(occupancy);            // any number of choosers; they need no notification
///   const std::uint32_t task_class = occupancy.classes().number(workload, provider);
///   if (const auto choice = chooser.choose(task_class)) gpus = occupancy.take(workload, choice->instance);
///   ...
///   occupancy.give_back(workload, choice->instance, gpus);
///
/// An instance keeps its number for good: new ones come after the others, those that go leave a gap
/// (`is_gone`).
class Occupancy {
 public:
  /// The state before the first placement. It refers to the scenario.
  explicit Occupancy(const Scenario& scenario);

  const Scenario& scenario() const { return scenario_; }
  const TaskClasses& classes() const { return classes_; }
  const std::vector<InstanceState>& states() const { return states_; }
  const std::vector<Room>& rooms() const { return rooms_; }  ///< Room in each of the states.
  const Groups& groups() const { return groups_; }
  std::uint32_t group_of(std::uint32_t workload) const { return group_of_[workload]; }
  /// kNoGroup when nothing of the scenario names it.
  std::uint32_t group_named(std::string_view name) const { return groups_.find(name).value_or(kNoGroup); }
  /// Tasks of the group on all instances together.
  std::int64_t tasks_of(std::uint32_t group) const { return tasks_of_group_[group]; }
  /// The instances that have tasks of the group, in no order; nothing where they have been too many to list, and for a
  /// group of no service.
  std::optional<std::span<const std::uint32_t>> list_instances_of(std::uint32_t group) const;
  /// Every change so far. An index is brought up to date by those that it has not seen.
  const ChangeHistory& history() const { return history_; }

  /// Puts a task of the workload on the instance, which must pass every check. Returns the GPUs that it was given.
  std::vector<ContainerGpus> take(std::uint32_t workload, std::uint32_t instance);

  /// The inverse: a task of the workload that `take` put there, and that was given `gpus`, has ended.
  void give_back(std::uint32_t workload, std::uint32_t instance, const std::vector<ContainerGpus>& gpus);

  /// A task on the instance is on its way out: it counts in its group no longer (spreads, distinctInstance, memberOf on
  /// groups), and keeps what it takes until it is given back as a task of no group.
  void leave_group(std::uint32_t instance, std::uint32_t group);

  /// What a task on the instance takes is free again, wherever the task came from. `group`: kNoGroup when it counts in
  /// none (any more). `gpus`: the devices that it uses, each once, sorted (`list_devices`, RunningTask::gpus).
  /// The group of a task that ran before the first placement (RunningTask) is `group_named(task.group)`; kNoGroup when
  /// it was stopping.
  void give_back(std::uint32_t instance, const capacity::TaskRequirement& task, std::uint32_t group,
                 const std::vector<std::uint32_t>& gpus);

  /// Instances were put behind the others of `Scenario::instances` (and their profiles into `Scenario::profiles`, where
  /// they were not there). They are empty, whatever the scenario says of tasks that run.
  void add_instances();
  /// `Scenario::instances[instance].profile` is another one: status, agent or attributes differ, registered resources
  /// do not. Its tasks stay. Cheap where only status and agent differ; to have a profile for each status that instances
  /// alike share is cheaper still than one each.
  void change_profile(std::uint32_t instance);
  /// The instance has left the cluster, and what still ran there has gone with it: it must not be given back any more.
  /// The instance stays in the scenario, unused: no task finds it, no explanation counts it.
  void remove_instance(std::uint32_t instance);
  /// The instance is again as it was when `state` was read, whatever has happened to it since: it comes back where it
  /// has left, with the profile that the scenario says.
  void restore(std::uint32_t instance, InstanceState state);
  /// Index into Scenario::profiles; only of an instance that has not left.
  std::uint32_t profile_of(std::uint32_t instance) const { return profiles_[instance]; }
  bool is_gone(std::uint32_t instance) const { return profiles_[instance] == kGone; }
  /// The instances that have not left, in their order.
  std::vector<std::uint32_t> standing() const;
  std::size_t standing_count() const { return standing_; }
  /// Instances added, removed and changed so far.
  std::uint64_t changes() const { return changes_; }

  /// Every instance at the end.
  std::vector<InstanceState> finish() && { return std::move(states_); }

 private:
  void note_change(std::uint32_t instance);
  void count_group(std::uint32_t instance, std::uint32_t group, std::int32_t tasks);
  void drop_from(std::uint32_t group, std::uint32_t instance);
  void list_instance(std::uint32_t group, std::uint32_t instance);
  const Room& update_room(std::uint32_t instance, bool gpus_changed);

  /// The instances with tasks of a group, as long as they are few.
  struct InstanceList {
    std::vector<std::uint32_t> instances;
    bool is_complete = false;
  };

  static constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

  const Scenario& scenario_;
  TaskClasses classes_;
  Groups groups_;
  std::vector<std::uint32_t> group_of_;  ///< One entry per workload.
  std::vector<std::uint32_t> profiles_;  ///< One entry per instance; kGone when it has left.
  std::vector<InstanceState> states_;
  std::vector<Room> rooms_;
  std::vector<std::int64_t> tasks_of_group_;      ///< One entry per group.
  std::vector<InstanceList> instances_of_group_;  ///< One entry per group.
  ChangeHistory history_;
  std::size_t standing_;
  std::uint64_t changes_ = 0;
};

}  // namespace bayplan::placement
