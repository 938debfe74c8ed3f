#include "placement/plain_engine.hpp"

#include <cassert>
#include <map>
#include <random>

#include "placement/engine/attempts.hpp"
#include "placement/engine/filters.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/model/random.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::placement {
namespace {

/// Every strategy is an integer key, smallest wins; a chain is their lexicographic order, found by narrowing.
class PlainChooser : public Chooser {
 public:
  explicit PlainChooser(const Occupancy& occupancy)
      : occupancy_(occupancy), scenario_(occupancy.scenario()), generator_(scenario_.seed) {}

  std::optional<Choice> choose(std::uint32_t task_class) override {
    const std::uint32_t workload = occupancy_.classes().workload_of(task_class);
    const std::uint32_t group = occupancy_.group_of(workload);
    const Filter filter(scenario_, occupancy_.groups(), scenario_.workloads[workload], group);
    auto candidates = candidates_of(filter, task_class);
    if (candidates.empty()) return std::nullopt;
    for (const auto& strategy : effective_strategies(scenario_.workloads[workload], scenario_.ties)) {
      if (candidates.size() > 1) narrow(strategy, group, candidates);
    }
    return Choice{candidates.front(), candidates.size() > 1};
  }

  bool has_place(std::uint32_t task_class) override {
    const std::uint32_t workload = occupancy_.classes().workload_of(task_class);
    const Filter filter(scenario_, occupancy_.groups(), scenario_.workloads[workload], occupancy_.group_of(workload));
    return !candidates_of(filter, task_class).empty();
  }

  Failure explain(const PlacementAttempt& attempt, std::uint32_t, bool in_full) override {
    const auto& workload = scenario_.workloads[attempt.workload];
    const Filter filter(scenario_, occupancy_.groups(), workload, occupancy_.group_of(attempt.workload));
    return explain_failure(attempt, occupancy_.standing(), occupancy_.states(), filter, scenario_, in_full);
  }

  void forget(std::uint32_t) override {}

 private:
  std::vector<std::uint32_t> candidates_of(const Filter& filter, std::uint32_t task_class) const {
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t i : occupancy_.standing()) {
      if (filter.passes(i, occupancy_.states()[i], occupancy_.classes().find_provider(task_class)))
        candidates.push_back(i);
    }
    return candidates;
  }

  using Value = std::optional<std::string>;

  Value value_on(std::uint32_t instance, std::string_view attribute) const {
    const auto& attributes = scenario_.profiles[scenario_.instances[instance].profile].attributes;
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? Value() : Value(found->second);
  }

  /// Tasks of the group by value of the attribute, on every instance of the cluster whatever its state. No value is
  /// unlike every value.
  std::map<Value, std::int64_t> count_values(std::string_view attribute, std::uint32_t group) const {
    std::map<Value, std::int64_t> tasks;
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      tasks[value_on(i, attribute)] += occupancy_.states()[i].tasks_of(group);
    }
    return tasks;
  }

  void narrow(const Strategy& strategy, std::uint32_t group, std::vector<std::uint32_t>& candidates) {
    const auto& states = occupancy_.states();
    const auto attribute = strategy.attribute();
    if (strategy.type == StrategyType::kRandom) {
      candidates = {candidates[draw(generator_, candidates.size())]};
    } else if (!attribute.empty()) {
      const auto tasks = count_values(attribute, group);
      keep_smallest(candidates, [&](std::uint32_t i) { return tasks.at(value_on(i, attribute)); });
    } else if (strategy.type == StrategyType::kSpread) {
      keep_smallest(candidates, [&](std::uint32_t i) { return states[i].tasks_of(group); });
    } else {
      keep_smallest(candidates,
                    [&](std::uint32_t i) { return strategy.field == "cpu" ? states[i].cpu : states[i].memory; });
    }
  }

  const Occupancy& occupancy_;
  const Scenario& scenario_;
  std::mt19937_64 generator_;
};

}  // namespace

std::unique_ptr<Chooser> plain_chooser(const Occupancy& occupancy) {
  return std::make_unique<PlainChooser>(occupancy);
}

Outcome place_plainly(const Scenario& scenario) {
  Progress progress(scenario);
  PlainChooser chooser(progress.occupancy());
  run_attempts(progress, chooser);
  return std::move(progress).finish();
}

}  // namespace bayplan::placement
