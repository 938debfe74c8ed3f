#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "importers/subject.hpp"
#include "importers/terraform_arguments.hpp"
#include "lsp/cursor_place.hpp"
#include "lsp/open_document.hpp"
#include "lsp/workspace.hpp"
#include "shape/schema_guide.hpp"

namespace bayplan::lsp {

using shape::Property;
using shape::SchemaGuide;
using shape::SchemaObjects;

/// A schema, and how the paths and keys of a file lead to it.
struct ChosenSchema {
  const SchemaGuide* guide = nullptr;  ///< Null when nothing is known of the file.
  Path above;                          ///< Steps of the schema that the file does not have: a bare list of containers.
  Path passed;                         ///< Steps of the file that the schema does not have: {"taskDefinition": ...}.
  importers::Spelling spelling = importers::Spelling::kCamelCase;  ///< How the file spells the keys of the schema.
  std::vector<importers::Argument> arguments = {};                 ///< Of a resource in Terraform code.

  /// A path of the file as one of the schema; nothing where it leaves what the schema is for.
  std::optional<Path> in_schema(const Path& path) const;
  /// The schema objects for a path in the file; nothing where the schema has none.
  SchemaObjects said(const Path& path) const;
  /// What may be at a path in the file, named as the file spells it.
  std::vector<Property> properties(const Path& path) const;
};

/// Chooses by the name of the file, by what lint takes it for and by its keys. Schemas are read when they are needed.
class SchemaChoice {
 public:
  ChosenSchema choose(const OpenDocument& document, const Check& check, const std::set<std::string>& root_keys);
  /// Does the same for a place, which may be in a resource of a template or of Terraform code.
  ChosenSchema choose_at(const CursorPlace& place, const OpenDocument& document, const Check& check);
  /// The schema of a definition in ECS's keys.
  ChosenSchema of_definition(importers::SubjectKind kind);

 private:
  const SchemaGuide* named(std::string_view name);
  const SchemaGuide* best_for(const std::set<std::string>& root_keys);

  std::map<std::string, std::unique_ptr<const SchemaGuide>, std::less<>> guides_;
};

}  // namespace bayplan::lsp
