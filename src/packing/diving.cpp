#include "packing/diving.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "packing/greedy.hpp"

namespace bayplan::packing {
namespace {

constexpr double kWhole = 1 - 1e-6;
constexpr FillRule kRules[] = {FillRule::kWorth, FillRule::kDotProduct};

class Dive {
 public:
  Dive(const PackingProblem& problem, ColumnGeneration& generation, const DivingLimits& limits, Effort& effort,
       Packing& best)
      : problem_(problem),
        generation_(generation),
        limits_(limits),
        effort_(effort),
        best_(best),
        best_cost_(best.empty() ? kUnlimited : cost_of(problem, best)),
        step_(price_step(problem)),
        nodes_left_(limits.nodes),
        random_(limits.seed) {}

  bool run(std::span<const std::int64_t> counts) {
    const MicroUsd before = best_cost_;
    descend({counts.begin(), counts.end()});
    return best_cost_ < before;
  }

 private:
  using Counts = std::vector<std::int64_t>;

  bool is_over() const { return best_cost_ <= limits_.good_enough || nodes_left_ <= 0 || effort_.is_exhausted(); }

  void descend(Counts counts) {
    const std::size_t depth = fixed_.size();
    while (!is_over() && can_better(counts)) {
      complete(counts);
      if (fix_whole(counts)) continue;
      branch(counts);
      break;
    }
    has_been_down_ = true;
    fixed_.resize(depth);
  }

  /// Solves the LP for the rest; false when it cannot lead below the best packing.
  bool can_better(const Counts& counts) {
    if (has_been_down_) --nodes_left_;
    generation_.set_counts(counts);
    if (!generation_.converge(limits_.width)) return false;
    const double rest = generation_.cost() * static_cast<double>(kNanoUsdPerUsd) * (1 - 1e-9);
    const NanoUsd fixed = cost_of(problem_, fixed_) * kNanoUsdPerMicroUsd;
    return round_up(fixed + static_cast<NanoUsd>(rest), step_) < best_cost_;
  }

  /// Packs the rest greedily by the LP's prices.
  void complete(const Counts& counts) {
    const Duals duals = generation_.master().duals();
    const std::vector<double> worth(duals.worth.begin(), duals.worth.end());
    offer(best_greedy(problem_, counts, kRules, worth, effort_), counts);
  }

  void offer(Packing rest, const Counts& counts) {
    const bool all_packed = std::all_of(counts.begin(), counts.end(), [](std::int64_t count) { return count == 0; });
    if (rest.empty() && !all_packed) return;
    rest.insert(rest.end(), fixed_.begin(), fixed_.end());
    tidy(rest);
    const MicroUsd cost = cost_of(problem_, rest);
    if (cost >= best_cost_ || !keeps_limits(rest)) return;
    best_ = std::move(rest);
    best_cost_ = cost;
  }

  bool keeps_limits(const Packing& packing) const {
    std::vector<std::int64_t> bins(problem_.types.size());
    for (const FilledBins& filled : packing) bins[filled.pattern.type] += filled.bins;
    for (std::size_t t = 0; t < bins.size(); ++t) {
      if (bins[t] > problem_.types[t].limit) return false;
    }
    return true;
  }

  /// Fixes each pattern as often as the LP uses it in whole bins; false when there is none.
  bool fix_whole(Counts& counts) {
    const std::vector<double> bins = generation_.master().bins();
    bool any = false;
    for (std::size_t p = 0; p < bins.size(); ++p) {
      auto whole = static_cast<std::int64_t>(std::floor(bins[p] + 1 - kWhole));
      if (whole < 1) continue;
      const Pattern& pattern = generation_.master().patterns()[p];
      for (const Copies& copies : pattern.copies) whole = std::min(whole, counts[copies.shape] / copies.count);
      if (whole < 1) continue;
      fix(pattern, whole, counts);
      any = true;
    }
    return any;
  }

  void fix(const Pattern& pattern, std::int64_t bins, Counts& counts) {
    for (const Copies& copies : pattern.copies) counts[copies.shape] -= bins * copies.count;
    fixed_.push_back({pattern, bins});
  }

  /// The LP's most used patterns in turn.
  void branch(const Counts& counts) {
    const std::vector<double> bins = generation_.master().bins();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t p = 0; p < bins.size(); ++p) {
      if (bins[p] > 1e-6) order.emplace_back(-bins[p] * shake(), p);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), limits_.branches));
    for (const auto& [key, index] : order) {
      const Pattern pattern = generation_.master().patterns()[index];
      Counts rest = counts;
      const std::size_t depth = fixed_.size();
      fix(pattern, 1, rest);
      descend(std::move(rest));
      fixed_.resize(depth);
      if (is_over()) return;
    }
  }

  double shake() {
    if (limits_.seed == 0) return 1;
    return 0.5 + static_cast<double>(random_() >> 11) * 0x1p-53;
  }

  const PackingProblem& problem_;
  ColumnGeneration& generation_;
  const DivingLimits& limits_;
  Effort& effort_;
  Packing& best_;
  MicroUsd best_cost_;
  MicroUsd step_;
  int nodes_left_;
  bool has_been_down_ = false;
  std::mt19937_64 random_;
  Packing fixed_;
};

}  // namespace

bool dive(const PackingProblem& problem, ColumnGeneration& generation, std::span<const std::int64_t> counts,
          const DivingLimits& limits, Effort& effort, Packing& best) {
  return Dive(problem, generation, limits, effort, best).run(counts);
}

}  // namespace bayplan::packing
