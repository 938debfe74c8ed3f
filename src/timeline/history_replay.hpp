#pragma once
#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"
#include "timeline/run_figures.hpp"

namespace bayplan::timeline {

/// The figures that follow from one pass through the log: levels, idle instances, groups with more than they need,
/// tasks that wait.
Figures replay_history(const placement::Scenario& scenario, const History& history);

}  // namespace bayplan::timeline
