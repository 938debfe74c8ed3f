#pragma once
#include "fleet/ideal/empty_bins.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/ideal/task_groups.hpp"
#include "fleet/ideal/unchecked_needs.hpp"

namespace bayplan::fleet {

/// Why no bin takes a task of the task group.
Unplaceable unplaceable_group(const EmptyBins& bins, const UncheckedNeeds& needs, const TaskGroup& task_group);

}  // namespace bayplan::fleet
