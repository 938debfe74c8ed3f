#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"
#include "cli/options/options.hpp"
#include "importers/definition_file.hpp"
#include "importers/hcl_variables.hpp"
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
  /// Of --var and --var-file, what some module declares.
  std::set<std::string, std::less<>> declared_variables = {};
  bool has_code = false;  ///< Some path is Terraform code.
};

/// Reads `path` ("-" is standard input) as JSON or YAML. An error with its position when the text is neither.
Result<std::shared_ptr<const text::Document>> load_document(const std::string& path, const GlobalOptions& global,
                                                            Streams& io);

/// "This is a scenario: bayplan place scenario.yaml": what a file of bayplan's or of Kubernetes is, and the command
/// that takes it. Empty for others.
std::string command_for(const std::string& path, const text::Document& document);

/// Reads task definitions of any form that users have: plain, as described, a list of them, a bare list of containers,
/// those of a CloudFormation template, of a Terraform plan and of a module of Terraform code. "stack.yaml#Web" is one
/// of a file. A path that is of no use does not stop the others. `parameters`: --param; a value that a template does
/// not allow is an error. So is one of `variables`, --var and --var-file, that Terraform rejects.
LoadedDefinitions load_task_definitions(const std::vector<std::string>& paths,
                                        const importers::ParameterValues& parameters,
                                        const importers::GivenVariables& variables, const GlobalOptions& global,
                                        Streams& io);

/// Errors for what --param gives and no template of these has.
std::vector<Error> find_unused_parameters(const std::vector<const LoadedDefinitions*>& loaded,
                                          const importers::ParameterValues& parameters);

/// Errors for --var and --var-file that no code of these takes.
std::vector<Error> find_unused_variables(const std::vector<const LoadedDefinitions*>& loaded,
                                         const importers::GivenVariables& variables);

/// Takes out the definitions with values that cannot be counted, unknown ones among them; an error at each such value.
std::vector<Error> drop_uncountable(LoadedDefinitions& loaded);

}  // namespace bayplan::cli
