#pragma once
#include <string_view>
#include <vector>

#include "lint/files/named_files.hpp"

namespace bayplan::lint {

/// What a script changes in the definition or the service that it reads from files, or from a list of containers.
struct ScriptEdit {
  TextSet files;  ///< Patterns of the files.
  TextSet keys;   ///< As in `rules::Deployment::assigned_keys`.
};

/// The edits that are seen to be of these files: `jq '.family = $f' task.json` and, in Python, JavaScript, Ruby and
/// PowerShell, `task["family"] = f` of a variable `task` that is read from JSON, and `{...task, family: f}`.
std::vector<ScriptEdit> edits_in(std::string_view script);

/// What Terraform code reads of JSON files.
struct CodeReads {
  TextSet containers_alone;  ///< `jsondecode(file("task.json")).containerDefinitions`, also of a local value.
  TextSet with_image;        ///< `merge(container, {image = ...})` is made of their containers.
};

CodeReads reads_of_code(std::string_view code);

}  // namespace bayplan::lint
