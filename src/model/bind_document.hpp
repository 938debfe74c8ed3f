#pragma once
#include <vector>

#include "model/task_definition.hpp"
#include "text/document.hpp"

namespace bayplan::model {

/// Every task definition that a document holds: the root, the inner object of a describe answer, each element of a list
/// of these; a bare list of container definitions is one definition without a family. Empty when there is none.
std::vector<TaskDefinition> bind_document(const text::Document& document, const Placeholders& placeholders);

}  // namespace bayplan::model
