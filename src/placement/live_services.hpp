#pragma once
#include <vector>

#include "placement/described_files.hpp"
#include "placement/live_notes.hpp"

namespace bayplan::placement {

/// How the services of the cluster ask for a place. What of it cannot be read is told, and left out.
void add_services(Loading& loading, LiveNotes& notes, const std::vector<Found<model::DescribedService>>& services);

}  // namespace bayplan::placement
