#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "placement/model/outcome.hpp"
#include "study/simulation/cluster_simulation.hpp"
#include "study/whatif/comparison.hpp"

namespace bayplan::study {

/// A placed cluster before the events of a variant and after them, for a page that shows each step.
struct PlayedVariant {
  placement::Outcome outcome;         ///< Before the events.
  std::vector<SimulatedTask> before;  ///< Tasks before the events.
  std::unique_ptr<const ClusterSimulation> cluster;
};

/// Plays the first variant: the only one, or the worst of single failures. Nothing where several variants have no
/// order, where the variant changes the scenario instead of the placed cluster, deploys, or is about more tasks than a
/// page holds.
std::optional<PlayedVariant> play_first_variant(const placement::Scenario& scenario, const Comparison& comparison);

}  // namespace bayplan::study
