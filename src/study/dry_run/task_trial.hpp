#pragma once
#include "study/dry_run/call_trial.hpp"

namespace bayplan::study {

/// Calls that start tasks: RunTask, StartTask, CreateService, UpdateService.
DryRunResult try_task_call(awscli::Request request, const TrialTools& tools);

}  // namespace bayplan::study
