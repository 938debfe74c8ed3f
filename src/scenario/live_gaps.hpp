#pragma once
#include <string>

#include "scenario/described_files.hpp"
#include "scenario/live_notes.hpp"
#include "scenario/loading.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// Refuses a snapshot of which parts are missing: calls that failed when it was collected, and container instances,
/// services, tasks and task definitions that its own lists and counts name and that no answer describes. Each is an
/// error at the place of the list or count. With Loading::allows_partial failed calls are noted in place of that, and
/// what is missing is left to the other notes. A manifest of another cluster is an error in any case.
void check_gaps(Loading& loading, LiveNotes& notes, const DescribedFiles& files, const std::string& cluster);

}  // namespace bayplan::scenario
