#pragma once
#include <string>
#include <vector>

#include "study/scenario_change.hpp"

namespace bayplan::study {

/// What a capacity planner would have otherwise: made of whatif's flags, of the scenario's `variants`, or of a grid
/// (load_variants.hpp), everything that they name looked up. First the scenario is changed, then events happen to it
/// once it is placed, then services are deployed. What each does: docs/whatif.md.
struct Variant {
  std::string name;                             ///< "lose-az us-east-2a", or its key in `variants`.
  std::vector<ScenarioChange> changes;          ///< Changes from the start, after which everything is placed again.
  std::vector<placement::InstantEvent> events;  ///< All of one instant; in a run over time they hold from the start.
  /// Only in a run over time: the zones and instances that go, by name, because a run has others than its start. Their
  /// time is that of the variant (`with_variant`).
  std::vector<placement::TimedEvent> timed_events = {};
  std::vector<placement::Deploy> deployments = {};
  placement::Origin origin = {};  ///< Line 0 when the command line says it.
};

/// The variant says nothing.
bool is_empty(const Variant& variant);

}  // namespace bayplan::study
