#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "importers/subject.hpp"
#include "importers/terraform_attributes.hpp"

namespace bayplan::importers {

/// An argument or a type of block of a resource, as code has it.
struct Argument {
  std::string_view name;                  ///< "network_configuration"
  std::vector<std::string_view> members;  ///< Path to the member of ECS that it becomes.
  Form form = Form::kScalar;
  std::span<const Attribute> inner = {};  ///< Arguments of a block.
  bool is_json = false;                   ///< `container_definitions`: inside, keys are those of ECS.

  bool is_block() const { return form == Form::kBlock || form == Form::kBlocks; }
};

/// What code may write in a resource of ECS, and what it becomes. Nothing for other types of resources.
struct ResourceArguments {
  SubjectKind kind;
  std::vector<Argument> arguments;
};
std::optional<ResourceArguments> arguments_of_resource(std::string_view type);

/// The arguments of a block.
std::vector<Argument> arguments_of_block(std::span<const Attribute> attributes);

}  // namespace bayplan::importers
