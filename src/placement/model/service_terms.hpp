#pragma once
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Whether no task of the service is ever placed on container instances of EC2: it has another launch type, or all its
/// capacity providers are those of Fargate.
bool runs_elsewhere(const RunningService& service);

/// Makes the workload's tasks go where those of the service go. The constraints of its task definition are there
/// already; those of the service come behind them.
void take_terms(const RunningService& service, Workload& workload);

}  // namespace bayplan::placement
