#pragma once
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "study/repack/repack.hpp"

namespace bayplan::study {

/// What is wrong with a plan, by the resource accounting of `verify`, which shares no code with the engine: every start
/// and stop is booked in turn. A task where it may not be, a service below minimumHealthyPercent or above
/// maximumPercent at any time, an instance that is terminated with tasks on it, a task that is lost, figures and a
/// saving that do not add up. Empty = nothing. Which of several places a task got is not looked at.
///
/// `baseline`: of the plan's scenario, before the first step. Fills in RepackName::fewest.
std::vector<std::string> check_repack(RepackPlan& plan, const RepackRequest& request,
                                      const placement::Outcome& baseline);

}  // namespace bayplan::study
