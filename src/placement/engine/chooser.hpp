#pragma once
#include <cstdint>
#include <optional>

#include "placement/model/outcome.hpp"

namespace bayplan::placement {

struct Choice {
  std::uint32_t instance = 0;
  bool tied = false;  ///< More than one candidate was left after the last strategy.
};

/// A failure without reasons, of a chooser whose failures are only counted.
inline Failure without_reasons(const PlacementAttempt& attempt) {
  Failure failure;
  failure.attempt = attempt;
  return failure;
}

/// Finds the instance of each task: the part of the engine that is worth being fast. All choosers must agree. A chooser
/// looks at an `Occupancy` and changes nothing: `Occupancy::take` does.
class Chooser {
 public:
  virtual ~Chooser() = default;

  /// The instance for the next task of the class; nothing when no instance passes every check.
  virtual std::optional<Choice> choose(std::uint32_t task_class) = 0;

  /// Whether `choose` would find one. Draws nothing.
  virtual bool has_place(std::uint32_t task_class) = 0;

  /// Why there is none; to be asked only then. `in_full`: with a row for each instance, else with the nearest misses.
  virtual Failure explain(const PlacementAttempt& attempt, std::uint32_t task_class, bool in_full) = 0;

  /// The workload has had its last attempt: what was learned of it is dropped. Another attempt all the same costs time
  /// alone.
  virtual void forget(std::uint32_t workload) = 0;

  /// False: the results of the other tasks are not needed, and no attempt follows.
  virtual bool wants_more() const { return true; }
};

}  // namespace bayplan::placement
