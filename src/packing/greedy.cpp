#include "packing/greedy.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace bayplan::packing {
namespace {

/// One bin as it fills.
class Filler {
 public:
  Filler(const PackingProblem& problem, std::uint32_t type, FillRule rule, std::span<const double> worth)
      : problem_(problem), type_(problem.types[type]), rule_(rule), worth_(worth), pattern_{type, {}} {
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      left_[d] = type_.capacity[d];
      scale_[d] = type_.capacity[d] > 0 ? 1.0 / static_cast<double>(type_.capacity[d]) : 0;
    }
  }

  /// The shapes in the order in which a bin of the type takes them, where the rule has one that does not depend on what
  /// is in the bin.
  std::vector<std::uint32_t> fixed_order() const {
    std::vector<std::pair<double, std::uint32_t>> scores;
    for (std::uint32_t s = 0; s < problem_.shapes.size(); ++s) {
      if (most_copies(problem_, problem_.shapes[s], pattern_.type) > 0) scores.emplace_back(-compute_score(s), s);
    }
    std::sort(scores.begin(), scores.end());
    std::vector<std::uint32_t> order;
    order.reserve(scores.size());
    for (const auto& [score, shape] : scores) order.push_back(shape);
    return order;
  }

  /// `order`: as `fixed_order` says. A shape that has no room is not looked at again: room only gets less.
  Pattern fill_in_order(std::span<const std::int64_t> counts, std::span<const std::uint32_t> order) {
    work_ += static_cast<std::int64_t>(counts.size() / 4);
    for (const std::uint32_t s : order) {
      if (counts[s] == 0 || !has_room_for(s)) continue;
      const std::int64_t most = std::min(counts[s], most_copies(problem_, problem_.shapes[s], pattern_.type));
      const std::int64_t copies = std::min(most, room_for(s));
      work_ += static_cast<std::int64_t>(counts.size() / 8) + 1;
      take(s, copies);
      pattern_.copies.push_back({s, copies});
    }
    std::sort(pattern_.copies.begin(), pattern_.copies.end());
    return std::move(pattern_);
  }

  Pattern fill(std::span<const std::int64_t> counts) {
    std::vector<std::int64_t> most(counts.size());
    work_ += static_cast<std::int64_t>(counts.size() / 4);
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (counts[s] > 0) most[s] = std::min(counts[s], most_copies(problem_, problem_.shapes[s], pattern_.type));
    }
    std::vector<std::int64_t> taken(counts.size());
    for (std::size_t s = best(most); s < counts.size(); s = best(most)) {
      work_ += static_cast<std::int64_t>(counts.size() / 8) + 1;
      take(s, 1);
      --most[s];
      ++taken[s];
    }
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (taken[s] > 0) pattern_.copies.push_back({static_cast<std::uint32_t>(s), taken[s]});
    }
    return std::move(pattern_);
  }

  /// What it took; in the unit of Effort.
  std::int64_t work() const { return work_; }

 private:
  bool has_room_for(std::size_t s) const {
    const Shape& shape = problem_.shapes[s];
    if ((shape.tokens & tokens_) != 0) return false;
    for (std::size_t d = 0; d < problem_.dimensions; ++d) {
      if (shape.size[d] > 0 && shape.size[d] > left_[d]) return false;
    }
    return true;
  }

  std::int64_t room_for(std::size_t s) const {
    const Shape& shape = problem_.shapes[s];
    if ((shape.tokens & tokens_) != 0) return 0;
    std::int64_t room = kUnlimited;
    for (std::size_t d = 0; d < problem_.dimensions; ++d) {
      if (shape.size[d] > 0) room = std::min(room, left_[d] / shape.size[d]);
    }
    return room;
  }

  void take(std::size_t s, std::int64_t copies) {
    for (std::size_t d = 0; d < problem_.dimensions; ++d) left_[d] -= copies * problem_.shapes[s].size[d];
    tokens_ |= problem_.shapes[s].tokens;
  }

  /// The shape to take next; past the last when none fits.
  std::size_t best(std::span<const std::int64_t> most) const {
    std::size_t best = most.size();
    double best_score = 0;
    for (std::size_t s = 0; s < most.size(); ++s) {
      if (most[s] == 0 || room_for(s) == 0) continue;
      const double score = compute_score(s);
      if (best == most.size() || score > best_score) {
        best = s;
        best_score = score;
      }
    }
    return best;
  }

  double compute_score(std::size_t s) const {
    double sum = 0;
    double most = 0;
    double dot = 0;
    double left = 0;
    for (std::size_t d = 0; d < problem_.dimensions; ++d) {
      const double share = static_cast<double>(problem_.shapes[s].size[d]) * scale_[d];
      const double room = static_cast<double>(left_[d]) * scale_[d];
      sum += share;
      most = std::max(most, share);
      dot += share * room;
      left += (room - share) * (room - share);
    }
    switch (rule_) {
      case FillRule::kSum:
        return sum;
      case FillRule::kMax:
        return most;
      case FillRule::kWorth:
        return worth_[s] / std::max(sum, 1e-9);
      case FillRule::kDotProduct:
        return dot;
      case FillRule::kDistance:
        return -left;
    }
    return 0;
  }

  const PackingProblem& problem_;
  const BinType& type_;
  FillRule rule_;
  std::span<const double> worth_;
  Pattern pattern_;
  Amounts left_{};
  std::array<double, kMaxDimensions> scale_{};
  std::uint64_t tokens_ = 0;
  std::int64_t work_ = 0;
};

