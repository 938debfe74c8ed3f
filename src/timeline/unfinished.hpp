#pragma once
#include "timeline/figures.hpp"

namespace bayplan::timeline {

/// Fills `Figures::unfinished`.
void find_unfinished(const placement::Scenario& scenario, const History& history, Figures& figures);

}  // namespace bayplan::timeline
