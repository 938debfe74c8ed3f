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

}  // namespace bayplan::rules
