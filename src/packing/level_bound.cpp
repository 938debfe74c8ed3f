#include "packing/level_bound.hpp"

#include <algorithm>
#include <numeric>

namespace bayplan::packing {
namespace {

constexpr std::int64_t kMaxLevels = 2048;

/// Rows of a table, 16 KiB each: a search makes a table for each resource, type and set of prices.
constexpr std::size_t kMaxRows = 512;

/// Limit up to which copies are counted; above it any number is allowed.
constexpr std::int64_t kCountedCopies = 4;

/// What the resource is counted in.
std::int64_t choose_unit(const Knapsack& knapsack, std::size_t resource) {
  std::int64_t divisor = 0;
  for (const KnapsackItem& item : knapsack.items) divisor = std::gcd(divisor, item.size[resource]);
  const std::int64_t coarse = knapsack.capacity[resource] / kMaxLevels + 1;
  // A multiple of the divisor would be no better than the divisor, and any other unit rounds sizes down.
  return divisor >= coarse ? divisor : coarse;
}

}  // namespace

LevelBound::LevelBound(const Knapsack& knapsack, std::size_t resource, const Amounts& prices)
    : dimensions_(knapsack.dimensions),
      resource_(resource),
      unit_(choose_unit(knapsack, resource)),
      levels_(static_cast<std::size_t>(knapsack.capacity[resource] / unit_) + 1),
      prices_(prices),
      rows_(knapsack.items.size() + 1) {
  prices_[resource] = 0;
  const auto is_counted = [&](const KnapsackItem& item) { return surplus(item) > 0; };
  const auto counted = std::count_if(knapsack.items.begin(), knapsack.items.end(), is_counted);
  const std::size_t items_of_row = static_cast<std::size_t>(counted) / kMaxRows + 1;
  for (std::size_t item = knapsack.items.size(), behind = 0; item-- > 0;) {
    if (is_counted(knapsack.items[item])) ++behind;
    rows_[item] = (behind + items_of_row - 1) / items_of_row;
  }
  table_.resize((rows_.front() + 1) * levels_);
  for (std::size_t item = knapsack.items.size(); item-- > 0;) {
    if (!is_counted(knapsack.items[item])) continue;
    std::int64_t* const row = &table_[rows_[item] * levels_];
    if (rows_[item] != rows_[item + 1]) std::copy(row - levels_, row, row);
    add_to_row(knapsack.items[item], row);
  }
}

/// What a copy is worth beyond the other resources that it takes.
std::int64_t LevelBound::surplus(const KnapsackItem& item) const {
  std::int64_t value = item.value;
  for (std::size_t d = 0; d < dimensions_; ++d) value -= prices_[d] * item.size[d];
  return value;
}

/// The row is that of the items behind; afterwards it is that of these and the item.
void LevelBound::add_to_row(const KnapsackItem& item, std::int64_t* row) const {
  const std::int64_t value = surplus(item);
  const auto size = static_cast<std::size_t>(item.size[resource_] / unit_);
  if (size == 0) {
    for (std::size_t level = 0; level < levels_; ++level) row[level] += value * item.copies;
  } else if (item.copies > kCountedCopies) {
    for (std::size_t level = size; level < levels_; ++level) {
      row[level] = std::max(row[level], row[level - size] + value);
    }
  } else {
    for (std::int64_t copy = 0; copy < item.copies; ++copy) {
      for (std::size_t level = levels_; level-- > size;) row[level] = std::max(row[level], row[level - size] + value);
    }
  }
}

}  // namespace bayplan::packing
