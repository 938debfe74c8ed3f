#pragma once
#include "study/repack/repack_candidates.hpp"

namespace bayplan::study {

struct WeightLimit {
  std::int64_t weight = 0;     ///< No plan saves more.
  std::int64_t instances = 0;  ///< Nor removes more than this many.
  std::string binds;           ///< "GPU", "PORTS", "distinctInstance"; empty where only instances that cannot go do.
};

/// Limit of all plans, whatever they drain in which order: the remaining instances must have room for the tasks of
/// services, each resource by itself, tasks cut into parts; and there must be as many as tasks that cannot share one.
WeightLimit find_limit(const ClusterSimulation& cluster, const RepackCandidates& candidates);

}  // namespace bayplan::study
