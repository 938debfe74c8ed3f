#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "packing/knapsack.hpp"
#include "packing/level_bound.hpp"
#include "packing/resource_prices.hpp"

namespace bayplan::packing {

/// The most that the items from one on can add to a bin with so much room left: each resource has a price, and what an
/// item is worth above the price of its size comes on top. Valid for any prices; several sets, the best of them counts.
class CompletionBound {
 public:
  CompletionBound(const Knapsack& knapsack, const ResourcePrices& prices);

  std::int64_t operator()(std::size_t first, const Amounts& room) const {
    std::int64_t best = kUnlimited;
    for (const Prices& prices : sets_) {
      std::int64_t bound = prices.surplus[first];
      for (std::size_t d = 0; d < dimensions_; ++d) bound += prices.of[d] * room[d];
      if (bound < best) best = bound;
    }
    for (const LevelBound& level : levels_) best = std::min(best, level(first, room));
    return best;
  }

  /// What it took to make the bound; in the unit of Effort.
  std::int64_t work() const { return work_; }

 private:
  struct Prices {
    Amounts of{};
    std::vector<std::int64_t> surplus;  ///< Of the items from each on.
  };

  void add(const Knapsack& knapsack, const Amounts& prices);

  std::size_t dimensions_;
  std::int64_t work_ = 0;
  std::vector<Prices> sets_;
  std::vector<LevelBound> levels_;  ///< One a resource, at the prices of the whole bin.
};

}  // namespace bayplan::packing
