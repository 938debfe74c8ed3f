#include "packing/check_prices.hpp"

#include <algorithm>
#include <cmath>

namespace bayplan::packing {
namespace {

/// The knapsack with items in parts, each resource as a share of the capacity: a tableau with a row a resource, whose
/// columns are the items, then a slack a resource.
class Tableau {
 public:
  explicit Tableau(const CheckedBin& bin) : items_(bin.items.size()), rows_(bin.dimensions), gain_(items_ + rows_) {
    for (const CheckedItem& item : bin.items) upper_.push_back(static_cast<double>(item.most));
    upper_.resize(items_ + rows_, kNoLimit);
    for (std::size_t i = 0; i < items_; ++i) gain_[i] = static_cast<double>(bin.items[i].worth);
    is_full_.resize(gain_.size());
    for (std::size_t d = 0; d < rows_; ++d) {
      std::vector<double>& row = shares_.emplace_back(gain_.size());
      for (std::size_t i = 0; i < items_; ++i) {
        row[i] = static_cast<double>(bin.items[i].size[d]) / static_cast<double>(bin.capacity[d]);
      }
      row[items_ + d] = 1;
      basic_.push_back(items_ + d);
      value_.push_back(1);
    }
  }

  void solve() {
    for (std::size_t round = 0; round < kRounds * gain_.size(); ++round) {
      const std::size_t entering = best_column();
      if (entering == gain_.size()) return;
      move(entering);
    }
  }

  /// What a whole capacity of the resource is worth.
  double price(std::size_t resource) const { return std::max(0.0, -gain_[items_ + resource]); }

 private:
  static constexpr double kNoLimit = 1e300;
  static constexpr double kTiny = 1e-11;
  static constexpr std::size_t kRounds = 4;

  std::size_t best_column() const {
    std::size_t best = gain_.size();
    double most = 0;
    for (std::size_t j = 0; j < gain_.size(); ++j) {
      const double gain = (is_full_[j] ? -gain_[j] : gain_[j]) * std::min(upper_[j], 1e6);
      if (gain > std::max(most, 1e-3) && !is_basic(j)) {
        most = gain;
        best = j;
      }
    }
    return best;
  }

  bool is_basic(std::size_t column) const { return std::find(basic_.begin(), basic_.end(), column) != basic_.end(); }

  void move(std::size_t entering) {
    const double way = is_full_[entering] ? -1 : 1;
    double step = upper_[entering];
    std::size_t leaving = rows_;
    for (std::size_t r = 0; r < rows_; ++r) {
      const double fall = way * shares_[r][entering];
      double most = kNoLimit;
      if (fall > kTiny) most = value_[r] / fall;
      if (fall < -kTiny && upper_[basic_[r]] < kNoLimit) most = (value_[r] - upper_[basic_[r]]) / fall;
      if (most >= step) continue;
      step = std::max(most, 0.0);
      leaving = r;
    }
    if (step >= kNoLimit) return;
    for (std::size_t r = 0; r < rows_; ++r) value_[r] -= way * step * shares_[r][entering];
    if (leaving == rows_) {
      is_full_[entering] = !is_full_[entering];
      return;
    }
    const double fall = way * shares_[leaving][entering];
    is_full_[basic_[leaving]] = fall < 0;
    value_[leaving] = is_full_[entering] ? upper_[entering] - step : step;
    is_full_[entering] = false;
    pivot(leaving, entering);
  }

  void pivot(std::size_t row, std::size_t column) {
    const double by = shares_[row][column];
    for (double& share : shares_[row]) share /= by;
    const auto clear = [&](std::vector<double>& other) {
      const double times = other[column];
      if (times == 0) return;
      for (std::size_t j = 0; j < other.size(); ++j) other[j] -= times * shares_[row][j];
    };
    for (std::size_t r = 0; r < rows_; ++r) {
      if (r != row) clear(shares_[r]);
    }
    clear(gain_);
    basic_[row] = column;
  }

  std::size_t items_;
  std::size_t rows_;
  std::vector<double> gain_;  ///< By how much the worth grows with each column.
  std::vector<double> upper_;
  std::vector<bool> is_full_;  ///< Columns outside the basis that stand at their upper limit.
  std::vector<std::vector<double>> shares_;
  std::vector<std::size_t> basic_;  ///< A column a row.
  std::vector<double> value_;       ///< Of the basic columns.
};

}  // namespace

Amounts unit_prices(const CheckedBin& bin) {
  Tableau tableau(bin);
  tableau.solve();
  double all = 0;  // no sensible price is higher, and the check's sums never overflow
  for (const CheckedItem& item : bin.items) all += static_cast<double>(item.worth) * static_cast<double>(item.most);
  Amounts unit{};
  for (std::size_t d = 0; d < bin.dimensions; ++d) {
    unit[d] = std::llround(std::min(all, tableau.price(d)) / static_cast<double>(bin.capacity[d]));
  }
  return unit;
}

}  // namespace bayplan::packing
