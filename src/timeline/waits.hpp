#pragma once
#include "timeline/figures.hpp"

namespace bayplan::timeline {

/// Fills `Figures::all` and `Figures::names`.
void measure_waits(const placement::Scenario& scenario, const History& history, Figures& figures);

/// Fills `Figures::cut_off` and `Figures::gpu_cut_off`.
void measure_cut_off(const placement::Scenario& scenario, const History& history, Figures& figures);

}  // namespace bayplan::timeline
