#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "placement/instance_state.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// What ranks the tasks of a workload: as stated, else the default of ECS. Services: fewest of their tasks in the zone,
/// then on the instance (UpdateService, API reference); RunTask: random. A service that states only the zone spread
/// gets the same second key (our choice; ECS is silent).
std::vector<Strategy> effective_strategies(const Workload& workload);

/// The one strategy stated is the zone spread of a service.
bool gets_second_key(const Workload& workload);

struct Choice {
  std::uint32_t instance = 0;
  bool tied = false;  ///< More than one candidate was left after the last strategy.
};

/// Ranks candidates for the tasks of one workload. Every strategy is an integer key, smallest wins; a chain is their
/// lexicographic order, found by narrowing.
class Ranking {
 public:
  Ranking(const Scenario& scenario, const std::vector<InstanceState>& states, const Workload& workload,
          std::uint32_t group);

  /// `candidates` in file order, at least one; the list is narrowed in place.
  Choice choose(std::vector<std::uint32_t>& candidates, std::mt19937_64& generator) const;

  /// Counts a task of the group that was put on `instance`.
  void count(std::uint32_t instance);

 private:
  /// Tasks of the group by value of one attribute, on every instance of the cluster whatever its state.
  struct ValueCounts {
    std::vector<std::uint32_t> value_of_profile;
    std::vector<std::int64_t> tasks;
  };

  ValueCounts count_values(std::string_view attribute) const;
  std::int64_t key(std::size_t strategy, std::uint32_t instance) const;
  void keep_smallest(std::size_t strategy, std::vector<std::uint32_t>& candidates) const;

  const Scenario& scenario_;
  const std::vector<InstanceState>& states_;
  std::uint32_t group_;
  std::vector<Strategy> strategies_;
  std::vector<ValueCounts> values_;  ///< One a strategy; empty but for spread over an attribute.
};

}  // namespace bayplan::placement
