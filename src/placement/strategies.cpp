#include "placement/strategies.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <optional>

#include "placement/random.hpp"

namespace bayplan::placement {
namespace {

constexpr std::string_view kZone = "ecs.availability-zone";

Strategy zone_spread() {
  return {StrategyType::kSpread, "attribute:" + std::string(kZone)};
}
Strategy instance_spread() {
  return {StrategyType::kSpread, "instanceId"};
}

std::optional<std::string> attribute_value(const InstanceProfile& profile, std::string_view name) {
  const auto found = profile.attributes.find(name);
  if (found == profile.attributes.end()) return std::nullopt;
  return found->second;
}

}  // namespace

bool gets_second_key(const Workload& workload) {
  return workload.kind == WorkloadKind::kService && workload.strategies.size() == 1 &&
         workload.strategies.front() == zone_spread();
}

std::vector<Strategy> effective_strategies(const Workload& workload) {
  if (gets_second_key(workload)) return {zone_spread(), instance_spread()};
  if (!workload.strategies.empty()) return workload.strategies;
  if (workload.kind == WorkloadKind::kService) return {zone_spread(), instance_spread()};
  return {{StrategyType::kRandom, {}}};
}

Ranking::Ranking(const Scenario& scenario, const std::vector<InstanceState>& states, const Workload& workload,
                 std::uint32_t group)
    : scenario_(scenario), states_(states), group_(group), strategies_(effective_strategies(workload)) {
  for (const auto& strategy : strategies_) {
    const auto attribute = strategy.attribute();
    values_.push_back(attribute.empty() ? ValueCounts{} : count_values(attribute));
  }
}

Ranking::ValueCounts Ranking::count_values(std::string_view attribute) const {
  ValueCounts counts;
  // An instance without the attribute belongs to a group of its own: no value is unlike every value.
  std::map<std::optional<std::string>, std::uint32_t> numbers;
  for (const auto& profile : scenario_.profiles) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    counts.value_of_profile.push_back(numbers.try_emplace(attribute_value(profile, attribute), next).first->second);
  }
  counts.tasks.resize(numbers.size());
  for (std::size_t i = 0; i < states_.size(); ++i) {
    counts.tasks[counts.value_of_profile[scenario_.instances[i].profile]] += states_[i].tasks_of(group_);
  }
  return counts;
}

void Ranking::count(std::uint32_t instance) {
  for (auto& counts : values_) {
    if (!counts.tasks.empty()) ++counts.tasks[counts.value_of_profile[scenario_.instances[instance].profile]];
  }
}

std::int64_t Ranking::key(std::size_t strategy, std::uint32_t instance) const {
  const auto& counts = values_[strategy];
  if (!counts.tasks.empty()) return counts.tasks[counts.value_of_profile[scenario_.instances[instance].profile]];
  if (strategies_[strategy].type == StrategyType::kSpread) return states_[instance].tasks_of(group_);
  return strategies_[strategy].field == "cpu" ? states_[instance].cpu : states_[instance].memory;
}

void Ranking::keep_smallest(std::size_t strategy, std::vector<std::uint32_t>& candidates) const {
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  std::size_t kept = 0;
  for (const std::uint32_t instance : candidates) {
    const std::int64_t own = key(strategy, instance);
    if (own > smallest) continue;
    if (own < smallest) kept = 0;
    smallest = own;
    candidates[kept++] = instance;
  }
  candidates.resize(kept);
}

Choice Ranking::choose(std::vector<std::uint32_t>& candidates, std::mt19937_64& generator) const {
  assert(!candidates.empty());
  for (std::size_t i = 0; i < strategies_.size() && candidates.size() > 1; ++i) {
    if (strategies_[i].type == StrategyType::kRandom) {
      candidates = {candidates[draw(generator, candidates.size())]};
    } else {
      keep_smallest(i, candidates);
    }
  }
  return {candidates.front(), candidates.size() > 1};
}

}  // namespace bayplan::placement
