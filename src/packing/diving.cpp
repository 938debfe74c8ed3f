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
        best_cost_(best.empty() ? kUnlimited : compute_cost(problem, best)),
        step_(price_step(problem)),
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
    order.resize(std::min(order.size(), limits_.branches));
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
