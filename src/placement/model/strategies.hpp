#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What ranks the tasks of a workload: as stated, else the default of ECS. Services: fewest of their tasks in the zone,
/// then on the instance (UpdateService, API reference); RunTask: random. A service that states only the zone spread
/// gets the same second key (our choice; ECS is silent).
///
/// Ties that are drawn are one more strategy: random, at the end.
std::vector<Strategy> effective_strategies(const Workload& workload, TieOrder ties);

/// The strategy as the command line writes it: "random", "spread:instanceId", "binpack:memory".
std::string strategy_text(const Strategy& strategy);

/// StartTask can start its tasks: standalone tasks without a capacity provider (API_StartTask, which has no member for
/// one).
bool is_startable(const Workload& workload);
/// The policy of the scenario chooses for the workload, not its strategies.
bool chosen_by_policy(const Workload& workload, const Scenario& scenario);

/// Some of its places are drawn.
bool draws(const Workload& workload, TieOrder ties);
/// Some places are drawn under the policy.
bool draws(Policy policy, TieOrder ties);
/// Some places of the workload are drawn, by the policy of the scenario or by strategies.
bool draws(const Workload& workload, const Scenario& scenario);

/// The one strategy stated is the zone spread of a service.
bool gets_second_key(const Workload& workload);

/// Keeps the candidates with the smallest key, in their order.
template <class Key>
void keep_smallest(std::vector<std::uint32_t>& candidates, Key key) {
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  std::size_t kept = 0;
  for (const std::uint32_t instance : candidates) {
    const std::int64_t own = key(instance);
    if (own > smallest) continue;
    if (own < smallest) kept = 0;
    smallest = own;
    candidates[kept++] = instance;
  }
  candidates.resize(kept);
}

}  // namespace bayplan::placement
