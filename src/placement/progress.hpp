#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "placement/groups.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

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
  /// Empty when the workload names no provider.
  std::string_view provider_of(std::uint32_t task_class) const { return providers_[task_class]; }

 private:
  std::vector<std::uint32_t> first_;  ///< By workload.
  std::vector<std::uint32_t> workloads_;
  std::vector<std::string_view> providers_;
};

/// One placement as an index needs to know it.
struct Touch {
  std::uint32_t instance = 0;
  std::uint32_t group = 0;
  bool takes_ports = false;
  Room room;  ///< Of the instance after it.
};

struct Choice {
  std::uint32_t instance = 0;
  bool tied = false;  ///< More than one candidate was left after the last strategy.
};

/// How far the placing has come.
class Progress {
 public:
  explicit Progress(const Scenario& scenario);

  const Scenario& scenario() const { return scenario_; }
  const TaskClasses& classes() const { return classes_; }
  const std::vector<InstanceState>& states() const { return outcome_.instances; }
  const std::vector<Room>& rooms() const { return rooms_; }  ///< Of the states.
  const Groups& groups() const { return groups_; }
  std::uint32_t group_of(std::uint32_t workload) const { return group_of_[workload]; }
  /// Every placement so far. An index is brought up to date by those that it has not seen.
  const std::vector<Touch>& history() const { return history_; }
  /// Tasks of the group on all instances together.
  std::int64_t tasks_of(std::uint32_t group) const { return tasks_of_group_[group]; }
  /// Whether the next failure of a task that could go anywhere lists every instance.
  bool explains_in_full() const;

  Turn next_turn(std::uint32_t workload, std::string_view provider);
  void put(const Turn& turn, Choice choice);
  const Failure& failure(std::uint32_t index) const { return outcome_.failures[index]; }
  /// Index of the failure.
  std::uint32_t fail(Failure failure);
  /// No more tasks of a workload without a count have a place.
  void reach_limit(Failure why);

  /// Placements from here on can be taken back, until they are kept.
  void begin_trial() { on_trial_ = true; }
  void keep_trial();
  /// Everything is as it was at `begin_trial`, but for the number of turns.
  std::vector<Placement> take_back_trial();
  void withdraw(std::uint32_t failure, std::vector<Placement> placements);

  Outcome finish() &&;

 private:
  const Room& update_room(std::uint32_t instance, bool gpus_changed);

  const Scenario& scenario_;
  TaskClasses classes_;
  Groups groups_;
  std::vector<std::uint32_t> group_of_;       ///< By workload.
  std::vector<std::int64_t> tasks_of_group_;  ///< By group.
  std::vector<std::uint32_t> name_of_;        ///< By workload: workloads of one name are counted together.
  std::vector<std::int64_t> turns_of_name_;   ///< By name.
  std::vector<Touch> history_;
  std::vector<Room> rooms_;
  std::size_t rows_ = 0;  ///< Of all explanations.
  std::int64_t step_ = 0;
  bool on_trial_ = false;
  std::vector<InstanceState> before_;  ///< Of the instance of each placement on trial.
  Outcome outcome_;
};

}  // namespace bayplan::placement
