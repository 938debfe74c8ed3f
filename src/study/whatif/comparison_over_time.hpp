#pragma once
#include "study/whatif/comparison.hpp"

namespace bayplan::study {

<<<<<<< HEAD
/// `compare` for a scenario over time.
Comparison compare_over_time(const placement::Scenario& scenario, const ComparisonRequest& request);
=======
/// What a run was like, in the figures that are held against each other.
struct TimedFigures {
  timeline::WaitTimes tasks;  ///< Wait times of all names together.
  std::int64_t interrupted_tasks = 0;
  std::int64_t unfinished = 0;  ///< Deployments, as timeline::Figures has them.
  std::int64_t held_drains = 0;
  MicroUsd cost = 0;
  std::int64_t unpriced = 0;  ///< Instances.
  double gpu_paid = 0;        ///< GPU-seconds.
  double gpu_used = 0;
  placement::Seconds end = 0;

  /// Tasks that never had a place, have none when the run ends, or were cut off.
  std::int64_t left() const { return tasks.failed + tasks.waiting + interrupted_tasks; }
};

struct ComparedRun {
  std::string name;
  RunOverTime run;
  TimedFigures figures;
  std::optional<placement::Seconds> at;  ///< When something of it happens; nothing where all holds from the start.
  EachOf each = EachOf::kNoFailure;      ///< A single failure ...
  std::string lost;                      ///< ... of this zone or instance.

  bool is_single_failure() const { return each != EachOf::kNoFailure; }
};

struct ComparisonOverTime {
  ComparedRun baseline;
  std::vector<ComparedRun> variants;    ///< The requested variants, then single failures, the worst first.
  std::int64_t left_out = 0;            ///< Single failures that the effort did not allow.
  std::vector<Assumption> assumptions;  ///< About what the variants ask for; those of the scenario are its own.
  std::vector<Error> errors;            ///< What contradicts the run; then there is no more than these.
  std::vector<std::string> mistakes;    ///< Internal errors of the baseline; then there is no more than these.
  /// Internal errors of single variants, which are not in `variants`.
  std::vector<std::string> withdrawn;

  /// Leaves more tasks, deployments or drains undone than the baseline.
  bool leaves_more(const ComparedRun& variant) const;
  bool any_leaves_more() const;
};

/// Something of the variant happens at an instant: zones and instances go, or a deployment begins.
bool happens_at_an_instant(const LoadedVariant& variant);

/// Every variant is simulated; single failures of zones and instances as far as the effort, which is counted, allows.
/// `at`: of what happens at an instant. `on_progress` receives how many of how many runs are done.
ComparisonOverTime compare_over_time(const placement::Scenario& scenario, const std::vector<LoadedVariant>& loaded,
                                     placement::Seconds at,
                                     const std::function<void(std::int64_t done, std::int64_t all)>& on_progress = {});
>>>>>>> w/catalog

}  // namespace bayplan::study
