#pragma once
#include <cstdint>
#include <vector>

#include "packing/knapsack.hpp"

namespace bayplan::packing {

/// The most that the items from one on can add, when all resources are kept at once: a table over a grid of room. Each
/// resource is counted in its common divisor, or in the unit that loses least to rounding down where that gives too
/// many levels. Rows are stored for some of the items only; those between share the row before, which knows some more
/// items. Of at most 2^29 copies in all.
class GridBound {
 public:
  static constexpr std::size_t kMostCells = 1 << 20;

  /// `cells`: the most that a row of the table may have; at least 2 levels of each resource are kept.
  explicit GridBound(const Knapsack& knapsack, std::size_t cells = kMostCells);

  std::int64_t operator()(std::size_t first, const Amounts& room) const {
    if (first >= items_) return 0;
    std::size_t cell = first / items_per_row_ * cells_;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      cell += static_cast<std::size_t>(room[d] / units_[d]) * strides_[d];
    }
    return std::int64_t{table_[cell]} << digits_;
  }

  /// Returns the work that filled the table, in the unit of Effort.
  std::int64_t work() const { return work_; }

 private:
  using Row = std::vector<std::int32_t>;

  void choose_grid(const Knapsack& knapsack, std::size_t cells);
  void choose_digits(const Knapsack& knapsack);
  bool advance(Amounts& level, const Amounts& from) const;
  void add_item(const KnapsackItem& item, Row& row, Row& next);
  void add_copies(const KnapsackItem& item, std::int64_t copies, const Row& row, Row& next);

  std::size_t dimensions_;
  std::size_t items_;
  std::size_t cells_ = 1;
  std::size_t items_per_row_ = 1;
  Amounts units_{};
  Amounts levels_{};                  ///< Levels of each resource, 0 among them.
  std::vector<std::size_t> strides_;  ///< Cells from one level to the next, one a resource; the last is 1.
  int digits_ = 0;                    ///< Binary digits that values lose, rounded up.
  std::int64_t work_ = 0;
  std::vector<std::int32_t> table_;  ///< A row an `items_per_row_` items; an entry a cell.
};

}  // namespace bayplan::packing
