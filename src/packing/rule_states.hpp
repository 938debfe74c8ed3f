#pragma once
#include <cstdint>
#include <vector>

#include "packing/knapsack.hpp"

namespace bayplan::packing {

/// How far a filling has come with each rule, one bit each among its tokens: a bit that is set never makes a filling
/// better, so that of two fillings the one with fewer bits may dominate.
class RuleStates {
 public:
  /// The items in the order in which they are decided.
  explicit RuleStates(const Knapsack& knapsack);

  std::uint64_t first() const { return first_; }          ///< The bits before any item is decided.
  std::int64_t most_to_gain() const { return to_gain_; }  ///< No filling gets more from the rules.

  /// Decides so many copies of an item: the bits change, the value of the rules is returned.
  std::int64_t decide(std::size_t item, std::int64_t count, std::uint64_t& bits) const;

 private:
  struct Use {
    std::uint64_t bit = 0;  ///< 0: the item alone decides.
    std::int64_t value = 0;
    std::int64_t least = 0;
    bool is_last = false;
  };

  void add(const Knapsack& knapsack, const KnapsackRule& rule, std::uint64_t& used);
  static std::int64_t decide(const Use& use, std::int64_t count, std::uint64_t& bits);

  std::vector<std::vector<Use>> uses_;  ///< A list an item.
  std::uint64_t first_ = 0;
  std::int64_t to_gain_ = 0;
};

}  // namespace bayplan::packing
