#include "importers/terraform_arguments.hpp"

namespace bayplan::importers {
namespace {

/// A plan has the tags of a resource and those of the provider together.
std::string_view name_in_code(std::string_view name) {
  return name == "tags_all" ? "tags" : name;
}

Argument argument_of(const Attribute& attribute) {
  Argument argument{name_in_code(attribute.name), {attribute.member}, attribute.form, attribute.members};
  if (attribute.form == Form::kHostPath) argument.members.push_back("sourcePath");
  return argument;
}

void add_network(std::vector<Argument>& arguments) {
  arguments.push_back(
      {"network_configuration", {"networkConfiguration", "awsvpcConfiguration"}, Form::kBlock, network_attributes()});
}

}  // namespace

std::vector<Argument> arguments_of_block(std::span<const Attribute> attributes) {
  std::vector<Argument> arguments;
  for (const auto& attribute : attributes) arguments.push_back(argument_of(attribute));
  return arguments;
}

std::optional<ResourceArguments> arguments_of_resource(std::string_view type) {
  if (type == "aws_ecs_task_definition") {
    auto arguments = arguments_of_block(task_definition_attributes());
    arguments.push_back({.name = "container_definitions", .members = {"containerDefinitions"}, .is_json = true});
    return ResourceArguments{SubjectKind::kTaskDefinition, std::move(arguments)};
  }
  if (type == "aws_ecs_service") {
    auto arguments = arguments_of_block(service_attributes());
    for (auto& argument : arguments_of_block(deployment_attributes())) {
      argument.members.insert(argument.members.begin(), "deploymentConfiguration");
      arguments.push_back(std::move(argument));
    }
    arguments.push_back({"task_definition", {"taskDefinition"}});
    arguments.push_back({"desired_count", {"desiredCount"}});
    add_network(arguments);
    return ResourceArguments{SubjectKind::kService, std::move(arguments)};
  }
  if (type == "aws_ecs_task_set") {
    auto arguments = arguments_of_block(task_set_attributes());
    arguments.push_back({"task_definition", {"taskDefinition"}});
    add_network(arguments);
    return ResourceArguments{SubjectKind::kTaskSet, std::move(arguments)};
  }
  if (type == "aws_ecs_capacity_provider")
    return ResourceArguments{SubjectKind::kCapacityProvider, arguments_of_block(capacity_provider_attributes())};
  if (type == "aws_ecs_cluster")
    return ResourceArguments{SubjectKind::kCluster, arguments_of_block(cluster_attributes())};
  if (type == "aws_ecs_cluster_capacity_providers")
    return ResourceArguments{SubjectKind::kClusterProviders, arguments_of_block(cluster_providers_attributes())};
  return std::nullopt;
}

}  // namespace bayplan::importers
