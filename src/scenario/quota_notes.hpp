#pragma once
#include "placement/model/scenario.hpp"

namespace bayplan::scenario {

/// Assumes that AWS allows what exceeds a quota of ECS: instances, services and capacity providers of the cluster, and
/// tasks of a service (id ecs-quota-exceeded). Tasks beyond one RunTask call take several (run-task-calls).
void note_quotas(placement::Scenario& scenario);

}  // namespace bayplan::scenario
