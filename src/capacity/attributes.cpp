#include "capacity/attributes.hpp"

#include <set>

#include "base/strings.hpp"

namespace bayplan::capacity {

using model::ContainerDefinition;
using model::TaskDefinition;
using text::Value;

// Names are those the ECS agent registers (amazon-ecs-agent, agent/app/agent_capability.go, 2026-06). Which members
// imply which of them was checked against 100 definitions as the service described them.
// `ecs.capability.task-cpu-mem-limit` is in none of the 93 with task-level sizes, so task-level sizes require nothing.

namespace {

using Names = std::set<std::string>;

bool present(Value object, std::string_view key) {
  const Value value = object ? object.find(key) : Value();
  return value && !value.is_null() && (value.size() > 0 || !value.text().empty());
}

bool is_ecr_image(const ContainerDefinition& container) {
  return container.image && container.image->find(".dkr.ecr.") != std::string_view::npos;
}

void of_secrets(const std::vector<model::NamedValue>& secrets, std::string_view use, Names& names) {
  for (const auto& secret : secrets) {
    if (!secret.value) continue;
    const bool manager = secret.value->find(":secretsmanager:") != std::string_view::npos;
    names.insert("ecs.capability.secrets." + std::string(manager ? "asm" : "ssm") + "." + std::string(use));
  }
}

void of_logging(const ContainerDefinition& container, bool has_execution_role, Names& names) {
  if (!container.log_configuration || !container.log_configuration->log_driver) return;
  const std::string driver(*container.log_configuration->log_driver);
  names.insert("com.amazonaws.ecs.capability.logging-driver." + driver);
  if (driver == "awslogs" && has_execution_role) names.insert("ecs.capability.execution-role-awslogs");
  of_secrets(container.log_configuration->secret_options, "bootstrap.log-driver", names);
}

void of_firelens(Value firelens, Names& names) {
  if (!firelens || !firelens.is_object()) return;
  if (const Value type = firelens.find("type")) names.insert("ecs.capability.firelens." + std::string(type.text()));
  const Value options = firelens.find("options");
  const Value config = options ? options.find("config-file-type") : Value();
  if (config) names.insert("ecs.capability.firelens.options.config." + std::string(config.text()));
}

void of_container(const ContainerDefinition& container, bool has_execution_role, Names& names) {
  if (is_ecr_image(container)) {
    names.insert("com.amazonaws.ecs.capability.ecr-auth");
    if (has_execution_role) names.insert("ecs.capability.execution-role-ecr-pull");
  }
  of_logging(container, has_execution_role, names);
  of_secrets(container.secrets.items, "environment-variables", names);
  of_firelens(container.node.find("firelensConfiguration"), names);
  if (container.privileged.value.value_or(false)) names.insert("com.amazonaws.ecs.capability.privileged-container");
  if (present(container.node, "repositoryCredentials")) {
    names.insert("ecs.capability.private-registry-authentication.secretsmanager");
  }
  if (present(container.health_check, "command")) names.insert("ecs.capability.container-health-check");
  if (!container.depends_on.empty()) names.insert("ecs.capability.container-ordering");
  if (present(container.node, "environmentFiles")) names.insert("ecs.capability.env-files.s3");
  for (const auto& mapping : container.port_mappings) {
    if (mapping.container_port_range.present()) names.insert("ecs.capability.network.container-port-range");
  }
  for (const auto& requirement : container.resource_requirements) {
    if (requirement.nvidia_mps) names.insert("ecs.capability.gpu-sharing-mps");
  }
  const Value restart = container.node.find("restartPolicy");
  const Value enabled = restart ? restart.find("enabled") : Value();
  if (enabled && enabled.boolean().value_or(false)) names.insert("ecs.capability.container-restart-policy");
}

void of_volume(Value volume, Names& names) {
  const Value efs = volume.find("efsVolumeConfiguration");
  if (efs && efs.is_object()) {
    names.insert("ecs.capability.efs");
    if (present(efs, "authorizationConfig")) names.insert("ecs.capability.efsAuth");
  }
  if (present(volume, "fsxWindowsFileServerVolumeConfiguration")) names.insert("ecs.capability.fsxWindowsFileServer");
  const Value docker = volume.find("dockerVolumeConfiguration");
  const Value driver = docker ? docker.find("driver") : Value();
  if (driver && driver.is_string() && driver.text() != "local") {
    names.insert("ecs.capability.docker-plugin." + std::string(driver.text()));
  }
}

Names implied_by(const TaskDefinition& task) {
  // The agent registers this one only where it can run tasks above 10 vCPU (ECS guide, task_definition_parameters).
  constexpr CpuUnits kPlainTaskCpuLimit = 10'240;
  Names names;
  const auto mode = task.effective_network_mode();
  if (mode == "awsvpc") names.insert("ecs.capability.task-eni");
  if (task.task_role_arn.present()) {
    names.insert(mode == "host" ? "com.amazonaws.ecs.capability.task-iam-role-network-host"
                                : "com.amazonaws.ecs.capability.task-iam-role");
  }
  if (task.pid_mode || task.ipc_mode) names.insert("ecs.capability.pid-ipc-namespace-sharing");
  if (task.cpu_units().value_or(0) > kPlainTaskCpuLimit) names.insert("ecs.capability.increased-task-cpu-limit");
  if (present(task.node, "proxyConfiguration")) names.insert("ecs.capability.aws-appmesh");
  for (const auto& volume : task.volumes) of_volume(volume.node, names);
  for (const auto& container : task.container_definitions) {
    of_container(container, task.execution_role_arn.present(), names);
  }
  return names;
}

}  // namespace

std::vector<std::string> required_attributes(const TaskDefinition& task) {
  Names names;
  if (task.requires_attributes.present()) {
    for (const auto& name : task.requires_attributes) {
      if (name && name->find(".docker-remote-api.") == std::string_view::npos) names.emplace(*name);
    }
  } else {
    names = implied_by(task);
  }
  return {names.begin(), names.end()};
}

}  // namespace bayplan::capacity
