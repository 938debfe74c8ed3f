#pragma once
#include <string>
#include <vector>

#include "report/place/cluster_picture.hpp"
#include "report/whatif/whatif_report.hpp"

namespace bayplan::report {

/// A cluster from before the events of a variant to after them, for a page that plays it.
struct ClusterSteps {
  ClusterPicture picture;          ///< Its times are steps.
  std::vector<std::string> words;  ///< What each step does, from 0 on.
};

/// Refers to the variant that the report plays.
ClusterSteps make_cluster_steps(const WhatIfReport& report);

}  // namespace bayplan::report
