#include "study/sweep/sweep_summary.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "study/remedy.hpp"

namespace bayplan::study {
namespace {

constexpr std::array<Measure, kMeasures> kAll = {Measure::kUnplaced, Measure::kInstancesUsed, Measure::kHourlyCost,
                                                 Measure::kFreeGpus, Measure::kLargestFreeBlock};

auto rank(const BestScenario& scenario) {
  const auto& figures = scenario.figures;
  return std::tuple(figures.unplaced, price_or_last(figures.hourly_cost), figures.instances_used, scenario.index);
}

/// What makes two of them equal to a reader.
auto worth(const BestScenario& scenario) {
  return std::pair(scenario.figures.unplaced, scenario.figures.hourly_cost);
}

void keep_better(std::optional<BestScenario>& best, const BestScenario& other) {
  const bool is_equal = best && worth(*best) == worth(other);
  const std::int64_t equals = is_equal ? best->equals + 1 : 0;
  if (!best || rank(other) < rank(*best)) {
    best = other;
    best->equals = equals;
  } else if (is_equal) {
    best->equals = equals;
  }
}

/// Takes the worse value of each figure.
void worsen(SweepFigures& figures, const SweepFigures& other) {
  figures.unplaced = std::max(figures.unplaced, other.unplaced);
  figures.instances_used = std::max(figures.instances_used, other.instances_used);
  figures.hourly_cost = figures.hourly_cost && other.hourly_cost
                            ? std::optional(std::max(*figures.hourly_cost, *other.hourly_cost))
                            : std::nullopt;
  figures.free_gpus = std::min(figures.free_gpus, other.free_gpus);
  figures.largest_free_block = std::min(figures.largest_free_block, other.largest_free_block);
  figures.gpus = std::max(figures.gpus, other.gpus);
}

/// Makes rows as even as whole points allow.
std::vector<SummaryRow> rows_for(std::int64_t size, bool is_seed) {
  const std::int64_t count = is_seed ? 0 : size <= SweepSummary::kMaxRows ? size : SweepSummary::kFewRows;
  std::vector<SummaryRow> rows(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    rows[static_cast<std::size_t>(i)].first = (i * size + count - 1) / count;
    rows[static_cast<std::size_t>(i)].last = ((i + 1) * size + count - 1) / count - 1;
  }
  return rows;
}

}  // namespace

std::optional<std::int64_t> SweepFigures::of(Measure measure) const {
  switch (measure) {
    case Measure::kUnplaced:
      return unplaced;
    case Measure::kInstancesUsed:
      return instances_used;
    case Measure::kHourlyCost:
      return hourly_cost;
    case Measure::kFreeGpus:
      return free_gpus;
    case Measure::kLargestFreeBlock:
      return largest_free_block;
  }
  return std::nullopt;
}

void Tally::add(std::int64_t value) {
  smallest_ = count_ == 0 ? value : std::min(smallest_, value);
  largest_ = count_ == 0 ? value : std::max(largest_, value);
  ++count_;
  const std::int64_t key = value >> shift_;
  const auto at =
      std::lower_bound(counts_.begin(), counts_.end(), key, [](const auto& each, auto k) { return each.first < k; });
  if (at != counts_.end() && at->first == key) {
    ++at->second;
    return;
  }
  counts_.insert(at, {key, 1});
  while (counts_.size() > kMaxDistinct) coarsen();
}

void Tally::coarsen() {
  ++shift_;
  std::size_t kept = 0;
  for (const auto& [key, count] : counts_) {
    if (kept > 0 && counts_[kept - 1].first == key >> 1) {
      counts_[kept - 1].second += count;
    } else {
      counts_[kept++] = {key >> 1, count};
    }
  }
  counts_.resize(kept);
}

std::int64_t Tally::median() const {
  std::int64_t before = 0;
  for (const auto& [key, count] : counts_) {
    before += count;
    if (2 * before >= count_) return std::clamp(key << shift_, smallest_, largest_);
  }
  return 0;
}

SweepSummary::SweepSummary(std::vector<SummaryAxis> axes) {
  is_known_.fill(true);
  for (const auto& shape : axes) axes_.push_back({shape, 1, rows_for(shape.size, shape.is_seed), {}});
  for (std::size_t i = axes_.size(); i-- > 1;) axes_[i - 1].stride = axes_[i].stride * axes_[i].shape.size;
  for (auto& axis : axes_) {
    if (axis.shape.size <= kMaxEffects) axis.points.resize(static_cast<std::size_t>(axis.shape.size));
  }
  Choices choices{.axes = axes_.size()};
  while (choices.axes > 0 && axes_[choices.axes - 1].shape.is_circumstance)
    choices.cases *= axes_[--choices.axes].shape.size;
  if (choices.axes > 0 && choices.axes < axes_.size()) choices_ = choices;
}

std::int64_t SweepSummary::position(std::int64_t index, std::size_t axis) const {
  return index / axes_[axis].stride % axes_[axis].shape.size;
}

void SweepSummary::add(std::int64_t index, const SweepFigures& figures) {
  ++scenarios_;
  if (figures.unplaced == 0) ++placed_all_;
  has_gpus_ = has_gpus_ || figures.gpus > 0;
  keep_better(best_, {index, figures, 0});
  if (choices_) add_to_choice(index, figures);
  ++all_.count;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto value = figures.of(kAll[i]);
    is_known_[i] = is_known_[i] && value;
    all_.sums[i] += static_cast<double>(value.value_or(0));
    squares_[i] += static_cast<double>(value.value_or(0)) * static_cast<double>(value.value_or(0));
  }
  for (std::size_t i = 0; i < axes_.size(); ++i) add_to(axes_[i], position(index, i), figures);
}

