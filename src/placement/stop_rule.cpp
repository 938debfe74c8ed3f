#include "placement/stop_rule.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "placement/strategies.hpp"

namespace bayplan::placement {
namespace {

using Tasks = std::vector<StoppableTask>;
using Value = std::optional<std::string_view>;

Value value_of(const Scenario& scenario, std::string_view attribute, const StoppableTask& task) {
  const auto& attributes = scenario.profiles[scenario.instances[task.instance].profile].attributes;
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? Value() : Value(found->second);
}

std::int64_t left_after(const Occupancy& occupancy, const Strategy& strategy, const StoppableTask& task) {
  const auto& state = occupancy.states()[task.instance];
  return strategy.field == "cpu" ? state.cpu + task.requirement->cpu : state.memory + task.requirement->memory;
}

template <class Key>
void keep_largest(Tasks& candidates, Key key) {
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();
  for (const auto& task : candidates) largest = std::max(largest, key(task));
  std::erase_if(candidates, [&](const StoppableTask& task) { return key(task) < largest; });
}

void narrow(const Occupancy& occupancy, const Strategy& strategy, const Tasks& tasks, Tasks& candidates) {
  const auto& scenario = occupancy.scenario();
  if (strategy.type == StrategyType::kBinpack) {
    keep_largest(candidates, [&](const StoppableTask& task) { return left_after(occupancy, strategy, task); });
  } else if (const auto attribute = strategy.attribute(); !attribute.empty()) {
    std::map<Value, std::int64_t> count;
    for (const auto& task : tasks) ++count[value_of(scenario, attribute, task)];
    keep_largest(candidates, [&](const StoppableTask& task) { return count[value_of(scenario, attribute, task)]; });
  } else if (strategy.type == StrategyType::kSpread) {
    std::map<std::uint32_t, std::int64_t> count;
    for (const auto& task : tasks) ++count[task.instance];
    keep_largest(candidates, [&](const StoppableTask& task) { return count[task.instance]; });
  }
}

}  // namespace

std::uint32_t task_to_stop(const Occupancy& occupancy, Tasks candidates, const Tasks& tasks, std::uint32_t workload) {
  const auto& scenario = occupancy.scenario();
  for (const auto& strategy : effective_strategies(scenario.workloads[workload], scenario.ties)) {
    if (candidates.size() > 1) narrow(occupancy, strategy, tasks, candidates);
  }
  const auto latest = std::max_element(candidates.begin(), candidates.end(),
                                       [](const auto& a, const auto& b) { return a.task < b.task; });
  return latest->task;
}

}  // namespace bayplan::placement
