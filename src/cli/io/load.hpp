#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"
#include "cli/options/options.hpp"
#include "importers/definition_file.hpp"
#include "importers/parameter_use.hpp"
#include "text/document.hpp"

namespace bayplan::cli {

/// One task definition of a file.
struct LoadedDefinition {
  std::string reference;  ///< The name that the user gave: "web.json", "stack.yaml#Web".
  std::size_t file = 0;   ///< Index into LoadedDefinitions::files.
  importers::FileDefinition definition;
};

struct LoadedDefinitions {
  std::vector<importers::DefinitionFile> files;  ///< Listed in the order of the paths, each path once.
  std::vector<LoadedDefinition> definitions;     ///< Listed in the order of the paths and of their texts.
  std::vector<Error> errors;                     ///< For each path that cannot be read or has no task definition.
  importers::ParameterUse parameter_use;         ///< What its templates make of --param.
};

/// Reads `path` ("-" is standard input) as JSON or YAML. An error with its position when the text is neither.
Result<std::shared_ptr<const text::Document>> load_document(const std::string& path, const GlobalOptions& global,
                                                            Streams& io);

/// "This is a scenario: bayplan place scenario.yaml": what a file of bayplan's or of Kubernetes is, and the command
/// that takes it. Empty for others.
std::string command_for(const std::string& path, const text::Document& document);

/// Reads task definitions of any form that users have: plain, as described, a list of them, a bare list of containers,
/// those of a CloudFormation template and of a Terraform plan. "stack.yaml#Web" is one of a file. A path that is of no
/// use does not stop the others. `parameters`: --param; a value that a template does not allow is an error.
LoadedDefinitions load_task_definitions(const std::vector<std::string>& paths,
                                        const importers::ParameterValues& parameters, const GlobalOptions& global,
                                        Streams& io);

/// Errors for what --param gives and no template of these has.
std::vector<Error> find_unused_parameters(const std::vector<const LoadedDefinitions*>& loaded,
                                          const importers::ParameterValues& parameters);

/// Takes out the definitions with values that cannot be counted, unknown ones among them; an error at each such value.
std::vector<Error> drop_uncountable(LoadedDefinitions& loaded);

}  // namespace bayplan::cli
