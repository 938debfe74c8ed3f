#pragma once
#include <cstdint>
#include <vector>

#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// The cluster as one attempt finds it: what runs before the first placement, and what was placed before this one.
struct ClusterAtAttempt {
  placement::Groups groups;
  std::vector<std::uint32_t> group_of;           ///< One entry per workload.
  std::vector<placement::InstanceState> states;  ///< One entry per instance.
};

/// What was placed before the attempt, in the order of attempts. Of a call that was given up as a whole also what it
/// had taken when the task that is explained found no place.
std::vector<const placement::Placement*> placed_before(const placement::Outcome& outcome,
                                                       const placement::PlacementAttempt& attempt);

/// Placements before the attempt are replayed as `outcome` has them.
ClusterAtAttempt cluster_at_attempt(const placement::Scenario& scenario, const placement::Outcome& outcome,
                                    const placement::PlacementAttempt& attempt);

/// What is in use on an instance in this state; `starting_state` of it gives the same state.
placement::InstanceUse use_of(const placement::InstanceState& state, const placement::InstanceProfile& profile);

}  // namespace bayplan::study
