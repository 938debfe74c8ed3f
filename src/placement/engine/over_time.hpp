#pragma once
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Why a command that answers for time 0 has no answer: each member of the scenario that takes time, with its place.
/// `command`: "why".
std::vector<Error> refuse_over_time(const Scenario& scenario, std::string_view command);

}  // namespace bayplan::placement
