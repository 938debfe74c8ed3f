#pragma once
#include <cstdint>
#include <vector>

#include "placement/groups.hpp"
#include "placement/instance_state.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::study {

/// The cluster as one turn finds it: what runs before the first turn, and what was placed before this one.
struct Standing {
  placement::Groups groups;
  std::vector<std::uint32_t> group_of;           ///< By workload.
  std::vector<placement::InstanceState> states;  ///< By instance.
};

/// What was placed before the turn, in the order of turns. Of a call that was given up as a whole also what it had
/// taken when the task that is explained found no place.
std::vector<const placement::Placement*> placed_before(const placement::Outcome& outcome, const placement::Turn& turn);

/// Placements before the turn are replayed as `outcome` has them.
Standing standing_before(const placement::Scenario& scenario, const placement::Outcome& outcome,
                         const placement::Turn& turn);

/// What is taken of an instance that stands so; `starting_state` of it gives the same state.
placement::InstanceUse use_of(const placement::InstanceState& state, const placement::InstanceProfile& profile);

}  // namespace bayplan::study