/// The types worth a look at each turn: all at first and whenever the few best of them have got worse.
class Shortlist {
 public:
  explicit Shortlist(std::size_t types) : all_(types) {
    std::iota(all_.begin(), all_.end(), 0U);
    few_ = all_;
  }

  const std::vector<std::uint32_t>& types() const { return few_; }
  bool is_all() const { return few_.size() == all_.size(); }
  void look_at_all() { few_ = all_; }

  /// `rates`: one a type of `types()`; less than 0 where nothing fits.
  void keep_best(const std::vector<double>& rates) {
    std::vector<std::pair<double, std::uint32_t>> order;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i] >= 0) order.emplace_back(rates[i], few_[i]);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), kFew));
    few_.clear();
    for (const auto& [rate, type] : order) few_.push_back(type);
    best_rate_ = order.empty() ? 0 : order.front().first;
  }

  bool is_worse(double rate) const { return rate < 0 || rate > best_rate_ * kWorse; }

 private:
  static constexpr std::size_t kFew = 4;
  static constexpr double kWorse = 1.02;

  std::vector<std::uint32_t> all_;
  std::vector<std::uint32_t> few_;
  double best_rate_ = 0;
};

/// Packs bin after bin of the type whose filling costs least for its worth. Nothing when the limits leave tasks over.
Packing greedy_packing(const PackingProblem& problem, RemainingDemand left, FillRule rule,
                       std::span<const double> worth, Effort& effort) {
  struct Choice {
    Pattern pattern;
    double rate = -1;  // the price for what the filling is worth; less than 0 where nothing fits
  };
  std::vector<std::optional<std::vector<std::uint32_t>>> orders(problem.types.size());  // Filler::fixed_order by type
  // What is in a bin matters to the next shape by these two rules alone.
  const bool has_fixed_order = rule != FillRule::kDotProduct && rule != FillRule::kDistance;
  const auto fill = [&](std::uint32_t type) {
    Filler filler(problem, type, rule, worth);
    if (has_fixed_order && !orders[type]) orders[type] = filler.fixed_order();
    Choice choice{orders[type] ? filler.fill_in_order(left.counts, *orders[type]) : filler.fill(left.counts), -1};
    effort.spend(filler.work());
    if (choice.pattern.copies.empty()) return choice;
    double value = 0;
    for (const Copies& copies : choice.pattern.copies) value += static_cast<double>(copies.count) * worth[copies.shape];
    choice.rate = static_cast<double>(problem.types[type].price) / std::max(value, 1e-9);
    return choice;
  };
  Shortlist shortlist(problem.types.size());
  const auto choose = [&] {
    Choice best;
    std::vector<double> rates;
    for (const std::uint32_t type : shortlist.types()) {
      Choice choice = bins_left(problem, left, type) == 0 ? Choice{} : fill(type);
      rates.push_back(choice.rate);
      if (choice.rate >= 0 && (best.rate < 0 || choice.rate < best.rate)) best = std::move(choice);
    }
    if (shortlist.is_all()) shortlist.keep_best(rates);
    return best;
  };

  Packing packing;
  while (!is_packed(left)) {
    Choice choice = choose();
    if (!shortlist.is_all() && shortlist.is_worse(choice.rate)) {
      shortlist.look_at_all();
      choice = choose();
    }
    if (choice.rate < 0) return {};
    const std::int64_t bins = repeats(problem, left, choice.pattern);
    pack(problem, choice.pattern, bins, left);
    packing.push_back({std::move(choice.pattern), bins});
  }
  tidy(packing);
  return packing;
}

/// The largest part of the bin that a task takes of one resource.
double compute_share(const PackingProblem& problem, std::size_t shape, std::size_t type) {
  double share = 0;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    const std::int64_t size = problem.shapes[shape].size[d];
    if (size == 0) continue;
    share = std::max(share, static_cast<double>(size) / static_cast<double>(problem.types[type].capacity[d]));
  }
  return share;
}

}  // namespace

std::vector<double> plain_worth(const PackingProblem& problem) {
  std::vector<double> worth(problem.shapes.size());
  for (std::size_t s = 0; s < worth.size(); ++s) {
    double least = -1;
    for (std::size_t t = 0; t < problem.types.size(); ++t) {
      // What is free says nothing of the worth of a task.
      if (problem.types[t].price == 0 || most_copies(problem, problem.shapes[s], t) == 0) continue;
      const double cost = compute_share(problem, s, t) * static_cast<double>(problem.types[t].price);
      if (least < 0 || cost < least) least = cost;
    }
    worth[s] = std::max(least, 0.0);
  }
  return worth;
}

Packing best_greedy(const PackingProblem& problem, const RemainingDemand& rest, std::span<const FillRule> rules,
                    std::span<const double> worth, Effort& effort) {
  Packing best;
  for (FillRule rule : rules) {
    if (effort.is_exhausted() && !best.empty()) break;
    Packing packing = greedy_packing(problem, rest, rule, worth, effort);
    if (packing.empty()) continue;
    if (best.empty() || compute_cost(problem, packing) < compute_cost(problem, best)) best = std::move(packing);
  }
  return best;
}

}  // namespace bayplan::packing
