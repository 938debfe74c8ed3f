#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "placement/engine/histogram.hpp"
#include "placement/model/scenario.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/what_if.hpp"
#include "study/whatif/what_if_deploy.hpp"
#include "study/whatif/what_if_over_time.hpp"
#include "study/whatif/what_if_remedies.hpp"
#include "timeline/run_figures.hpp"

/// A scenario and several variants of it side by side: what `whatif` reports.
namespace bayplan::study {

/// What differs from run to run when ties are drawn.
struct RunFigures {
  std::int64_t runs = 0;
  std::uint64_t first_seed = 0;  ///< The others follow it one by one.
  std::uint64_t worst_seed = 0;  ///< Seed of the first run with most unplaced tasks.
  std::int64_t placed_all = 0;   ///< Runs that left no task without a place.
  std::int64_t left_idle = 0;    ///< Runs that left an instance without a task.
  placement::Distribution unplaced;
  placement::Distribution instances_used;
  placement::Distribution free_gpus;
  placement::Distribution largest_free_block;
  std::vector<placement::Distribution> room;  ///< Room as in VariantResult::room.

  bool differ() const;  ///< Whether any figure did.
};

/// Single failures, each a variant.
enum class EachOf : std::uint8_t { kNoFailure, kZone, kInstance };

/// A variant that is to be held against the scenario.
struct AskedVariant {
  Variant variant;
  WrittenVariant written;  ///< The variant as it was written; remedies are appended to it.
  std::vector<Assumption> assumptions;
  EachOf each = EachOf::kNoFailure;
  std::string lost;  ///< The zone, or the instance's id; of single failures.
  std::string base;  ///< Name of the variant that the failure comes on top of; empty = the scenario as it is.

  bool is_single_failure() const { return each != EachOf::kNoFailure; }
};

/// What a run over time was like, in the figures that are held against each other.
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

/// A run over time that is held against another.
struct ComparedRun {
  RunOverTime run;
  TimedFigures figures;                  ///< Without figures where the run is wrong.
  std::optional<placement::Seconds> at;  ///< When something of it happens; nothing where all holds from the start.
};

struct ComparedVariant {
  AskedVariant asked;
  Effect effect;                   ///< Effect of the result.
  VariantResult result;            ///< Result of the worst of several runs. Empty if it is not reported.
  std::optional<RunFigures> runs;  ///< Set if ComparisonRequest::runs is set.
  Remedies remedies;               ///< Where more is left without a place than in the baseline.
  std::shared_ptr<const DeployedVariant> deployed;  ///< Null without deployments.
  /// Of a scenario over time: the run says all, and what is above of it is empty.
  std::shared_ptr<const ComparedRun> over_time = {};

  bool finishes() const { return !deployed || deployed->finishes(); }
  const std::string& name() const { return asked.variant.name; }
};

struct ComparisonRequest {
  std::vector<LoadedVariant> variants;
  std::optional<std::int64_t> runs;
  const VariantLoader* loader = nullptr;  ///< Null: no remedies are looked for. None are where there are many runs.
  bool every_failure = false;             ///< Every single failure has its result, not only the worst.
  placement::Seconds at = 0;              ///< Over time: of what happens at an instant.
  /// Called with how many of how many variants, or runs, are done.
  std::function<void(std::int64_t done, std::int64_t all)> on_progress = {};
};

struct Comparison {
  std::shared_ptr<const void> keeps;  ///< What results refer to.
  VariantResult baseline;             ///< Result of the worst of several runs.
  std::optional<RunFigures> baseline_runs;
  std::shared_ptr<const ComparedRun> baseline_over_time;  ///< Of a scenario over time, in place of `baseline`.
  std::vector<ComparedVariant> variants;  ///< The requested variants, then single failures, the worst first.
  std::int64_t left_out = 0;              ///< Single failures over time that the effort did not allow.
  Remedies of_zones;                      ///< Where several zones cannot be lost: what lets each of them be.
  Remedies of_instances;                  ///< Remedies for the loss of instances.
  /// What cannot be simulated, or contradicts the run; then there is no more than these.
  std::vector<Error> errors;
  /// Internal errors that leave nothing to report: of the baseline, or of any of several runs.
  std::vector<std::string> mistakes;
  /// Internal errors of single variants, which are not in `variants`, or of remedies, which are not in the list.
  std::vector<std::string> withdrawn;

  bool is_over_time() const { return baseline_over_time != nullptr; }
  /// Tasks without a place beyond those of the baseline; what one service gains does not make up for another's loss.
  std::int64_t excess(const ComparedVariant& variant) const;
  /// It has other instances or other settings and places none of the tasks that are unplaced without it: no answer to
  /// who wants them placed. A variant that also loses instances, scales or deploys is asked about something else.
  bool helps_nothing(const ComparedVariant& variant) const;
  /// More tasks without a place, none fewer where the variant is to help, or a deployment that does not finish. Over
  /// time: more tasks, deployments or drains that are not done.
  bool is_worse(const ComparedVariant& variant) const;
  bool any_is_worse() const;
};

/// Maximum number of variants that deploy, because each is a run of its own.
inline constexpr std::size_t kMostDeployed = 200;

/// What there is of it in a whole result.
Effect compute_effect(const VariantResult& baseline, const VariantResult& result);

/// Number of single failures that are reported in detail, the worst ones.
inline constexpr std::size_t kToldFailures = 5;

/// What of the variants happens at an instant of a run: zones and instances go, or a deployment begins.
bool happens_at_an_instant(const LoadedVariant& variant);

/// Places the scenario once, or with each of several seeds, and asks what each variant would make of it. Over time
/// every variant is simulated; single failures of zones and instances as far as the effort, which is counted, allows.
///
/// The scenario must outlive the answer.
Comparison compare(const placement::Scenario& scenario, const ComparisonRequest& request);

}  // namespace bayplan::study
