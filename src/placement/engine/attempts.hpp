#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "placement/engine/chooser.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/task_numbers.hpp"

namespace bayplan::placement {

/// How far the placing at time 0 has come: the attempts, and what became of them.
class Progress {
 public:
  explicit Progress(const Scenario& scenario, PlacementObserver* observer = nullptr);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  const Occupancy& occupancy() const { return occupancy_; }
  const Scenario& scenario() const { return occupancy_.scenario(); }
  const TaskClasses& classes() const { return occupancy_.classes(); }
  /// Returns the number of placed tasks.
  std::size_t placed() const { return outcome_.placements.size(); }
  /// Whether the next failure of a task that could go anywhere lists every instance.
  bool explains_in_full() const;

  /// Makes room for the placements of `tasks` tasks, so that a million placements are not moved as they grow.
  void expect(std::int64_t tasks) { outcome_.placements.reserve(static_cast<std::size_t>(tasks)); }
  PlacementAttempt next_attempt(std::uint32_t workload, OptionalIndex provider);
  void put(const PlacementAttempt& attempt, Choice choice);
  const Failure& failure(std::uint32_t index) const { return outcome_.failures[index]; }
  /// Index of the failure.
  std::uint32_t fail(Failure failure);
  /// No more tasks of a workload without a count have a place.
  void reach_limit(Failure why);

  /// Placements from here on can be taken back.
  void begin_trial() { kept_ = placed(); }
  /// Everything is as it was at `begin_trial`, but for the number of attempts.
  std::vector<Placement> take_back_trial();
  void withdraw(std::uint32_t failure, std::vector<Placement> placements);

  /// Shows the observer all attempts so far, if there are many new ones. None of them may be taken back any more.
  void publish();

  Outcome finish() &&;

 private:
  template <class T>
  void append(std::vector<T>& list, T item);

  Occupancy occupancy_;
  TaskNumbers numbers_;
  std::size_t rows_ = 0;  ///< Rows of all explanations.
  std::int64_t step_ = 0;
  std::size_t kept_ = 0;  ///< Placements before the trial.
  Outcome outcome_;
  PlacementObserver* observer_;
  std::int64_t published_ = 0;  ///< Attempts that the observer has seen.
};

/// The order in which the workloads take their attempts: as given, but services that wait for tasks of a later workload
/// come after it; under `largestFirst` RunTask calls are sorted.
std::vector<Call> placement_order(const Scenario& scenario);

/// Attempts to place every task of the scenario, one after another. A task like one that just failed is not looked at
/// again while nothing has been placed: at time 0 nothing is ever freed.
///
/// A service task whose constraints look at other tasks waits while no instance satisfies them, and is tried again
/// after all others, as the service scheduler does (developer guide, service_concepts: it tries again until tasks are
/// placed).
///
/// A workload without a count has attempts until one fails. A call of `all_or_nothing` is tried task by task; when one
/// has no place, the others give theirs back. Ends early when the chooser wants no more.
void run_attempts(Progress& progress, Chooser& chooser);

}  // namespace bayplan::placement
