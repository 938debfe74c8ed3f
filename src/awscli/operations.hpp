#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shape/schema.hpp"

namespace bayplan::awscli {

enum class Verb : std::uint8_t {
  kRegisterTaskDefinition,
  kRunTask,
  kStartTask,
  kStopTask,
  kCreateService,
  kUpdateService,
  kCreateTaskSet,
  kCreateCluster,
  kPutClusterCapacityProviders,
  kCreateCapacityProvider,
  kUpdateCapacityProvider,
  kRegisterDaemonTaskDefinition,
  kCreateDaemon,
  kCreateExpressGatewayService,
};

/// One `aws ecs VERB` that can be tried.
struct Operation {
  Verb verb = Verb::kRunTask;
  std::string_view name;      ///< "run-task"
  std::string_view api_name;  ///< "RunTask"
  const shape::Rule* input = nullptr;
};

/// The calls and their options: the members of the requests, as the schemas have them from the API model.
class Operations {
 public:
  Operations();

  const std::vector<Operation>& all() const { return operations_; }
  const Operation* find(std::string_view name) const;

 private:
  std::vector<std::unique_ptr<const shape::Schema>> schemas_;
  std::vector<Operation> operations_;
};

/// "--enable-ecs-managed-tags" of "enableECSManagedTags" (botocore, xform_name).
std::string option_name(std::string_view member);

}  // namespace bayplan::awscli
