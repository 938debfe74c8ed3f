#include "placement/chain.hpp"

#include <algorithm>

namespace bayplan::placement {
namespace {

bool contains(const std::vector<Strategy>& strategies, const Strategy& wanted) {
  return std::find(strategies.begin(), strategies.end(), wanted) != strategies.end();
}

bool is_over_instances(const Strategy& strategy) {
  return strategy.type == StrategyType::kSpread && strategy.attribute().empty();
}

}  // namespace

Chain::Chain(const std::vector<Strategy>& strategies) {
  for (const auto& strategy : strategies) {
    if (contains(indexed, strategy) || contains(rest, strategy)) continue;
    const bool is_draw = strategy.type == StrategyType::kRandom;
    const bool is_late = !rest.empty() || is_draw || (is_over_instances(strategy) && !fields.empty());
    (is_late ? rest : indexed).push_back(strategy);
    if (!strategy.attribute().empty()) attributes.emplace_back(strategy.attribute());
    if (is_draw) return;
    if (is_late) continue;
    counts_tasks |= is_over_instances(strategy);
    if (strategy.type == StrategyType::kBinpack) fields.push_back(strategy);
  }
}

}  // namespace bayplan::placement
