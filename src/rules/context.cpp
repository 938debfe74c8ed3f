#include "rules/context.hpp"

namespace bayplan::rules {

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::kTaskDefinition:
      return "task-definition";
    case FileKind::kContainerDefinitions:
      return "container-definitions";
    case FileKind::kDescribe:
      return "describe";
    case FileKind::kCloudFormation:
      return "cloudformation";
    case FileKind::kTerraform:
      return "terraform";
    case FileKind::kCdk:
      return "cdk";
    case FileKind::kService:
      return "service";
    case FileKind::kRunTask:
      return "run-task";
    case FileKind::kCompose:
      return "compose";
    case FileKind::kUnrecognized:
      return "unrecognized";
  }
  return "unrecognized";
}

bool is_dropped_by_terraform(const Context& ctx, text::Value member) {
  const auto client = ctx.options.deploy_with;
  if (ctx.is_container_list()) {
    return client == DeployClient::kTerraform || client == DeployClient::kAny;
  }
  return client == DeployClient::kTerraform && member.pointer().starts_with("/containerDefinitions/");
}

}  // namespace bayplan::rules
