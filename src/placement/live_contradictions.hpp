#pragma once
#include <string>

#include "placement/described_files.hpp"
#include "placement/live_notes.hpp"
#include "placement/loading.hpp"

namespace bayplan::placement {

/// Notes what the answers about a live cluster leave out or say against each other: instances and tasks that are
/// counted or listed and not described, services below what they want, failures, files of no use, and several types
/// under a provider that scales.
void note_contradictions(const Loading& loading, LiveNotes& notes, const DescribedFiles& files,
                         const std::string& cluster);

}  // namespace bayplan::placement
