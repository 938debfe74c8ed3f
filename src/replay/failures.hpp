#pragma once
#include "replay/judge.hpp"
#include "replay/replay.hpp"
#include "replay/requests.hpp"

namespace bayplan::replay {

/// Notes in `result` whether the simulation fails as ECS did: SERVICE_TASK_PLACEMENT_FAILURE, and the failures in an
/// answer of RunTask. The cluster is as it was at that time.
void judge_failure(const RecordedFailure& failure, const History& history, RecordedCluster& cluster, Requests& requests,
                   ReplayResult& result);
void judge_call_failures(std::uint32_t call, const History& history, RecordedCluster& cluster, Requests& requests,
                         ReplayResult& result);

}  // namespace bayplan::replay
