#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>

#include "lsp/open_document.hpp"
#include "lsp/schema_guide.hpp"
#include "lsp/workspace.hpp"

namespace bayplan::lsp {

/// A schema, and where in it the values of a file are.
struct ChosenSchema {
  const SchemaGuide* guide = nullptr;  ///< Null when nothing is known of the file.
  Path above;                          ///< Steps of the schema that the file does not have: a bare list of containers.
  Path passed;                         ///< Steps of the file that the schema does not have: {"taskDefinition": ...}.

  /// The schema objects for a path in the file; nothing where the schema has none.
  SchemaObjects said(const Path& path) const;
};

/// Chooses by the name of the file, by what lint takes it for and by its keys. Schemas are read when they are needed.
class SchemaChoice {
 public:
  ChosenSchema choose(const OpenDocument& document, const Check& check, const std::set<std::string>& root_keys);

 private:
  const SchemaGuide* named(std::string_view name);
  const SchemaGuide* best_for(const std::set<std::string>& root_keys);

  std::map<std::string, std::unique_ptr<const SchemaGuide>, std::less<>> guides_;
};

}  // namespace bayplan::lsp
