#include "packing/resource_prices.hpp"

#include <algorithm>

#include "packing/fractional_knapsack.hpp"

namespace bayplan::packing {

ResourcePrices resource_prices(const Knapsack& knapsack, Effort& effort) {
  if (knapsack.dimensions == 0) return {{Amounts{}}};  // everything fits
  ResourcePrices prices;
  FractionalKnapsack fractional(knapsack);
  FractionalKnapsack::Parts room{};
  room.fill(1);
  const std::size_t count = knapsack.items.size();
  const std::size_t third = std::max<std::size_t>(1, (count + 2) / 3);
  for (std::size_t begin = 0; begin == 0 || begin < count; begin += third) {
    fractional.solve(begin, room);
    prices.sets.push_back(fractional.prices());
    const FractionalKnapsack::Parts taken = fractional.taken_before(std::min(count, begin + third));
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) room[d] = std::max(0.0, room[d] - taken[d]);
  }
  prices.sets.push_back({});
  effort.spend(fractional.work());
  return prices;
}

std::int64_t surplus_of(const KnapsackItem& item, const Amounts& prices, std::size_t dimensions) {
  std::int64_t surplus = item.value;
  for (std::size_t d = 0; d < dimensions; ++d) surplus -= prices[d] * item.size[d];
  return surplus;
}

std::int64_t fractional_bound(const Knapsack& knapsack, const Amounts& prices) {
  std::int64_t bound = 0;
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) bound += prices[d] * knapsack.capacity[d];
  for (const KnapsackItem& item : knapsack.items) {
    bound += std::max<std::int64_t>(0, surplus_of(item, prices, knapsack.dimensions)) * item.copies;
  }
  return bound;
}

void drop_hopeless(Knapsack& knapsack, const Amounts& prices, std::int64_t target) {
  const std::int64_t slack = fractional_bound(knapsack, prices) - target;
  for (KnapsackItem& item : knapsack.items) {
    const std::int64_t loss = -surplus_of(item, prices, knapsack.dimensions);
    if (loss > 0) item.copies = std::min(item.copies, std::max<std::int64_t>(0, slack - 1) / loss);
  }
  std::erase_if(knapsack.items, [](const KnapsackItem& item) { return item.copies == 0; });
}

}  // namespace bayplan::packing
