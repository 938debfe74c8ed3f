#include "packing/fractional_knapsack.hpp"

#include <algorithm>
#include <cmath>

namespace bayplan::packing {
namespace {

constexpr double kTiny = 1e-9;

/// A step looks at this many items in the time of a label.
constexpr std::size_t kItemsALabel = 16;

}  // namespace

FractionalKnapsack::FractionalKnapsack(const Knapsack& knapsack)
    : dimensions_(knapsack.dimensions),
      items_(knapsack.items.size()),
      capacity_(knapsack.capacity),
      part_(items_),
      is_full_(items_ + dimensions_),
      is_basic_(items_ + dimensions_) {
  for (std::size_t i = 0; i < items_; ++i) {
    const KnapsackItem& item = knapsack.items[i];
    for (std::size_t d = 0; d < dimensions_; ++d) {
      part_[i][d] = static_cast<double>(item.size[d]) / static_cast<double>(std::max<std::int64_t>(1, capacity_[d]));
    }
    value_.push_back(static_cast<double>(item.value));
    copies_.push_back(static_cast<double>(item.copies));
  }
}

double FractionalKnapsack::part(std::size_t column, std::size_t d) const {
  return is_slack(column) ? (column - items_ == d ? 1.0 : 0.0) : part_[column][d];
}

void FractionalKnapsack::solve(std::size_t first, const Parts& room) {
  start(first);
  for (int step = 0; step < kMaxSteps; ++step) {
    work_ += static_cast<std::int64_t>((items_ - first) / kItemsALabel) + 1;
    find_amounts(room);
    Leaving leaving;
    Crossing entering;
    if (!find_leaving(leaving) || !find_entering(leaving, entering) || !pivot(leaving, entering.column)) return;
  }
}

/// All copies of all items taken, more than there is room for.
void FractionalKnapsack::start(std::size_t first) {
  first_ = first;
  std::fill(is_full_.begin(), is_full_.begin() + static_cast<std::ptrdiff_t>(items_), 1);
  std::fill(is_full_.begin() + static_cast<std::ptrdiff_t>(items_), is_full_.end(), 0);
  std::fill(is_basic_.begin(), is_basic_.end(), 0);
  inverse_ = {};
  price_ = {};
  for (std::size_t d = 0; d < dimensions_; ++d) {
    basis_[d] = items_ + d;
    is_basic_[items_ + d] = 1;
    inverse_[d][d] = 1;
  }
}

void FractionalKnapsack::find_amounts(const Parts& room) {
  Parts left = room;
  for (std::size_t i = first_; i < items_; ++i) {
    if (!is_full_[i]) continue;
    for (std::size_t d = 0; d < dimensions_; ++d) left[d] -= copies_[i] * part_[i][d];
  }
  for (std::size_t row = 0; row < dimensions_; ++row) {
    amount_[row] = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) amount_[row] += inverse_[row][d] * left[d];
  }
}

/// The column of the basis that breaks its bounds the most; false when none does.
bool FractionalKnapsack::find_leaving(Leaving& leaving) const {
  double worst = kTiny;
  for (std::size_t row = 0; row < dimensions_; ++row) {
    const double most = is_slack(basis_[row]) ? HUGE_VAL : copies_[basis_[row]];
    const double below = -amount_[row];
    const double above = amount_[row] - most;
    const double scale = std::isinf(most) ? 1 : most;
    if (std::max(below, above) / scale <= worst) continue;
    worst = std::max(below, above) / scale;
    leaving = {row, above > below, std::max(below, above)};
  }
  return worst > kTiny;
}

void FractionalKnapsack::list_crossings(const Parts& way) {
  crossings_.clear();
  for (std::size_t i = first_; i < items_; ++i) {
    if (is_basic_[i]) continue;
    double surplus = value_[i];
    double loss = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      surplus -= price_[d] * part_[i][d];
      loss += way[d] * part_[i][d];
    }
    if (is_full_[i] ? loss <= kTiny : loss >= -kTiny) continue;
    crossings_.push_back({std::max(0.0, surplus / loss), i, std::abs(loss) * copies_[i]});
  }
  for (std::size_t d = 0; d < dimensions_; ++d) {
    if (is_basic_[items_ + d] || way[d] >= -kTiny) continue;
    crossings_.push_back({std::max(0.0, -price_[d] / way[d]), items_ + d, HUGE_VAL});
  }
}

/// Walks along the edge past every crossing after which the bound still falls.
bool FractionalKnapsack::find_entering(const Leaving& leaving, Crossing& entering) {
  Parts way{};
  for (std::size_t d = 0; d < dimensions_; ++d) {
    way[d] = leaving.to_upper ? -inverse_[leaving.row][d] : inverse_[leaving.row][d];
  }
  list_crossings(way);
  const auto later = [](const Crossing& a, const Crossing& b) {
    return a.step != b.step ? a.step > b.step : a.column > b.column;
  };
  std::make_heap(crossings_.begin(), crossings_.end(), later);
  for (double slope = -leaving.violation; !crossings_.empty(); crossings_.pop_back()) {
    std::pop_heap(crossings_.begin(), crossings_.end(), later);
    entering = crossings_.back();
    slope += entering.slope;
    if (slope >= 0) return true;
    is_full_[entering.column] = !is_full_[entering.column];
  }
  return false;
}

bool FractionalKnapsack::pivot(const Leaving& leaving, std::size_t entering) {
  Parts column{};
  for (std::size_t row = 0; row < dimensions_; ++row) {
    for (std::size_t d = 0; d < dimensions_; ++d) column[row] += inverse_[row][d] * part(entering, d);
  }
  if (std::abs(column[leaving.row]) < kTiny) return false;
  Parts& pivot_row = inverse_[leaving.row];
  for (std::size_t d = 0; d < dimensions_; ++d) pivot_row[d] /= column[leaving.row];
  for (std::size_t row = 0; row < dimensions_; ++row) {
    if (row == leaving.row) continue;
    for (std::size_t d = 0; d < dimensions_; ++d) inverse_[row][d] -= column[row] * pivot_row[d];
  }
  const std::size_t left = basis_[leaving.row];
  is_basic_[left] = 0;
  is_full_[left] = !is_slack(left) && leaving.to_upper;
  is_basic_[entering] = 1;
  is_full_[entering] = 0;
  basis_[leaving.row] = entering;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    price_[d] = 0;
    for (std::size_t row = 0; row < dimensions_; ++row) price_[d] += value(basis_[row]) * inverse_[row][d];
  }
  return true;
}

Amounts FractionalKnapsack::prices() const {
  Amounts prices{};
  for (std::size_t d = 0; d < dimensions_; ++d) {
    const double unit = price_[d] / static_cast<double>(std::max<std::int64_t>(1, capacity_[d]));
    prices[d] = std::max<std::int64_t>(0, std::llround(unit));
  }
  return prices;
}

FractionalKnapsack::Parts FractionalKnapsack::taken_before(std::size_t end) const {
  Parts taken{};
  const auto take = [&](std::size_t item, double count) {
    for (std::size_t d = 0; d < dimensions_; ++d) taken[d] += count * part_[item][d];
  };
  for (std::size_t i = first_; i < end; ++i) {
    if (is_full_[i]) take(i, copies_[i]);
  }
  for (std::size_t row = 0; row < dimensions_; ++row) {
    if (basis_[row] >= first_ && basis_[row] < end) take(basis_[row], amount_[row]);
  }
  return taken;
}

}  // namespace bayplan::packing
