#pragma once
#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// Lets the scenario run: tasks arrive, start and end, services keep and roll their tasks, instances come and go,
/// groups scale, until nothing more can happen, or `Timetable::until`, or the same happens again and again. What
/// happens at one instant happens in the order of docs/timeline.md. The same scenario gives the same history, which
/// refers to it.
History simulate(const placement::Scenario& scenario);

}  // namespace bayplan::timeline
