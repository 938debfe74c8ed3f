#pragma once
#include <optional>
#include <vector>

#include "base/assumption.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

/// Surplus CPU credits, in addition to the costs of commands that sum up prices of instances.
namespace bayplan::report {

/// Nothing where the tasks on burstable instances reserve no more CPU than their prices cover. `states`: one for each
/// instance.
std::optional<Assumption> uncounted_credits(const placement::Scenario& scenario,
                                            const std::vector<placement::InstanceState>& states);

/// Where there are burstable instances; what their tasks reserve is not known.
std::optional<Assumption> uncounted_credits(const placement::Scenario& scenario);

}  // namespace bayplan::report
