#pragma once
#include "shape/schema.hpp"

namespace bayplan::shape {

/// schemas/task-definition.schema.json, embedded: the one source of what ECS calls a task definition.
Schema task_definition_schema();

}  // namespace bayplan::shape
