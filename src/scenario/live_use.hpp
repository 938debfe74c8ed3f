#pragma once
#include <vector>

#include "scenario/described_files.hpp"
#include "scenario/live_notes.hpp"
#include "scenario/loading.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// A described instance that has become one of the scenario's.
struct LiveInstance {
  const model::DescribedInstance* described = nullptr;
  std::uint32_t index = 0;                         ///< Index into Scenario::instances.
  std::vector<const model::DescribedTask*> tasks;  ///< That have not stopped.
};

/// What is taken of the instance: as ECS says what remains, else what its tasks reserve. Appends its tasks to
/// Scenario::running. What does not agree is noted.
InstanceUse use_of(Loading& loading, LiveNotes& notes, const LiveInstance& instance);

}  // namespace bayplan::scenario
