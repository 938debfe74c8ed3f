#pragma once
#include "timeline/figures.hpp"

namespace bayplan::timeline {

/// Fills `Figures::held_drains`.
void find_held_drains(const placement::Scenario& scenario, const History& history, Figures& figures);

}  // namespace bayplan::timeline
