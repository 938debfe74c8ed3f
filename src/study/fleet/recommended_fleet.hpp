#pragma once
#include <cstdint>

#include "fleet/ideal/few_types.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "study/fleet/plan_input.hpp"

namespace bayplan::study {

/// Fleets that ECS itself fills: of subsets of the types and of all types, with rising effort, the later searches
/// beginning with what the earlier ones found. So a plan costs no more with more types or more effort, as far as the
/// searches of the other plan are among its own: all of them where there are few types.
fleet::Fill find_fill(const PlanInput& input, const fleet::BoundedPacking& bounded, const IdealFleet& ideal,
                      std::int64_t tasks, Watch& watch);

}  // namespace bayplan::study
