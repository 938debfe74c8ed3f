#pragma once
#include <algorithm>
#include <map>

#include "packing/remaining_demand.hpp"

namespace bayplan::packing::test {

/// The least cost, by trying every filling of the bin that takes the first task left. A task may be left over for a
/// price, so dear that as few are as can be.
class Oracle {
 public:
  static constexpr MicroUsd kLeftOver = 1'000'000'000;

  explicit Oracle(const PackingProblem& problem) : problem_(problem) {}

  MicroUsd least() { return least(all_of(problem_)); }

 private:
  using Key = std::vector<std::int64_t>;

  MicroUsd least(const RemainingDemand& rest) {
    const auto first =
        std::find_if(rest.counts.begin(), rest.counts.end(), [](std::int64_t count) { return count > 0; });
    if (first == rest.counts.end()) return 0;
    Key key = rest.counts;
    key.insert(key.end(), rest.limits.begin(), rest.limits.end());
    key.insert(key.end(), rest.budgets.begin(), rest.budgets.end());
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    const auto shape = static_cast<std::uint32_t>(first - rest.counts.begin());
    RemainingDemand without = rest;
    --without.counts[shape];
    MicroUsd best = kLeftOver + least(without);
    for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
      if (bins_left(problem_, rest, type) == 0) continue;
      RemainingDemand after = rest;
      pack(problem_, {type, {}}, 1, after);
      fill({type, 0, shape, problem_.types[type].capacity, 0}, after, best);
    }
    return known_[key] = best;
  }

  struct Bin {
    std::uint32_t type = 0;
    std::uint32_t shape = 0;  ///< To be decided next.
    std::uint32_t first = 0;  ///< At least one of it.
    Amounts room{};
    std::uint64_t tokens = 0;
  };

  void fill(Bin bin, RemainingDemand rest, MicroUsd& best) {
    if (bin.shape == problem_.shapes.size()) {
      best = std::min(best, problem_.types[bin.type].price + least(rest));
      return;
    }
    const std::uint32_t s = bin.shape++;
    const Shape& shape = problem_.shapes[s];
    if (s != bin.first) fill(bin, rest, best);
    if (!is_allowed(shape, bin.type)) return;
    for (std::int64_t count = 1; count <= shape.most_per_bin; ++count) {
      if (rest.counts[s] == 0 || (bin.tokens & shape.tokens) != 0) return;
      for (std::size_t d = 0; d < problem_.dimensions; ++d) {
        bin.room[d] -= shape.size[d];
        if (bin.room[d] < 0) return;
      }
      --rest.counts[s];
      bin.tokens |= shape.tokens;
      fill(bin, rest, best);
    }
  }

  const PackingProblem& problem_;
  std::map<Key, MicroUsd> known_;
};

}  // namespace bayplan::packing::test
