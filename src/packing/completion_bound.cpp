#include "packing/completion_bound.hpp"

namespace bayplan::packing {

CompletionBound::CompletionBound(const Knapsack& knapsack, const ResourcePrices& prices)
    : dimensions_(knapsack.dimensions) {
  for (const Amounts& set : prices.sets) add(knapsack, set);
  for (std::size_t d = 0; d < dimensions_; ++d) {
    levels_.emplace_back(knapsack, d, prices.sets.front());
    work_ += levels_.back().work();
  }
}

void CompletionBound::add(const Knapsack& knapsack, const Amounts& prices) {
  Prices set{prices, std::vector<std::int64_t>(knapsack.items.size() + 1)};
  for (std::size_t item = knapsack.items.size(); item-- > 0;) {
    const std::int64_t surplus = surplus_of(knapsack.items[item], prices, dimensions_);
    set.surplus[item] = set.surplus[item + 1] + std::max<std::int64_t>(0, surplus) * knapsack.items[item].copies;
  }
  sets_.push_back(std::move(set));
}

}  // namespace bayplan::packing
