#pragma once
#include <vector>

#include "placement/described_files.hpp"
#include "placement/live_notes.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// Marks the running tasks of daemon services, and notes the ACTIVE, connected instances on which such a service should
/// have a task and has none.
void note_daemons(Scenario& scenario, LiveNotes& notes, const std::vector<Found<model::DescribedService>>& services);

}  // namespace bayplan::placement
