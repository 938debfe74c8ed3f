#pragma once
#include <cstdint>
#include <vector>

#include "packing/knapsack.hpp"

namespace bayplan::packing {

/// The most that the items from one on can add, when one resource is kept exactly and the others have a price a unit:
/// a table of one knapsack of one resource for each item. The resource is counted in its common divisor, or rounded
/// down to a grid where that gives too many levels.
class LevelBound {
 public:
  LevelBound(const Knapsack& knapsack, std::size_t resource, const Amounts& prices);

  std::int64_t operator()(std::size_t first, const Amounts& room) const {
    std::int64_t bound = table_[rows_[first] * levels_ + static_cast<std::size_t>(room[resource_] / unit_)];
    for (std::size_t d = 0; d < dimensions_; ++d) bound += prices_[d] * room[d];
    return bound;
  }

  /// Returns the work that filled the table, in the unit of Effort: as if each item had a row.
  std::int64_t work() const { return static_cast<std::int64_t>(rows_.size() * levels_ / 32); }

 private:
  std::int64_t surplus(const KnapsackItem& item) const;
  void add_to_row(const KnapsackItem& item, std::int64_t* row) const;

  std::size_t dimensions_;
  std::size_t resource_;
  std::int64_t unit_;
  std::size_t levels_;
  Amounts prices_;
  /// Rows of the items and of one past the last. Of thousands of items few are worth more than the resources that they
  /// take: the others share the row of the item behind them, which they cannot raise. Where these few are many, several
  /// share a row, which counts all of them: what the items from one on can add is no more than that.
  std::vector<std::size_t> rows_;    ///< Of the table.
  std::vector<std::int64_t> table_;  ///< Rows of an entry a level of room.
};

}  // namespace bayplan::packing
