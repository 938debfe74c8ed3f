#pragma once
#include <vector>

#include "placement/loading.hpp"

namespace bayplan::placement {

/// Every instance, zone and task that an event names can be there at its time. What depends on the run itself (a task
/// that has not arrived, an instance that a group has not launched) is told by the run.
/// `named`: by event, where the name stands; absent for those that name nothing.
void check_subjects(Loading& loading, const std::vector<text::Value>& named);

}  // namespace bayplan::placement
