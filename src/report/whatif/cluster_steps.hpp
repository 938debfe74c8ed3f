#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/place/cluster_picture.hpp"
#include "study/whatif/comparison.hpp"

namespace bayplan::report {

/// A cluster from before the events of a variant to after them, for a page that plays it.
struct ClusterSteps {
  std::unique_ptr<const placement::Scenario> scenario;  ///< Whose profiles the picture has.
  ClusterPicture picture;                               ///< Its times are steps.
  std::vector<std::string> words;                       ///< What each step does, from 0 on.
};

/// Nothing where the variant changes the scenario instead of the placed cluster, deploys, or is about more tasks than a
/// page holds.
std::optional<ClusterSteps> make_cluster_steps(const placement::Scenario& scenario,
                                               const study::ComparedVariant& variant);

}  // namespace bayplan::report
