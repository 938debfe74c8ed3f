#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "placement/progress.hpp"

namespace bayplan::placement {

/// Finds the instance of each task: the part of the engine that is worth being fast. All choosers must agree.
class Chooser {
 public:
  virtual ~Chooser() = default;

  /// The instance for the next task of the class; nothing when no instance passes every check.
  virtual std::optional<Choice> choose(std::uint32_t task_class) = 0;

  /// Why there is none.
  virtual Failure explain(const Turn& turn, std::uint32_t task_class) = 0;

  /// The workload has had its last turn.
  virtual void forget(std::uint32_t workload) = 0;

  /// Placements were taken back: what was learned from them does not hold.
  virtual void start_over() = 0;
};

/// The order in which the workloads take their turns; under `largestFirst` RunTask calls are sorted.
std::vector<Call> placement_order(const Scenario& scenario);

/// Gives every task of the scenario its turn, one after another. A task like one that just failed is not looked at
/// again while nothing has been placed: at time 0 nothing is ever freed.
///
/// A workload without a count has turns until one fails. A call of `all_or_nothing` is tried task by task; when one has
/// no place, the others give theirs back.
void take_turns(Progress& progress, Chooser& chooser);

}  // namespace bayplan::placement
