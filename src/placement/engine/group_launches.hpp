#pragma once
#include "placement/model/scenario.hpp"
#include "placement/model/timetable.hpp"

namespace bayplan::placement {

/// Whether an empty instance of one of the group's types, in one of its zones, takes a task of the workload.
bool can_launch_for(const Scenario& scenario, const InstanceGroup& group, const Workload& workload);

}  // namespace bayplan::placement
