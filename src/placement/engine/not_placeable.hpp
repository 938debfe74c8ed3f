#pragma once
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Why the scenario cannot be placed: what this release does not simulate, and tasks of which there is no end; every
/// place of it.
std::vector<Error> not_placeable(const Scenario& scenario);

/// Why a command that answers for time 0 has no answer: each member of the scenario that takes time, with its place.
/// `command`: "why".
std::vector<Error> refuse_over_time(const Scenario& scenario, std::string_view command);

}  // namespace bayplan::placement
