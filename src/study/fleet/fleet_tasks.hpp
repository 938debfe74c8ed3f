#pragma once
#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// The scenario's tasks as if nothing ran yet: what runs on its instances is to be placed too, services with all that
/// they want, standalone tasks as often as they run. The instances stay, empty. Load it with `takes_services`: else
/// daemon services that only the cluster describes are missing.
placement::Scenario tasks_to_plan(const placement::Scenario& scenario);

}  // namespace bayplan::study