void SweepSummary::add_to(Axis& axis, std::int64_t position, const SweepFigures& figures) {
  if (!axis.points.empty()) {
    Sums& point = axis.points[static_cast<std::size_t>(position)];
    ++point.count;
    for (std::size_t i = 0; i < kMeasures; ++i) point.sums[i] += static_cast<double>(figures.of(kAll[i]).value_or(0));
  }
  if (axis.rows.empty()) return;
  const auto count = static_cast<std::int64_t>(axis.rows.size());
  SummaryRow& row = axis.rows[static_cast<std::size_t>(position * count / axis.shape.size)];
  assert(row.first <= position && position <= row.last);
  ++row.scenarios;
  if (figures.unplaced == 0) ++row.placed_all;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    if (const auto value = figures.of(kAll[i])) row.tallies[i].add(*value);
  }
}

void SweepSummary::add_to_choice(std::int64_t index, const SweepFigures& figures) {
  if (index % choices_->cases == 0) {
    choice_ = {index, figures, 0};
    cases_seen_ = 0;
  } else {
    worsen(choice_.figures, figures);
  }
  if (index != choice_.index + cases_seen_) return;  // a shard that begins amid a choice
  if (++cases_seen_ < choices_->cases) return;
  ++choices_->count;
  if (choice_.figures.unplaced == 0) ++choices_->placed_all;
  keep_better(choices_->best, choice_);
}

std::optional<double> SweepSummary::share(std::size_t axis, Measure measure) const {
  const auto m = static_cast<std::size_t>(measure);
  if (axes_[axis].points.empty() || scenarios_ == 0 || !is_known_[m]) return std::nullopt;
  const double mean_square = all_.sums[m] * all_.sums[m] / static_cast<double>(scenarios_);
  const double all = squares_[m] - mean_square;
  if (all <= 1e-9 * squares_[m]) return std::nullopt;
  double between = -mean_square;
  for (const auto& point : axes_[axis].points) {
    if (point.count > 0) between += point.sums[m] * point.sums[m] / static_cast<double>(point.count);
  }
  return std::clamp(between / all, 0.0, 1.0);
}

}  // namespace bayplan::study
