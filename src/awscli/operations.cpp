#include "awscli/operations.hpp"

#include "base/ascii.hpp"
#include "shape/request_schemas.hpp"

namespace bayplan::awscli {
Operations::Operations() {
  const auto keep = [&](shape::Schema schema) -> const shape::Schema& {
    return *schemas_.emplace_back(std::make_unique<const shape::Schema>(std::move(schema)));
  };
  const auto& definition = keep(shape::task_definition_schema());
  const auto& run = keep(shape::run_task_schema());
  const auto& service = keep(shape::service_schema());
  const auto& provider = keep(shape::capacity_provider_schema());
  operations_ = {
      {Verb::kRegisterTaskDefinition, "register-task-definition", "RegisterTaskDefinition", &definition.root()},
      {Verb::kRunTask, "run-task", "RunTask", &run.root()},
      {Verb::kStartTask, "start-task", "StartTask", run.definition("StartTaskRequest")},
      {Verb::kStopTask, "stop-task", "StopTask", run.definition("StopTaskRequest")},
      {Verb::kCreateService, "create-service", "CreateService", &service.root()},
      {Verb::kUpdateService, "update-service", "UpdateService", service.definition("UpdateServiceRequest")},
      {Verb::kCreateTaskSet, "create-task-set", "CreateTaskSet", &keep(shape::task_set_schema()).root()},
      {Verb::kCreateCluster, "create-cluster", "CreateCluster", &keep(shape::cluster_schema()).root()},
      {Verb::kPutClusterCapacityProviders, "put-cluster-capacity-providers", "PutClusterCapacityProviders",
       &keep(shape::cluster_providers_schema()).root()},
      {Verb::kCreateCapacityProvider, "create-capacity-provider", "CreateCapacityProvider", &provider.root()},
      {Verb::kUpdateCapacityProvider, "update-capacity-provider", "UpdateCapacityProvider",
       provider.definition("UpdateCapacityProviderRequest")},
      {Verb::kRegisterDaemonTaskDefinition, "register-daemon-task-definition", "RegisterDaemonTaskDefinition",
       &keep(shape::daemon_task_definition_schema()).root()},
      {Verb::kCreateDaemon, "create-daemon", "CreateDaemon", &keep(shape::daemon_schema()).root()},
      {Verb::kCreateExpressGatewayService, "create-express-gateway-service", "CreateExpressGatewayService",
       &keep(shape::express_service_schema()).root()},
  };
}

const Operation* Operations::find(std::string_view name) const {
  for (const auto& operation : operations_) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

std::string option_name(std::string_view member) {
  std::string name = "--";
  for (std::size_t i = 0; i < member.size(); ++i) {
    const char c = member[i];
    const bool begins_word =
        is_upper(c) && i > 0 && (!is_upper(member[i - 1]) || (i + 1 < member.size() && is_lower(member[i + 1])));
    if (begins_word) name += '-';
    name += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

}  // namespace bayplan::awscli
