#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "packing/knapsack.hpp"

namespace bayplan::packing {

/// The knapsack with items in parts, by the dual simplex method with long steps. A basis is as small as a bin has
/// resources, so that a step costs hardly more than a look at each item. Floating point: good prices, no proof.
class FractionalKnapsack {
 public:
  using Parts = std::array<double, kMaxDimensions>;  ///< Shares of the whole bin; one a resource.

  explicit FractionalKnapsack(const Knapsack& knapsack);

  /// The items from `first` on, in so much room.
  void solve(std::size_t first, const Parts& room);

  Amounts prices() const;  ///< A unit of each resource, rounded.

  /// What the items from the first one to this take.
  Parts taken_before(std::size_t end) const;

  std::int64_t work() const { return work_; }  ///< Returns the work so far, in the unit of Effort.

 private:
  static constexpr int kMaxSteps = 60;

  struct Leaving {
    std::size_t row = 0;
    bool to_upper = false;
    double violation = 0;
  };
  struct Crossing {
    double step = 0;
    std::size_t column = 0;  ///< An item, or past the last of them a resource's slack.
    double slope = 0;
  };

  bool is_slack(std::size_t column) const { return column >= items_; }
  double part(std::size_t column, std::size_t d) const;
  double value(std::size_t column) const { return is_slack(column) ? 0 : value_[column]; }
  void start(std::size_t first);
  void find_amounts(const Parts& room);
  bool find_leaving(Leaving& leaving) const;
  bool find_entering(const Leaving& leaving, Crossing& entering);
  void list_crossings(const Parts& way);
  bool pivot(const Leaving& leaving, std::size_t entering);

  std::size_t dimensions_;
  std::size_t items_;
  std::size_t first_ = 0;
  Amounts capacity_;
  std::vector<Parts> part_;
  std::vector<double> value_;
  std::vector<double> copies_;
  std::vector<char> is_full_;   ///< Not in the basis, and all copies taken.
  std::vector<char> is_basic_;  ///< One a column.
  std::array<std::size_t, kMaxDimensions> basis_{};
  std::array<Parts, kMaxDimensions> inverse_{};
  Parts amount_{};  ///< Amounts of the basic columns.
  Parts price_{};   ///< Price of all of each resource.
  std::vector<Crossing> crossings_;
  std::int64_t work_ = 0;
};

}  // namespace bayplan::packing
