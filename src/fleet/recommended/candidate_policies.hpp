#pragma once
#include <vector>

#include "fleet/recommended/fill_fleet.hpp"

namespace bayplan::fleet {

/// Launch orders and strategies worth trying: as written first, then those that a planner would name. Ways that come to
/// the same as an earlier one are left out: spreads over zones where there is one, `largestFirst` where the calls do
/// not differ in size. `constraints` go with each of them.
std::vector<Policy> candidate_policies(const placement::Scenario& scenario, std::size_t zones,
                                       const std::vector<std::pair<std::uint32_t, placement::Constraint>>& constraints);

}  // namespace bayplan::fleet
