#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::importers {

/// A resource of a plan or state, with what other parts of the text say of it.
struct TerraformResource {
  std::string address;                   ///< "module.app[0].aws_ecs_service.web["blue"]"
  std::string plain_address;             ///< The address without counts and keys: "module.app.aws_ecs_service.web".
  std::string_view type;                 ///< "aws_ecs_service"
  std::string index;                     ///< Index or key from count or for_each; empty without one.
  text::Value values;                    ///< The attributes.
  text::Value unknown;                   ///< `after_unknown` of a plan: true where a value is known only after apply.
  text::Value expressions;               ///< What the configuration sets; absent when the text does not hold it.
  std::vector<std::string> definitions;  ///< The task definitions that `task_definition` refers to (`is_meant`).
  /// Other resources that it refers to, by attribute (`is_meant`).
  std::map<std::string_view, std::vector<std::string>> references;
  bool is_deployed = false;     ///< ECS holds it as it is: a state, or a plan that does not touch it.
  text::Value unknown_count{};  ///< Of code: what decides how many there are, if that is unknown.

  /// Whether the configuration may set the attribute; true when the text does not say.
  bool may_set(std::string_view attribute) const;
};

/// A resource of Amazon ECS, or one of another service that starts tasks.
bool is_ecs_resource(std::string_view type);

/// The attribute or block of a resource that services refer to which rules compare with the service: "target_type" of a
/// target group. Empty for other types. Code alone is read for them.
std::string_view compared_attribute(std::string_view type);

/// The resources of Amazon ECS that a plan creates or keeps, or that a state holds: `terraform show -json` of a plan or
/// a state, or a state file of version 4. In text order. So are those of
/// other services that start tasks, and in code those that services refer to (`compared_attribute`).
std::vector<TerraformResource> ecs_resources(text::Value root);

/// Reads the resources that make container instances, with their references.
std::vector<TerraformResource> cluster_resources(text::Value root);
bool is_cluster_resource(std::string_view type);

/// Member of a resource of code that says that its number is unknown (`TerraformResource::unknown_count`).
inline constexpr std::string_view kUnknownCount = "count";

/// Whether the text is Terraform code, where unknown values are placeholders in their places.
bool is_of_code(text::Value value);

/// The resources that the unknown parts of a value of code refer to, each once, with the indices that are written:
/// "aws_subnet.private[0].id" is "aws_subnet.private[0]".
std::vector<std::string> resources_in_code(text::Value value);

/// Whether a reference means the resource. An index of the reference must be that of the resource; a reference without
/// one means all of a count or for_each, as "[*]" does. Quotes around keys may be missing on either side.
bool is_meant(std::string_view reference, const TerraformResource& resource);

/// "module.app[0].x.y" without what is in brackets.
std::string without_indices(std::string_view address);

}  // namespace bayplan::importers
