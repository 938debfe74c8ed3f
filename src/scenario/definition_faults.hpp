#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "importers/definition_file.hpp"

namespace bayplan::scenario {

/// A value of a definition that fit and placement need and cannot use.
struct DefinitionFault {
  text::Value at;
  std::string message;
  std::string help;
};

/// Sizes, GPUs, containers, ports and the network mode where they are unknown until the file is filled in or deployed.
/// `name`: what messages call the definition.
std::vector<DefinitionFault> find_unknown_values(const importers::DefinitionFile& file,
                                                 const importers::FileDefinition& definition, const std::string& name);

/// Sizes that are not an amount.
std::vector<DefinitionFault> find_uncountable_sizes(const importers::FileDefinition& definition);

/// Both, by position.
std::vector<DefinitionFault> find_definition_faults(const importers::DefinitionFile& file,
                                                    const importers::FileDefinition& definition,
                                                    const std::string& name);

/// The fault of a value of a template or plan that is unknown. `what`: "Memory of task definition 'Web'".
DefinitionFault unknown_in_template(const importers::DefinitionFile& file, text::Value value, std::string_view what);

/// "containerDefinitions[web].memory" in the keys of the file. Terraform's containers are JSON of ECS in a string.
std::string spelled_path(std::string_view path, importers::DefinitionForm form);

}  // namespace bayplan::scenario
