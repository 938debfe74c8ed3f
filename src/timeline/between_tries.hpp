#pragma once
#include "timeline/figures.hpp"

namespace bayplan::timeline {

/// Adds to `Figures::waiting` the tasks that timed out as PROVISIONING and that their service wants still when the run
/// ends: it has not tried again yet.
void find_tasks_between_tries(const placement::Scenario& scenario, const History& history, Figures& figures);

}  // namespace bayplan::timeline
