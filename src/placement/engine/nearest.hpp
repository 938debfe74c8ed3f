#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "placement/engine/filters.hpp"
#include "placement/model/outcome.hpp"

namespace bayplan::placement {

/// How near an instance came to taking a task. ECS names a "closest matching" instance and does not say how it finds
/// it; ours is the one whose first failed check comes latest, among equals the one that lacks the smallest share of
/// what was asked, then file order.
struct Nearness {
  Check first = Check::kStatus;
  std::int64_t missing = 0;  ///< Amount missing of the resource that `first` checks, out of `wanted`.
  std::int64_t wanted = 1;
};

Nearness nearness(const Rejection& rejection, const capacity::TaskRequirement& task);

/// `a` is nearer than `b`; false both ways for equals.
bool is_nearer(const Nearness& a, const Nearness& b);

/// An instance that is not ACTIVE or belongs to another capacity provider is never the closest.
bool may_be_closest(const Nearness& nearness);

/// Says why each of `instances` (file order) rejects the task of `attempt`. `in_full`: with a row for each of them,
/// else with the nearest misses.
Failure explain_failure(const PlacementAttempt& attempt, const std::vector<std::uint32_t>& instances,
                        const std::vector<InstanceState>& states, const Filter& filter, const Scenario& scenario,
                        bool in_full);
/// Does the same for every instance of the cluster.
Failure explain_failure(const PlacementAttempt& attempt, const std::vector<InstanceState>& states, const Filter& filter,
                        const Scenario& scenario, bool in_full);

}  // namespace bayplan::placement
