#include "placement/model/stop_rule.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "placement/model/strategies.hpp"

namespace bayplan::placement {
namespace {

using Tasks = std::vector<StoppableTask>;
using AttributeValue = std::optional<std::string_view>;

std::uint32_t profile_of(const Scenario& scenario, const StoppableTask& task) {
  return scenario.instances[task.instance].profile;
}

AttributeValue value_of(const InstanceProfile& profile, std::string_view attribute) {
  const auto found = profile.attributes.find(attribute);
  return found == profile.attributes.end() ? AttributeValue() : AttributeValue(found->second);
}

/// Counts, for each profile, the tasks on all instances with its value of the attribute.
std::vector<std::int64_t> tasks_by_profile(const Scenario& scenario, std::string_view attribute, const Tasks& tasks) {
  std::vector<std::int64_t> own(scenario.profiles.size());
  for (const auto& task : tasks) ++own[profile_of(scenario, task)];
  std::map<AttributeValue, std::int64_t> of_value;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] > 0) of_value[value_of(scenario.profiles[i], attribute)] += own[i];
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] > 0) own[i] = of_value[value_of(scenario.profiles[i], attribute)];
  }
  return own;
}

std::int64_t left_after(const Occupancy& occupancy, bool by_cpu, const StoppableTask& task) {
  const auto& state = occupancy.states()[task.instance];
  return by_cpu ? state.cpu + task.requirement->cpu : state.memory + task.requirement->memory;
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
    const bool by_cpu = strategy.field == "cpu";
    keep_largest(candidates, [&](const StoppableTask& task) { return left_after(occupancy, by_cpu, task); });
  } else if (const auto attribute = strategy.attribute(); !attribute.empty()) {
    const auto count = tasks_by_profile(scenario, attribute, tasks);
    keep_largest(candidates, [&](const StoppableTask& task) { return count[profile_of(scenario, task)]; });
  } else if (strategy.type == StrategyType::kSpread) {
    std::vector<std::int64_t> count(scenario.instances.size());
    for (const auto& task : tasks) ++count[task.instance];
    keep_largest(candidates, [&](const StoppableTask& task) { return count[task.instance]; });
  }
}

}  // namespace

std::uint32_t task_to_stop(const Occupancy& occupancy, Tasks candidates, const Tasks& tasks, std::uint32_t workload) {
  if (candidates.empty()) throw std::logic_error("no task can be stopped");
  const auto& scenario = occupancy.scenario();
  for (const auto& strategy : effective_strategies(scenario.workloads[workload], scenario.ties)) {
    if (candidates.size() > 1) narrow(occupancy, strategy, tasks, candidates);
  }
  const auto latest = std::max_element(candidates.begin(), candidates.end(),
                                       [](const auto& a, const auto& b) { return a.task < b.task; });
  return latest->task;
}

}  // namespace bayplan::placement
