#include "packing/resource_prices.hpp"

#include <algorithm>
#include <cmath>

#include "packing/linear_program.hpp"

namespace bayplan::packing {
namespace {

/// The knapsack with items in parts.
LinearProgram fractional(const Knapsack& knapsack) {
  LinearProgram program;
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) program.add_row(0, static_cast<double>(knapsack.capacity[d]));
  std::vector<LinearProgram::Entry> entries;
  for (const KnapsackItem& item : knapsack.items) {
    entries.clear();
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) {
      if (item.size[d] > 0) entries.push_back({static_cast<int>(d), static_cast<double>(item.size[d])});
    }
    program.add_column(-static_cast<double>(item.value), static_cast<double>(item.copies), entries);
  }
  return program;
}

Amounts rounded(const std::vector<double>& duals) {
  Amounts prices{};
  for (std::size_t d = 0; d < duals.size(); ++d) prices[d] = std::max<std::int64_t>(0, std::llround(-duals[d]));
  return prices;
}

}  // namespace

ResourcePrices resource_prices(const Knapsack& knapsack) {
  ResourcePrices prices;
  if (knapsack.dimensions == 0) return {{Amounts{}}, 0};  // everything fits
  LinearProgram program = fractional(knapsack);
  std::vector<double> room(knapsack.dimensions);
  for (std::size_t d = 0; d < room.size(); ++d) room[d] = static_cast<double>(knapsack.capacity[d]);
  const std::size_t count = knapsack.items.size();
  const std::size_t third = (count + 2) / 3;
  for (std::size_t begin = 0, end = third; program.solve(); end = std::min(count, end + third)) {
    prices.sets.push_back(rounded(program.duals()));
    if (end >= count) break;
    const std::vector<double> taken = program.values();
    for (; begin < end; ++begin) {
      for (std::size_t d = 0; d < room.size(); ++d) {
        room[d] -= taken[begin] * static_cast<double>(knapsack.items[begin].size[d]);
      }
      program.set_upper(static_cast<int>(begin), 0);
    }
    for (std::size_t d = 0; d < room.size(); ++d) program.set_row(static_cast<int>(d), 0, std::max(room[d], 0.0));
  }
  prices.sets.push_back({});
  prices.work = program.work();
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
