#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "importers/subject_builder.hpp"
#include "importers/terraform_resources.hpp"

namespace bayplan::importers {

/// How an attribute of the AWS provider becomes a member of ECS's input. What is null, "", [] or {} is not set.
enum class Form : std::uint8_t {
  kScalar,
  kAmount,       ///< A number of which 0 means not set.
  kComputed,     ///< A scalar that the provider fills in when the configuration does not set it: then it is not sent.
  kPublicIp,     ///< true -> "ENABLED".
  kScalars,      ///< A list of scalars.
  kBlock,        ///< A list of one block -> an object.
  kBlocks,       ///< A list of blocks -> a list of objects.
  kMap,          ///< Keys of the user's own.
  kNamedValues,  ///< A map -> a list of name and value.
  kTags,         ///< A map -> a list of key and value.
  kHostPath,     ///< A path -> {"sourcePath": path}.
};

struct Attribute {
  std::string_view name;    ///< The name in Terraform.
  std::string_view member;  ///< The name in ECS.
  Form form = Form::kScalar;
  std::span<const Attribute> members = {};  ///< Members of a block.
};

/// Attributes of aws_ecs_task_definition, but for container_definitions; and of aws_ecs_service, but for those that
/// make its deploymentConfiguration. Source: the provider's resource schemas, internal/service/ecs (task_definition.go,
/// service.go) and their pages in its registry, 2026-11.
std::span<const Attribute> task_definition_attributes();
std::span<const Attribute> service_attributes();
/// Those of aws_ecs_capacity_provider, aws_ecs_cluster, aws_ecs_cluster_capacity_providers and aws_ecs_task_set
/// (capacity_provider.go, cluster.go, cluster_capacity_providers.go, task_set.go).
std::span<const Attribute> capacity_provider_attributes();
std::span<const Attribute> cluster_attributes();
std::span<const Attribute> cluster_providers_attributes();
std::span<const Attribute> task_set_attributes();
/// Of the block ecs_target of aws_cloudwatch_event_target, and ecs_parameters of aws_scheduler_schedule
/// (internal/service/events/target.go, internal/service/scheduler/schedule.go, 2026-11), but for network_configuration
/// and task_definition_arn.
std::span<const Attribute> run_task_attributes();
/// Flat in Terraform, members of deploymentConfiguration in ECS.
std::span<const Attribute> deployment_attributes();

/// The block network_configuration of a service or task set, which is awsvpcConfiguration in ECS.
std::span<const Attribute> network_attributes();

/// What a plan does not know yet, as rules quote it.
constexpr std::string_view kKnownAfterApply = "(known after apply)";

/// Derives members from the attributes of one resource.
class AttributeReader {
 public:
  AttributeReader(const TerraformResource& resource, SubjectBuilder& builder)
      : resource_(resource), builder_(builder) {}

  /// Members of an object, from those of `values` that are set. `unknown` is the same part of `after_unknown`.
  void members(std::span<const Attribute> attributes, text::Value values, text::Value unknown);
  void member(const Attribute& attribute, text::Value values, text::Value unknown);
  /// Whether one of the attributes is set or unknown.
  static bool any(std::span<const Attribute> attributes, text::Value values, text::Value unknown);

 private:
  void value(const Attribute& attribute, text::Value value, text::Value unknown);
  void scalar(text::Value value, text::Value unknown);
  void scalars(text::Value list, text::Value unknown);
  void block(std::span<const Attribute> attributes, text::Value object, text::Value unknown);
  void blocks(std::span<const Attribute> attributes, text::Value list, text::Value unknown);
  void map(text::Value object, text::Value unknown);
  void pairs(text::Value object, text::Value unknown, std::string_view name, std::string_view value);

  const TerraformResource& resource_;
  SubjectBuilder& builder_;
};

/// `after_unknown` says so of the whole value.
bool is_unknown(text::Value unknown);

/// null, "", [], {} or absent: Terraform writes these for what is not set.
bool is_unset(text::Value value);

}  // namespace bayplan::importers
