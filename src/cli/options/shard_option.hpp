#pragma once
#include <string_view>

#include "base/result.hpp"
#include "study/sweep/sweep.hpp"

namespace bayplan::cli {

/// `I/N`, or what an array job says of itself in its environment: `slurm` reads SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP
/// and _COUNT (https://slurm.schedmd.com/job_array.html), `aws-batch` AWS_BATCH_JOB_ARRAY_INDEX and _SIZE
/// (https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html). `environment` may be null.
Result<study::Shard> parse_shard(std::string_view text, const char* (*environment)(const char* name));

}  // namespace bayplan::cli
