#pragma once
#include "study/dry_run/call_trial.hpp"

namespace bayplan::study {

/// Calls that start no tasks themselves: they stop one, or change the cluster, its capacity providers and what else
/// runs tasks.
DryRunResult try_cluster_call(awscli::Request request, const TrialTools& tools);

}  // namespace bayplan::study
