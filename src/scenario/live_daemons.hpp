#pragma once
#include <vector>

#include "placement/model/scenario.hpp"
#include "scenario/described_files.hpp"
#include "scenario/live_notes.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// Marks the running tasks of daemon services, and notes the ACTIVE, connected instances on which such a service should
/// have a task and has none.
void note_daemons(Scenario& scenario, LiveNotes& notes,
                  const std::vector<WithOrigin<model::DescribedService>>& services);

}  // namespace bayplan::scenario
