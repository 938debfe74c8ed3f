#pragma once
#include <string>
#include <vector>

#include "model/task_definition.hpp"

namespace bayplan::capacity {

/// A value that a task's requirement depends on and that is a placeholder.
struct UnknownMember {
  std::string name;  ///< "memory", "containerDefinitions[web].memory"
  text::Value node;
};

/// Adds `list` if it is a placeholder, else those of its elements that are: each may be any number of elements.
void add_unknown_elements(text::Value list, const std::string& name, std::vector<UnknownMember>& unknown);

/// What `TaskRequirement::unknown` names, with the values themselves.
std::vector<UnknownMember> unknown_members(const model::TaskDefinition& task);

}  // namespace bayplan::capacity
