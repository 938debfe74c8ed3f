#pragma once
#include <cstdint>
#include <vector>

#include "packing/knapsack.hpp"

namespace bayplan::packing {

/// What a unit of each resource of a bin is worth, from the knapsack with items in parts.
struct ResourcePrices {
  std::vector<Amounts> sets;  ///< First of the whole bin, then of what its large items leave; last nothing.
};

ResourcePrices resource_prices(const Knapsack& knapsack, Effort& effort);

/// What a copy is worth above the price of its size.
std::int64_t surplus_of(const KnapsackItem& item, const Amounts& prices, std::size_t dimensions);

/// No filling is worth more: the bin at these prices, and every surplus.
std::int64_t fractional_bound(const Knapsack& knapsack, const Amounts& prices);

/// Leaves out the copies that no filling of more than the target can hold, as each costs more than it brings.
void drop_hopeless(Knapsack& knapsack, const Amounts& prices, std::int64_t target);

}  // namespace bayplan::packing
