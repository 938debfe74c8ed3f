#pragma once
#include <cstdint>
#include <optional>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "study/scenario_change.hpp"

namespace bayplan::study {

/// One task of a workload; a change that adds attempts elsewhere does not rename it.
struct AskedTask {
  std::uint32_t workload = 0;
  std::int64_t position = 0;  ///< Among the workload's tasks, from 0.
};

AskedTask asked_task(const placement::Outcome& outcome, const placement::PlacementAttempt& attempt);

/// Where the task went; nothing when it was not placed.
std::optional<std::uint32_t> instance_of(const placement::Outcome& outcome, const AskedTask& task);

/// Places changed scenarios while the effort lasts. Effort is counted, never timed: the same input tries the same.
class Trials {
 public:
  /// Instances, running tasks and attempts of one trial together count as its effort.
  explicit Trials(std::int64_t effort) : effort_(effort) {}

  struct Placed {
    placement::Scenario scenario;  ///< With the change.
    placement::Outcome outcome;
  };

  /// What the change leads to; nothing when the effort does not allow another trial.
  std::optional<Placed> place_with(const placement::Scenario& scenario, const ScenarioChange& change);

  std::int64_t count() const { return count_; }
  bool exhausted() const { return exhausted_; }  ///< A trial was refused.

 private:
  std::int64_t effort_;
  std::int64_t count_ = 0;
  bool exhausted_ = false;
};

}  // namespace bayplan::study
