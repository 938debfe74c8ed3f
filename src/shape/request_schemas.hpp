#pragma once
#include "shape/schema.hpp"

namespace bayplan::shape {

/// The embedded schemas of what the AWS CLI sends: the one source of what ECS calls by these names.
Schema task_definition_schema();    ///< schemas/task-definition.schema.json
Schema service_schema();            ///< schemas/service.schema.json; of update-service under UpdateServiceRequest.
Schema capacity_provider_schema();  ///< schemas/capacity-provider.schema.json
Schema run_task_schema();           ///< schemas/run-task.schema.json; of start-task under StartTaskRequest.

}  // namespace bayplan::shape
