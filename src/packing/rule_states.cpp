#include "packing/rule_states.hpp"

#include <algorithm>

namespace bayplan::packing {

RuleStates::RuleStates(const Knapsack& knapsack) : uses_(knapsack.items.size()) {
  std::uint64_t used = 0;
  for (const KnapsackItem& item : knapsack.items) used |= item.tokens;
  for (const KnapsackRule& rule : knapsack.rules) {
    if (rule.rule.property == PatternRule::Property::kTogether) add(knapsack, rule, used);
  }
}

void RuleStates::add(const Knapsack& knapsack, const KnapsackRule& rule, std::uint64_t& used) {
  std::vector<std::pair<std::size_t, std::int64_t>> items;  // and the least of each
  for (std::size_t i = 0; i < knapsack.items.size(); ++i) {
    const auto& shapes = rule.rule.shapes;
    const auto shape = std::find(shapes.begin(), shapes.end(), knapsack.items[i].shape);
    if (shape != shapes.end()) items.emplace_back(i, rule.rule.least[static_cast<std::size_t>(shape - shapes.begin())]);
  }
  if (items.size() < rule.rule.shapes.size()) return;
  to_gain_ += std::max<std::int64_t>(0, rule.value);
  const std::uint64_t bit = items.size() > 1 ? ~used & (used + 1) : 0;
  // Out of bits: a loss not counted, or a gain that any filling may still make, leaves the upper bound valid.
  if (items.size() > 1 && bit == 0) return;
  used |= bit;
  if (rule.value > 0) first_ |= bit;
  for (std::size_t i = 0; i < items.size(); ++i) {
    uses_[items[i].first].push_back({bit, rule.value, items[i].second, i + 1 == items.size()});
  }
}

std::int64_t RuleStates::decide(std::size_t item, std::int64_t count, std::uint64_t& bits) const {
  std::int64_t value = 0;
  for (const Use& use : uses_[item]) value += decide(use, count, bits);
  return value;
}

/// The bit: the first shape is there, where that costs; is not there, where that gains.
std::int64_t RuleStates::decide(const Use& use, std::int64_t count, std::uint64_t& bits) {
  const bool holds = count >= use.least;
  if (use.bit == 0) return holds ? use.value : 0;
  const bool is_gain = use.value > 0;
  const bool held = ((bits & use.bit) != 0) != is_gain;
  bits &= ~use.bit;
  if (use.is_last) return held && holds ? use.value : 0;
  if (holds != is_gain) bits |= use.bit;
  return 0;
}

}  // namespace bayplan::packing
