#include "packing/diving.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "packing/exact_cover.hpp"
#include "packing/greedy.hpp"

namespace bayplan::packing {
namespace {

constexpr double kWhole = 1 - 1e-6;

/// So few tasks, of bins of one type, are left to `cover_exactly`: a little before, no more than one way is tried.
constexpr std::int64_t kTasksOfExactCover = 64;
constexpr std::int64_t kTasksNearExactCover = 90;

constexpr FillRule kRules[] = {FillRule::kWorth, FillRule::kDotProduct};

/// A dive keeps the patterns fixed so far, the best packing and its budget of nodes over all of its branches.
class Dive {
 public:
  Dive(const PackingProblem& problem, ColumnGeneration& generation, const DivingLimits& limits, Effort& effort,
       Packing& best)
      : problem_(problem),
        generation_(generation),
        limits_(limits),
        effort_(effort),
        best_(best),
        best_cost_(best.empty() ? kUnlimited : compute_cost(problem, best)),
        step_(price_step(problem)),
        has_exact_end_(problem.types.size() == 1 && problem.types.front().price > 0),
        nodes_left_(limits.nodes),
        random_(limits.seed) {}

  bool run() {
    const MicroUsd before = best_cost_;
    descend(all_of(problem_));
    return best_cost_ < before;
  }

 private:
  bool is_over() const { return best_cost_ <= limits_.good_enough || nodes_left_ <= 0 || effort_.is_exhausted(); }

  void descend(RemainingDemand rest) {
    const std::size_t depth = fixed_.size();
    while (!is_over() && can_better(rest)) {
      complete(rest);
      if (has_exact_end_ && tasks_of(rest) <= kTasksOfExactCover && finish(rest)) break;
      if (fix_whole(rest)) continue;
      branch(rest);
      break;
    }
    has_been_down_ = true;
    fixed_.resize(depth);
  }

  /// Solves the LP for the rest; false when it cannot lead below the best packing.
  bool can_better(const RemainingDemand& rest) {
    if (has_been_down_) --nodes_left_;
    generation_.set_rest(rest);
    if (!generation_.converge(limits_.width)) return false;
    const double of_rest = generation_.cost() * static_cast<double>(kNanoUsdPerUsd) * (1 - 1e-9);
    const NanoUsd fixed = compute_cost(problem_, fixed_) * kNanoUsdPerMicroUsd;
    return round_up(fixed + static_cast<NanoUsd>(of_rest), step_) < best_cost_;
  }

  /// Packs the rest greedily by the LP's prices.
  void complete(const RemainingDemand& rest) {
    const Duals duals = generation_.master().duals();
    const std::vector<double> worth(duals.worth.begin(), duals.worth.end());
    Packing packing = best_greedy(problem_, rest, kRules, worth, effort_);
    if (!packing.empty() || is_packed(rest)) offer(std::move(packing));
  }

  /// Packs the rest into as few bins as the LP allows, then one more, and so on; true when nothing better is left here.
  bool finish(const RemainingDemand& rest) {
    const Duals duals = generation_.master().duals();
    const std::vector<NanoUsd> worth(duals.worth.begin(), duals.worth.begin() + std::ssize(rest.counts));
    const MicroUsd price = problem_.types.front().price;
    NanoUsd least = 0;
    for (std::size_t s = 0; s < worth.size(); ++s) least += worth[s] * rest.counts[s];
    const std::int64_t most = std::min((best_cost_ - 1) / price - bins_of(fixed_), bins_left(problem_, rest, 0));
    for (std::int64_t bins = least / (price * kNanoUsdPerMicroUsd); bins <= most; ++bins) {
      ExactCover cover = cover_exactly(problem_, rest, worth, bins, effort_);
      if (!cover.is_decided) return false;
      if (cover.packing.empty()) continue;
      offer(std::move(cover.packing));
      break;
    }
    return true;
  }

  void offer(Packing packing) {
    packing.insert(packing.end(), fixed_.begin(), fixed_.end());
    tidy(packing);
    const MicroUsd cost = compute_cost(problem_, packing);
    if (cost >= best_cost_) return;
    best_ = std::move(packing);
    best_cost_ = cost;
  }

  /// Fixes each pattern as often as the LP uses it in whole bins; false when there is none.
  bool fix_whole(RemainingDemand& rest) {
    const std::vector<double> bins = generation_.master().bins();
    bool any = false;
    for (std::size_t p = 0; p < bins.size(); ++p) {
      auto whole = static_cast<std::int64_t>(std::floor(bins[p] + 1 - kWhole));
      if (whole < 1) continue;
      const Pattern& pattern = generation_.master().patterns()[p];
      whole = std::min(whole, repeats(problem_, rest, pattern));
      if (whole < 1) continue;
      fix(pattern, whole, rest);
      any = true;
    }
    return any;
  }

  void fix(const Pattern& pattern, std::int64_t bins, RemainingDemand& rest) {
    pack(problem_, pattern, bins, rest);
    fixed_.push_back({pattern, bins});
  }

  /// The LP's most used patterns in turn.
  void branch(const RemainingDemand& rest) {
    const std::vector<double> bins = generation_.master().bins();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t p = 0; p < bins.size(); ++p) {
      if (bins[p] > 1e-6) order.emplace_back(-bins[p] * shake(), p);
    }
    std::sort(order.begin(), order.end());
    const bool is_near_end = has_exact_end_ && tasks_of(rest) <= kTasksNearExactCover;
    order.resize(std::min(order.size(), is_near_end ? 1 : limits_.branches));
    for (const auto& [key, index] : order) {
      const Pattern pattern = generation_.master().patterns()[index];
      if (repeats(problem_, rest, pattern) < 1) continue;
      RemainingDemand less = rest;
      const std::size_t depth = fixed_.size();
      fix(pattern, 1, less);
      descend(std::move(less));
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
  bool has_exact_end_;  ///< The last tasks are packed by `cover_exactly`.
  int nodes_left_;
  bool has_been_down_ = false;
  std::mt19937_64 random_;
  Packing fixed_;
};

}  // namespace

bool dive(const PackingProblem& problem, ColumnGeneration& generation, const DivingLimits& limits, Effort& effort,
          Packing& best) {
  return Dive(problem, generation, limits, effort, best).run();
}

}  // namespace bayplan::packing
