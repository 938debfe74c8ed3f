#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"
#include "cli/options/options.hpp"
#include "model/placeholder.hpp"
#include "model/task_definition.hpp"
#include "text/document.hpp"

namespace bayplan::cli {

/// One task definition of a file. Views a document of its LoadedDefinitions.
struct LoadedDefinition {
  std::string file;  ///< The name that the user gave.
  model::TaskDefinition task;
};

struct LoadedFile {
  std::string path;
  std::shared_ptr<const text::Document> document;
};

struct LoadedDefinitions {
  std::vector<LoadedFile> files;              ///< Listed in the order of the paths.
  std::vector<LoadedDefinition> definitions;  ///< Listed in the order of the files and of their texts.
  std::vector<Error> errors;                  ///< One for each path that cannot be read or has no task definition.
};

/// Reads `path` ("-" is standard input) as JSON or YAML. An error with its position when the text is neither.
Result<std::shared_ptr<const text::Document>> load_document(const std::string& path, const GlobalOptions& global,
                                                            Streams& io);

/// "This is a scenario: bayplan place scenario.yaml": what a file of bayplan's or of Kubernetes is, and the command
/// that takes it. Empty for others.
std::string command_for(const std::string& path, const text::Document& document);

/// Takes out the definitions that hold a size which is no amount; an error at each such value.
std::vector<Error> drop_uncountable(LoadedDefinitions& loaded);

/// Reads task definitions of any form that users hold: plain, as described, a list of them, a bare list of containers.
/// A path that is of no use does not stop the others.
LoadedDefinitions load_task_definitions(const std::vector<std::string>& paths, const GlobalOptions& global,
                                        const model::Placeholders& placeholders, Streams& io);

}  // namespace bayplan::cli
