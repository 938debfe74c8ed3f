#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.hpp"

/// What the scenarios of a grid have in common along each axis, gathered one scenario at a time in memory that does not
/// grow with their number.
namespace bayplan::study {

enum class Measure : std::uint8_t { kUnplaced, kInstancesUsed, kHourlyCost, kFreeGpus, kLargestFreeBlock };
inline constexpr std::size_t kMeasures = 5;

/// What a sweep compares scenarios by.
struct SweepFigures {
  std::int64_t unplaced = 0;
  std::int64_t instances_used = 0;
  std::optional<MicroUsd> hourly_cost;  ///< Nothing when an instance has no known price.
  std::int64_t free_gpus = 0;
  std::int64_t largest_free_block = 0;
  std::int64_t gpus = 0;

  std::optional<std::int64_t> of(Measure measure) const;
};

/// How often each whole number came. Exact while they are at most `kMaxDistinct` different ones; then all are counted
/// by steps of the same power of two, however they are ordered.
class Tally {
 public:
  static constexpr std::size_t kMaxDistinct = 1024;

  void add(std::int64_t value);
  std::int64_t count() const { return count_; }
  bool is_exact() const { return shift_ == 0; }
  std::int64_t smallest() const { return smallest_; }
  std::int64_t largest() const { return largest_; }
  /// The value in the middle, of an even number the lower of the two; the beginning of its step when not exact.
  std::int64_t median() const;

 private:
  void coarsen();

  std::vector<std::pair<std::int64_t, std::int64_t>> counts_;  ///< Indexed by value >> shift_.
  unsigned shift_ = 0;
  std::int64_t count_ = 0;
  std::int64_t smallest_ = 0;
  std::int64_t largest_ = 0;
};

struct SummaryAxis {
  std::int64_t size = 0;
  bool is_seed = false;          ///< It has no rows.
  bool is_circumstance = false;  ///< Its points are not choices.
};

/// One point of an axis, or several neighbors where it has many, over all points of the others.
struct SummaryRow {
  std::int64_t first = 0;  ///< Positions of points.
  std::int64_t last = 0;
  std::int64_t scenarios = 0;
  std::int64_t placed_all = 0;
  std::array<Tally, kMeasures> tallies;

  const Tally& of(Measure measure) const { return tallies[static_cast<std::size_t>(measure)]; }
};

/// One that leaves the fewest tasks without a place; of those the cheapest, then the one with the fewest instances in
/// use, then the first.
struct BestScenario {
  std::int64_t index = 0;   ///< Number of the scenario; the first one of a choice.
  SweepFigures figures;     ///< Figures of the scenario; the worst of each figure for a choice.
  std::int64_t equals = 0;  ///< Others that place as many at the same cost.
};

/// Where the last axes are circumstances: a point of each other axis, and every case that may befall it.
struct Choices {
  std::int64_t cases = 1;  ///< Cases of one choice.
  std::size_t axes = 0;    ///< That many come first, and are chosen from.
  std::int64_t count = 0;  ///< Number of choices that were seen whole.
  std::int64_t placed_all = 0;
  std::optional<BestScenario> best;
};

class SweepSummary {
 public:
  static constexpr std::int64_t kMaxRows = 24;  ///< Rows of an axis; a longer one has kFewRows, which neighbors share.
  static constexpr std::int64_t kFewRows = 12;
  static constexpr std::int64_t kMaxEffects = 65536;  ///< Longer axes have no share.

  explicit SweepSummary(std::vector<SummaryAxis> axes);

  /// Scenarios come in the order of their indexes.
  void add(std::int64_t index, const SweepFigures& figures);

  std::int64_t scenarios() const { return scenarios_; }
  std::int64_t placed_all() const { return placed_all_; }
  bool has_gpus() const { return has_gpus_; }
  const std::optional<BestScenario>& best() const { return best_; }
  const std::optional<Choices>& choices() const { return choices_; }
  const std::vector<SummaryRow>& rows(std::size_t axis) const { return axes_[axis].rows; }
  /// Share of the measure's variance that the axis alone explains: 0 to 1. Nothing when it does not vary or is not
  /// known everywhere, or when the axis is too long.
  std::optional<double> share(std::size_t axis, Measure measure) const;
  /// Position of the scenario's point on the axis.
  std::int64_t position(std::int64_t index, std::size_t axis) const;

 private:
  struct Sums {
    std::int64_t count = 0;
    std::array<double, kMeasures> sums{};
  };
  struct Axis {
    SummaryAxis shape;
    std::int64_t stride = 1;  ///< Scenarios between two neighbors.
    std::vector<SummaryRow> rows;
    std::vector<Sums> points;  ///< Empty when the axis is too long.
  };

  void add_to(Axis& axis, std::int64_t position, const SweepFigures& figures);
  void add_to_choice(std::int64_t index, const SweepFigures& figures);

  std::vector<Axis> axes_;
  std::int64_t scenarios_ = 0;
  std::int64_t placed_all_ = 0;
  bool has_gpus_ = false;
  std::optional<BestScenario> best_;
  std::optional<Choices> choices_;
  std::int64_t cases_seen_ = 0;  ///< Cases of the current choice so far.
  BestScenario choice_;
  Sums all_;
  std::array<double, kMeasures> squares_{};
  std::array<bool, kMeasures> is_known_{};
};

}  // namespace bayplan::study
