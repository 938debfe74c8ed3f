#include "placement/model/stop_rule.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
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

StopOrder::StopOrder(const Occupancy& occupancy, const Tasks& candidates, const Tasks& tasks, std::uint32_t workload)
    : occupancy_(occupancy),
      strategies_(effective_strategies(occupancy.scenario().workloads[workload], occupancy.scenario().ties)) {
  const auto& scenario = occupancy.scenario();
  using Size = std::tuple<std::uint32_t, CpuUnits, MiB>;
  std::map<Size, Batch> batches;
  for (const auto& task : candidates) {
    auto& batch = batches[{task.instance, task.requirement->cpu, task.requirement->memory}];
    batch.instance = task.instance;
    batch.requirement = task.requirement;
    batch.tasks.push_back(task.task);
  }
  for (const auto& task : tasks) ++on_instance_[task.instance];
  for (auto& [size, batch] : batches) {
    std::sort(batch.tasks.begin(), batch.tasks.end());
    batch.on_instance = &on_instance_.at(batch.instance);
    batches_.push_back(std::move(batch));
  }
  for (const auto& strategy : strategies_) {
    if (strategy.attribute().empty()) continue;
    Attribute own{std::string(strategy.attribute()), {}, {}, {}};
    std::vector<std::uint32_t> values;
    for (const Batch& batch : batches_) {
      const auto value = value_of(scenario.profiles[scenario.instances[batch.instance].profile], own.name);
      const auto next = static_cast<std::uint32_t>(own.numbers.size());
      values.push_back(own.numbers.try_emplace(std::optional<std::string>(value), next).first->second);
    }
    own.tasks.resize(own.numbers.size());
    for (const auto& [instance, count] : on_instance_) {
      if (const auto number = number_of_value(own, instance)) own.tasks[*number] += count;
    }
    attributes_.push_back(std::move(own));
    values_.push_back(std::move(values));
  }
  seen_ = occupancy.history().end();
  if (batches_.empty()) return;
  tournament_.emplace(batches_.size(), values_);
  tournament_->rebuild([&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
}

/// None: no candidate is on an instance with this value.
OptionalIndex StopOrder::number_of_value(Attribute& attribute, std::uint32_t instance) const {
  const auto& scenario = occupancy_.scenario();
  const std::uint32_t profile = scenario.instances[instance].profile;
  const auto [known, is_new] = attribute.number_of_profile.try_emplace(profile);
  if (is_new) {
    const auto number = attribute.numbers.find(value_of(scenario.profiles[profile], attribute.name));
    if (number != attribute.numbers.end()) known->second = number->second;
  }
  return known->second;
}

void StopOrder::count(std::uint32_t instance, std::int64_t tasks) {
  const auto on_instance = on_instance_.find(instance);
  if (on_instance != on_instance_.end()) on_instance->second += tasks;
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    const auto value = number_of_value(attributes_[i], instance);
    if (!value) continue;
    attributes_[i].tasks[*value] += tasks;
    changed_values_.emplace_back(i, *value);
  }
}

bool StopOrder::is_before(std::uint32_t a, std::uint32_t b) const {
  const Batch& left = batches_[a];
  const Batch& right = batches_[b];
  if (left.tasks.empty() || right.tasks.empty()) return !left.tasks.empty();
  std::size_t attribute = 0;
  for (const auto& strategy : strategies_) {
    std::int64_t difference = 0;
    if (strategy.type == StrategyType::kBinpack) {
      const bool by_cpu = strategy.field == "cpu";
      const auto left_over = [&](const Batch& batch) {
        return left_after(occupancy_, by_cpu, {batch.tasks.back(), batch.instance, batch.requirement});
      };
      difference = left_over(left) - left_over(right);
    } else if (!strategy.attribute().empty()) {
      const auto& count = attributes_[attribute].tasks;
      difference = count[values_[attribute][a]] - count[values_[attribute][b]];
      ++attribute;
    } else if (strategy.type == StrategyType::kSpread) {
      difference = *left.on_instance - *right.on_instance;
    }
    if (difference != 0) return difference > 0;
  }
  return left.tasks.back() > right.tasks.back();
}

/// Ranks batches again: those on instances that have changed, and those that share a value with other tasks than
/// before.
void StopOrder::follow_changes() {
  if (last_) count(batches_[*last_].instance, -1);
  last_.reset();
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); };
  const auto& history = occupancy_.history();
  if (seen_ < history.begin()) {
    tournament_->rebuild(before);
  } else {
    for (const auto& change : history.since(seen_)) {
      auto batch = std::lower_bound(batches_.begin(), batches_.end(), change.instance,
                                    [](const Batch& one, std::uint32_t instance) { return one.instance < instance; });
      for (; batch != batches_.end() && batch->instance == change.instance; ++batch)
        tournament_->update(static_cast<std::uint32_t>(batch - batches_.begin()), before);
    }
    for (const auto& [attribute, value] : changed_values_) tournament_->update_value(attribute, value, before);
  }
  seen_ = history.end();
  changed_values_.clear();
}

std::uint32_t StopOrder::next() {
  if (!tournament_) throw std::logic_error("no task can be stopped");
  follow_changes();
  const auto best = tournament_->best([&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
  if (batches_[best].tasks.empty()) throw std::logic_error("no task can be stopped");
  const std::uint32_t task = batches_[best].tasks.back();
  batches_[best].tasks.pop_back();
  last_ = best;
  return task;
}

}  // namespace bayplan::placement
