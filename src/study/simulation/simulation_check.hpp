#pragma once
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "study/simulation/cluster_simulation.hpp"

namespace bayplan::study {

/// What is wrong with a cluster after events that were explained, by the resource accounting of `verify`, which shares
/// no code with the engine: a task on an instance that is gone or may not have it, resources, ports or GPUs given
/// twice, a task without a place for which there is one, figures that do not add up. Empty = nothing. Looks at every
/// task and instance. Which of several places a task got is not looked at.
///
/// `baseline`: the outcome that the cluster was made of.
std::vector<std::string> find_mismatches(const ClusterSimulation& cluster, const placement::Outcome& baseline);

}  // namespace bayplan::study
