#pragma once
#include <cstdint>

#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// The key of an instance, of which the smallest wins, under a strategy that looks at each instance by itself: binpack
/// and spread over instances (docs/placement.md, "Strategies"). Spread over an attribute adds up these keys over the
/// instances that have its value.
inline std::int64_t strategy_key(const Strategy& strategy, const InstanceState& state, std::uint32_t group) {
  if (strategy.type == StrategyType::kSpread) return state.tasks_of(group);
  return strategy.field == "cpu" ? state.cpu : state.memory;
}

}  // namespace bayplan::placement
