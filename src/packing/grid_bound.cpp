#include "packing/grid_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bayplan::packing {
namespace {

constexpr std::size_t kMaxEntries = 1 << 24;

/// Values in a table are 32 bits wide, so that several are compared at once.
constexpr std::int64_t kMaxValue = 1 << 30;

/// Filling this many cells takes the time of a label.
constexpr std::int64_t kCellsPerLabel = 256;

/// Computes the share of their size that items lose when a resource is counted in this unit, summed over the items.
double rounding_loss(const Knapsack& knapsack, std::size_t resource, std::int64_t unit) {
  double loss = 0;
  for (const KnapsackItem& item : knapsack.items) {
    const std::int64_t size = item.size[resource];
    if (size > 0) loss += static_cast<double>(size % unit) / static_cast<double>(size);
  }
  return loss;
}

std::int64_t common_divisor(const Knapsack& knapsack, std::size_t resource) {
  std::int64_t divisor = 0;
  for (const KnapsackItem& item : knapsack.items) divisor = std::gcd(divisor, item.size[resource]);
  return divisor;
}

/// Returns the common divisor, or the unit of at most twice the least one that loses least.
std::int64_t choose_unit(const Knapsack& knapsack, std::size_t resource, std::int64_t levels) {
  const std::int64_t least = knapsack.capacity[resource] / levels + 1;
  const std::int64_t divisor = common_divisor(knapsack, resource);
  if (divisor >= least) return divisor;
  std::int64_t best = least;
  double best_loss = rounding_loss(knapsack, resource, least);
  for (std::int64_t unit = least + 1; unit <= 2 * least; ++unit) {
    const double loss = rounding_loss(knapsack, resource, unit);
    if (loss >= best_loss) continue;
    best = unit;
    best_loss = loss;
  }
  return best;
}

}  // namespace

GridBound::GridBound(const Knapsack& knapsack, std::size_t cells)
    : dimensions_(knapsack.dimensions), items_(knapsack.items.size()), strides_(knapsack.dimensions) {
  choose_grid(knapsack, cells);
  choose_digits(knapsack);
  const std::size_t rows = std::clamp<std::size_t>(kMaxEntries / cells_, 1, std::max<std::size_t>(1, items_));
  items_per_row_ = (items_ + rows - 1) / rows;
  table_.resize(items_ == 0 ? 0 : ((items_ - 1) / items_per_row_ + 1) * cells_);
  Row row(cells_);
  Row next(cells_);
  for (std::size_t item = items_; item-- > 0;) {
    add_item(knapsack.items[item], row, next);
    if (item % items_per_row_ != 0) continue;
    std::copy(row.begin(), row.end(), table_.begin() + static_cast<std::ptrdiff_t>(item / items_per_row_ * cells_));
  }
  work_ /= kCellsPerLabel;
}

/// Resources that need few levels come first, so that the others get what these leave of the cells.
void GridBound::choose_grid(const Knapsack& knapsack, std::size_t cells) {
  std::vector<std::pair<std::int64_t, std::size_t>> needs;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    needs.emplace_back(knapsack.capacity[d] / std::max<std::int64_t>(1, common_divisor(knapsack, d)) + 1, d);
  }
  std::sort(needs.begin(), needs.end());
  auto left = static_cast<double>(cells);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const std::size_t d = needs[i].second;
    const double each = std::floor(std::pow(left, 1.0 / static_cast<double>(needs.size() - i)));
    units_[d] = choose_unit(knapsack, d, std::max<std::int64_t>(2, static_cast<std::int64_t>(each)));
    levels_[d] = knapsack.capacity[d] / units_[d] + 1;
    left /= static_cast<double>(levels_[d]);
  }
  for (std::size_t d = dimensions_; d-- > 0;) {
    strides_[d] = cells_;
    cells_ *= static_cast<std::size_t>(levels_[d]);
  }
}

void GridBound::choose_digits(const Knapsack& knapsack) {
  // Each copy that is taken has lost up to one unit more.
  double all = 0;
  std::int64_t copies = 0;
  for (const KnapsackItem& item : knapsack.items) {
    all += static_cast<double>(item.value) * static_cast<double>(item.copies);
    copies += item.copies;
  }
  while (all / std::exp2(digits_) + static_cast<double>(copies) > static_cast<double>(kMaxValue)) ++digits_;
}

/// Adds all copies in powers of two, whose sums make up every number of copies.
void GridBound::add_item(const KnapsackItem& item, Row& row, Row& next) {
  std::int64_t left = item.copies;
  for (std::int64_t copies = 1; left > 0; copies *= 2) {
    copies = std::min(copies, left);
    left -= copies;
    add_copies(item, copies, row, next);
    std::swap(row, next);
  }
}

void GridBound::add_copies(const KnapsackItem& item, std::int64_t copies, const Row& row, Row& next) {
  std::copy(row.begin(), row.end(), next.begin());
  Amounts size{};
  std::size_t offset = 0;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    size[d] = item.size[d] / units_[d] * copies;
    if (size[d] >= levels_[d]) return;
    offset += static_cast<std::size_t>(size[d]) * strides_[d];
  }
  const std::int64_t rounding = (std::int64_t{1} << digits_) - 1;
  const auto value = static_cast<std::int32_t>(((item.value + rounding) >> digits_) * copies);
  // Runs along the last resource, for each room of the others that holds the copies.
  const std::size_t last = dimensions_ == 0 ? 0 : dimensions_ - 1;
  const auto run = dimensions_ == 0 ? std::size_t{1} : static_cast<std::size_t>(levels_[last] - size[last]);
  Amounts level = size;
  do {
    std::size_t cell = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) cell += static_cast<std::size_t>(level[d]) * strides_[d];
    const std::int32_t* const without = row.data() + (cell - offset);
    std::int32_t* const with = next.data() + cell;
    for (std::size_t i = 0; i < run; ++i) with[i] = std::max(with[i], without[i] + value);
    work_ += static_cast<std::int64_t>(run);
  } while (advance(level, size));
}

/// The next level of all resources but the last; false after the last of them.
bool GridBound::advance(Amounts& level, const Amounts& from) const {
  for (std::size_t d = dimensions_; d-- > 1;) {
    if (++level[d - 1] < levels_[d - 1]) return true;
    level[d - 1] = from[d - 1];
  }
  return false;
}

}  // namespace bayplan::packing
