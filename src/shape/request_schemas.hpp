#pragma once
#include "base/lazy.hpp"
#include "shape/schema.hpp"

namespace bayplan::shape {

/// The embedded schemas of what the AWS CLI sends: the one source of what ECS calls by these names.
Schema task_definition_schema();         ///< schemas/task-definition.schema.json
Schema service_schema();                 ///< schemas/service.schema.json; of update-service under UpdateServiceRequest.
Schema capacity_provider_schema();       ///< schemas/capacity-provider.schema.json
Schema run_task_schema();                ///< schemas/run-task.schema.json; of start-task under StartTaskRequest.
Schema cluster_schema();                 ///< schemas/create-cluster.schema.json
Schema cluster_providers_schema();       ///< schemas/put-cluster-capacity-providers.schema.json
Schema task_set_schema();                ///< schemas/create-task-set.schema.json
Schema daemon_schema();                  ///< schemas/create-daemon.schema.json
Schema daemon_task_definition_schema();  ///< schemas/register-daemon-task-definition.schema.json
Schema express_service_schema();         ///< schemas/create-express-gateway-service.schema.json

/// All of them, each loaded when it is first asked for. Safe to use from several threads.
struct RequestSchemas {
  Lazy<Schema> task_definition{task_definition_schema};
  Lazy<Schema> service{service_schema};
  Lazy<Schema> capacity_provider{capacity_provider_schema};
  Lazy<Schema> run_task{run_task_schema};
  Lazy<Schema> cluster{cluster_schema};
  Lazy<Schema> cluster_providers{cluster_providers_schema};
  Lazy<Schema> task_set{task_set_schema};
  Lazy<Schema> daemon{daemon_schema};
  Lazy<Schema> daemon_task_definition{daemon_task_definition_schema};
  Lazy<Schema> express_service{express_service_schema};
};

}  // namespace bayplan::shape
