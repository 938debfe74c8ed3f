#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "packing/effort.hpp"
#include "packing/packing_problem.hpp"
#include "packing/pattern_rule.hpp"

namespace bayplan::packing {

/// What a bin may take of one shape, and what a copy of it is worth.
struct KnapsackItem {
  Amounts size{};
  std::int64_t value = 0;   ///< Must be at least 0.
  std::int64_t copies = 0;  ///< Maximum number of copies.
  std::uint64_t tokens = 0;
  std::uint32_t shape = 0;
};

/// What a filling is worth more, or less, for a property of it.
struct KnapsackRule {
  PatternRule rule;
  std::int64_t value = 0;
};

/// Fill one bin with the most value.
struct Knapsack {
  std::size_t dimensions = 0;
  Amounts capacity{};
  std::vector<KnapsackItem> items;
  std::vector<KnapsackRule> rules = {};
};

struct KnapsackLimits {
  std::int64_t target = 0;  ///< The search considers only fillings that are worth more.
  std::size_t width = 0;    ///< Maximum number of labels kept per layer.
  std::size_t answers = 1;  ///< Maximum number of fillings returned.
  /// Cells of a table over all resources that bounds what a label may still become; 0: no table. It pays off where
  /// the label search without it proves nothing.
  std::size_t cells = 0;
  /// Returns fillings of which each shares at most half of its tasks with every better one.
  bool is_varied = false;
};

struct Filling {
  std::int64_t value = 0;
  std::vector<Copies> copies;
};

struct KnapsackAnswer {
  std::vector<Filling> fillings;  ///< Each worth more than the target, best first.
  std::int64_t upper_bound = 0;   ///< Nothing is worth more: proven, in integers.
};

/// Labels of one item after the other, each with the most that it can still become: dominated and hopeless ones are
/// dropped. A dropped label that was merely too many, or came after the effort's end, raises the upper bound to what it
/// might have become.
KnapsackAnswer solve_knapsack(Knapsack knapsack, const KnapsackLimits& limits, Effort& effort);

}  // namespace bayplan::packing
