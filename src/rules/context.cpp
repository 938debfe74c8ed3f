#include "rules/context.hpp"

#include <algorithm>

#include "base/ascii.hpp"

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
    case FileKind::kTemplate:
      return "template";
    case FileKind::kJsonnet:
      return "jsonnet";
    case FileKind::kJson5:
      return "json5";
    case FileKind::kCapacityProvider:
      return "capacity-provider";
    case FileKind::kCluster:
      return "cluster";
    case FileKind::kClusterProviders:
      return "cluster-capacity-providers";
    case FileKind::kTaskSet:
      return "task-set";
    case FileKind::kDaemon:
      return "daemon";
    case FileKind::kDaemonTaskDefinition:
      return "daemon-task-definition";
    case FileKind::kExpressService:
      return "express-gateway-service";
    case FileKind::kUnrecognized:
      return "unrecognized";
  }
  return "unrecognized";
}

std::string_view input_called(FileKind kind) {
  switch (kind) {
    case FileKind::kService:
      return "the input of create-service";
    case FileKind::kRunTask:
      return "the input of run-task";
    case FileKind::kCapacityProvider:
      return "a capacity provider";
    case FileKind::kCluster:
      return "a cluster";
    case FileKind::kClusterProviders:
      return "the input of put-cluster-capacity-providers";
    case FileKind::kTaskSet:
      return "a task set";
    case FileKind::kDaemon:
      return "a daemon";
    case FileKind::kDaemonTaskDefinition:
      return "a daemon task definition";
    case FileKind::kExpressService:
      return "an Express service";
    default:
      return "a task definition";
  }
}

const importers::ResourceFact* find_fact(std::span<const importers::ResourceFact> facts, text::Value value,
                                         std::string_view property) {
  if (!value) return nullptr;
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const importers::ResourceFact& fact) {
    return fact.node == value.index() && fact.property == property;
  });
  return found == facts.end() ? nullptr : &*found;
}

bool Deployment::assigns(std::string_view pointer) const {
  return assigned_keys.contains(pointer) || assigned_keys.contains(pointer.substr(pointer.rfind('/') + 1));
}

bool Deployment::replaces_around(std::string_view pointer) const {
  for (std::size_t begin = 0, end = pointer.find('/', 1); end < pointer.size(); end = pointer.find('/', end + 1)) {
    if (assigned_keys.contains(pointer.substr(0, end + 1))) return true;
    if (assigned_keys.contains(pointer.substr(begin + 1, end - begin))) return true;
    begin = end;
  }
  return false;
}

bool is_for_ecspresso(DeployClient client, std::string_view file, std::string_view source) {
  if (client == DeployClient::kEcspresso) return true;
  if (client != DeployClient::kAny) return false;
  const std::string_view name = file.substr(file.rfind('/') + 1);
  for (const std::string_view stem : {"ecs-task-def", "ecs-service-def"}) {
    const bool has_stem = name.starts_with(stem) && name.size() > stem.size();
    if (has_stem && !is_letter(name[stem.size()])) return true;  // ecs-task-definition.json is anybody's
  }
  return source.find("{{ must_env `") != source.npos || source.find("{{ tfstate `") != source.npos;
}

std::string_view dropped_words(const Context& ctx, text::Value member) {
  return is_dropped_by_terraform(ctx, member) ? "; Terraform drops this key" : "";
}

bool is_dropped_by_terraform(const Context& ctx, text::Value member) {
  const auto client = ctx.client;
  if (ctx.kind == FileKind::kContainerDefinitions) {
    const bool is_template = ctx.file.ends_with(".tpl") || ctx.file.ends_with(".tftpl");
    const bool is_for_terraform = ctx.is_container_list() || is_template;
    return client == DeployClient::kTerraform || (client == DeployClient::kAny && is_for_terraform);
  }
  return client == DeployClient::kTerraform && member.pointer().starts_with("/containerDefinitions/");
}

}  // namespace bayplan::rules
