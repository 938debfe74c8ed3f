#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "placement/strategies.hpp"

namespace bayplan::placement {

/// A chain of strategies as an index works it off. Among the instances of one cell (equal values of `attributes`) the
/// first strategies rank by the number of own tasks, then by what is left: these are `indexed`. What comes after (a
/// draw, or an instance spread behind a binpack) decides among the equals that are left.
struct Chain {
  explicit Chain(const std::vector<Strategy>& strategies);

  std::vector<Strategy> indexed;        ///< No two alike, none random.
  std::vector<std::string> attributes;  ///< Of all spreads over attributes that count, indexed or not.
  std::vector<Strategy> fields;         ///< The indexed binpacks, in their order.
  bool counts_tasks = false;            ///< An indexed spread over instances.
  std::vector<Strategy> rest;           ///< Up to the first draw.

  bool draws() const { return !rest.empty() && rest.front().type == StrategyType::kRandom; }
};

}  // namespace bayplan::placement
