#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "packing/check_bin.hpp"

namespace bayplan::packing {

/// The most that the items from each on can be worth in a room: resources have prices, and what an item is worth above
/// the price of its size is added in full. One resource may be told apart by its levels instead, with a table of the
/// best worth for each; sizes are rounded down to whole levels.
class CheckBound {
 public:
  explicit CheckBound(const CheckedBin& bin);

  std::int64_t operator()(std::size_t first, const Amounts& room) const {
    std::int64_t least = kUnlimited;
    for (const Priced& priced : priced_) least = std::min(least, priced.beyond[first] + price_of(priced.unit, room));
    for (const Levelled& levelled : levelled_) {
      const auto level = static_cast<std::size_t>(room[levelled.resource] / levelled.step);
      least = std::min(least, levelled.table[first * levelled.levels + level] + price_of(levelled.unit, room));
    }
    return least;
  }

 private:
  struct Priced {
    Amounts unit{};
    std::vector<std::int64_t> beyond;  ///< Of the items from each on, above the resources' prices.
  };
  struct Levelled {
    std::size_t resource = 0;
    std::int64_t step = 1;
    std::size_t levels = 0;
    Amounts unit{};                   ///< 0 for the resource itself.
    std::vector<std::int64_t> table;  ///< A row an item and one past the last; an entry a level.
  };

  std::int64_t price_of(const Amounts& unit, const Amounts& room) const {
    std::int64_t price = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) price += unit[d] * room[d];
    return price;
  }

  void add_prices(const CheckedBin& bin, const Amounts& unit);
  void add_levels(const CheckedBin& bin, std::size_t resource, const Amounts& unit);
  void fill_row(const CheckedItem& item, std::size_t index, Levelled& levelled) const;

  std::size_t dimensions_;
  std::vector<Priced> priced_;
  std::vector<Levelled> levelled_;
};

/// What a copy is worth above the price of its size; below 0 when it costs more than it brings.
std::int64_t gain_of(const CheckedItem& item, const Amounts& unit, std::size_t dimensions);

}  // namespace bayplan::packing
