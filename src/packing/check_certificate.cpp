#include <algorithm>
#include <map>

#include "packing/verify.hpp"

namespace bayplan::packing {
namespace {

/// One shape as a bin type sees it.
struct Candidate {
  Amounts size{};
  std::int64_t worth = 0;
  std::int64_t most = 0;
  std::uint64_t tokens = 0;
};

/// What is left of a bin.
struct Room {
  Amounts left{};
  std::uint64_t tokens = 0;
  auto operator<=>(const Room&) const = default;
};

std::vector<Candidate> candidates_of(const PackingProblem& problem, const Duals& duals, std::size_t type) {
  std::vector<Candidate> candidates;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    const Shape& shape = problem.shapes[s];
    if (duals.worth[s] <= 0 || (!shape.allowed.empty() && !shape.allowed[type])) continue;
    std::int64_t most = std::min(shape.count, shape.most_per_bin);
    if (shape.tokens != 0) most = std::min<std::int64_t>(most, 1);
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      if (shape.size[d] > 0) most = std::min(most, problem.types[type].capacity[d] / shape.size[d]);
    }
    if (most > 0) candidates.push_back({shape.size, duals.worth[s], most, shape.tokens});
  }
  return candidates;
}

/// One bin type with the tasks that may stand in it, and a price a unit of each resource.
class BinCheck {
 public:
  BinCheck(const PackingProblem& problem, const Duals& duals, std::size_t type, NanoUsd most_worth)
      : dimensions_(problem.dimensions),
        capacity_(problem.types[type].capacity),
        most_worth_(most_worth),
        candidates_(candidates_of(problem, duals, type)) {
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
    find_prices();
    sum_surpluses();
  }

  /// Whether some filling is worth more than allowed.
  Verdict run(std::size_t most_states) const {
    Layer layer{{Room{capacity_, 0}, 0}};
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      Layer next;
      for (const auto& [room, worth] : layer) {
        if (!extend(c, room, worth, next)) return Verdict::kFails;
      }
      if (next.size() > most_states) return Verdict::kTooHard;
      layer = std::move(next);
    }
    return Verdict::kHolds;
  }

 private:
  using Layer = std::map<Room, NanoUsd>;
  using Shares = std::array<double, kMaxDimensions>;  ///< One a resource, of the whole capacity.

  static constexpr int kSteps = 600;

  double share(const Candidate& candidate, std::size_t d) const {
    return capacity_[d] > 0 ? static_cast<double>(candidate.size[d]) / static_cast<double>(capacity_[d]) : 0;
  }

  /// What a full bin comes to at these prices, and every surplus; `slope`: by how much it falls with each price.
  double total_at(const Shares& price, Shares& slope) const {
    double total = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      total += price[d];
      slope[d] = 1;
    }
    for (const Candidate& candidate : candidates_) {
      auto surplus = static_cast<double>(candidate.worth);
      for (std::size_t d = 0; d < dimensions_; ++d) surplus -= price[d] * share(candidate, d);
      if (surplus <= 0) continue;
      const auto most = static_cast<double>(candidate.most);
      total += surplus * most;
      for (std::size_t d = 0; d < dimensions_; ++d) slope[d] -= share(candidate, d) * most;
    }
    return total;
  }

  /// Any prices are valid: some hundred steps down the slope make them good.
  void find_prices() {
    Shares price{};
    Shares best{};
    double least = -1;
    for (int step = 0; step < kSteps; ++step) {
      Shares slope{};
      const double total = total_at(price, slope);
      if (least < 0 || total < least) {
        least = total;
        best = price;
      }
      double length = 0;
      for (double part : slope) length += part * part;
      if (length == 0) break;
      const double stride = static_cast<double>(most_worth_) / (1 + step * 0.25) / length;
      for (std::size_t d = 0; d < dimensions_; ++d) price[d] = std::max(0.0, price[d] - stride * slope[d]);
    }
    for (std::size_t d = 0; d < dimensions_; ++d) {
      if (capacity_[d] > 0) prices_[d] = static_cast<std::int64_t>(best[d] / static_cast<double>(capacity_[d]));
    }
  }

  void sum_surpluses() {
    beyond_.resize(candidates_.size() + 1);
    for (std::size_t c = candidates_.size(); c-- > 0;) {
      std::int64_t surplus = candidates_[c].worth;
      for (std::size_t d = 0; d < dimensions_; ++d) surplus -= prices_[d] * candidates_[c].size[d];
      beyond_[c] = beyond_[c + 1] + std::max<std::int64_t>(0, surplus) * candidates_[c].most;
    }
  }

  /// Every count of candidate `c` in this room, as far as more than allowed may come of it; false when it has.
  bool extend(std::size_t c, Room room, NanoUsd worth, Layer& next) const {
    const Candidate& candidate = candidates_[c];
    for (std::int64_t count = 0; count <= candidate.most; ++count) {
      if (count > 0 && !take(candidate, room)) return true;
      const NanoUsd total = worth + count * candidate.worth;
      if (total > most_worth_) return false;
      NanoUsd bound = total + beyond_[c + 1];
      for (std::size_t d = 0; d < dimensions_; ++d) bound += prices_[d] * room.left[d];
      if (bound <= most_worth_) continue;
      NanoUsd& best = next[room];
      best = std::max(best, total);
    }
    return true;
  }

  bool take(const Candidate& candidate, Room& room) const {
    if ((room.tokens & candidate.tokens) != 0) return false;
    room.tokens |= candidate.tokens;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      room.left[d] -= candidate.size[d];
      if (room.left[d] < 0) return false;
    }
    return true;
  }

  std::size_t dimensions_;
  Amounts capacity_;
  NanoUsd most_worth_;
  std::vector<Candidate> candidates_;
  Amounts prices_{};
  std::vector<std::int64_t> beyond_;  ///< What the candidates from each on can be worth above the resources' prices.
};

/// What the duals prove, if no bin breaks them; nothing when one is below 0.
std::optional<NanoUsd> bound_of(const PackingProblem& problem, const Duals& duals) {
  NanoUsd bound = 0;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    if (duals.worth[s] < 0) return std::nullopt;
    bound += duals.worth[s] * problem.shapes[s].count;
  }
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (duals.charge[t] < 0) return std::nullopt;
    if (duals.charge[t] > 0) bound -= duals.charge[t] * problem.types[t].limit;
  }
  for (std::size_t b = 0; b < problem.budgets.size(); ++b) {
    if (duals.budget_charge[b] < 0) return std::nullopt;
    bound -= duals.budget_charge[b] * problem.budgets[b].limit;
  }
  return bound;
}

}  // namespace

Verdict check(const PackingProblem& problem, const Certificate& certificate, std::size_t most_states) {
  const auto bound = bound_of(problem, certificate.duals);
  if (!bound || certificate.bound > *bound) return Verdict::kFails;
  Verdict verdict = Verdict::kHolds;
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    NanoUsd most_worth = problem.types[t].price * kNanoUsdPerMicroUsd + certificate.duals.charge[t];
    for (std::size_t b = 0; b < problem.budgets.size(); ++b) {
      most_worth += problem.budgets[b].weights[t] * certificate.duals.budget_charge[b];
    }
    const Verdict of_type = BinCheck(problem, certificate.duals, t, most_worth).run(most_states);
    if (of_type == Verdict::kFails) return of_type;
    if (of_type == Verdict::kTooHard) verdict = of_type;
  }
  return verdict;
}

}  // namespace bayplan::packing
