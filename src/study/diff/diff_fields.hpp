#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/placeholder.hpp"
#include "model/task_definition.hpp"
#include "study/diff/diff_meaning.hpp"
#include "text/document.hpp"

namespace bayplan::study {

/// One of two definitions to compare, in ECS's words.
struct ComparedDefinition {
  text::Value root;      ///< A bare list of container definitions, or the object that holds them.
  text::Value tags;      ///< Tags next to the definition in describe output.
  bool has_tags = true;  ///< False: describe output that was asked for without its tags.
  DefinitionFacts facts;
};

/// What one side says at a path.
struct FieldSide {
  text::Value value;
  std::string text;         ///< Scalars plain, the rest as JSON on one line; of a secret "(hidden)".
  bool is_unknown = false;  ///< The value is a placeholder: compared as text.
};

/// A member that means something else, or is on one side only.
struct FieldChange {
  std::string path;  ///< "containerDefinitions[web].memory"
  std::optional<FieldSide> before;
  std::optional<FieldSide> after;
  bool is_hidden = false;  ///< It looks like a secret; neither text shows it.
};

/// Every difference that means something to ECS, in the order of NEW; what is gone comes behind in each object.
std::vector<FieldChange> compare_definitions(const ComparedDefinition& before, const ComparedDefinition& after,
                                             const model::Placeholders& placeholders);

}  // namespace bayplan::study
