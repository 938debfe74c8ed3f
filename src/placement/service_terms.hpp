#pragma once
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// Makes the workload's tasks go where those of the service go. The constraints of its task definition are there
/// already; those of the service come behind them.
void take_terms(const RunningService& service, Workload& workload);

}  // namespace bayplan::placement
