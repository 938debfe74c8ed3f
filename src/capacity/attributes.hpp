#pragma once
#include <string>
#include <vector>

#include "model/task_definition.hpp"

namespace bayplan::capacity {

/// Attributes that an instance needs to run the task: `requiresAttributes` where describe output lists them, else what
/// the definition's members imply. Sorted, unique. The Docker API versions that the service adds are left out: every
/// agent in use offers them.
std::vector<std::string> required_attributes(const model::TaskDefinition& task);

}  // namespace bayplan::capacity
