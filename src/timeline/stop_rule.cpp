#include "timeline/stop_rule.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "placement/strategies.hpp"

namespace bayplan::timeline {

using placement::Strategy;
using placement::StrategyType;

namespace {

using Value = std::optional<std::string_view>;

Value value_of(const Cluster& cluster, std::string_view attribute, std::uint32_t task) {
  const auto& attributes = cluster.profile(cluster.task(task).instance).attributes;
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? Value() : Value(found->second);
}

std::int64_t left_after(const Cluster& cluster, const Strategy& strategy, std::uint32_t task) {
  const auto& state = cluster.occupancy().states()[cluster.task(task).instance];
  const auto& requirement = cluster.requirement_of(task);
  return strategy.field == "cpu" ? state.cpu + requirement.cpu : state.memory + requirement.memory;
}

template <class Key>
void keep_largest(std::vector<std::uint32_t>& candidates, Key key) {
  placement::keep_smallest(candidates, [&](std::uint32_t task) { return -key(task); });
}

void narrow(const Cluster& cluster, const Strategy& strategy, const std::vector<std::uint32_t>& tasks,
            std::vector<std::uint32_t>& candidates) {
  if (strategy.type == StrategyType::kBinpack) {
    keep_largest(candidates, [&](std::uint32_t task) { return left_after(cluster, strategy, task); });
  } else if (const auto attribute = strategy.attribute(); !attribute.empty()) {
    std::map<Value, std::int64_t> count;
    for (const std::uint32_t task : tasks) ++count[value_of(cluster, attribute, task)];
    keep_largest(candidates, [&](std::uint32_t task) { return count[value_of(cluster, attribute, task)]; });
  } else if (strategy.type == StrategyType::kSpread) {
    std::map<std::uint32_t, std::int64_t> count;
    for (const std::uint32_t task : tasks) ++count[cluster.task(task).instance];
    keep_largest(candidates, [&](std::uint32_t task) { return count[cluster.task(task).instance]; });
  }
}

}  // namespace

std::uint32_t task_to_stop(const Cluster& cluster, std::vector<std::uint32_t> candidates,
                           const std::vector<std::uint32_t>& tasks, std::uint32_t workload) {
  const auto& scenario = cluster.scenario();
  for (const auto& strategy : placement::effective_strategies(scenario.workloads[workload], scenario.ties)) {
    if (candidates.size() > 1) narrow(cluster, strategy, tasks, candidates);
  }
  return *std::max_element(candidates.begin(), candidates.end());
}

}  // namespace bayplan::timeline
