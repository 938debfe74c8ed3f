#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace bayplan::model {

/// How services and RunTask calls name a task definition: "web", "web:3" or the ARN that ends so.
struct DefinitionReference {
  std::string_view family;               ///< Views the text.
  std::optional<std::int64_t> revision;  ///< Nothing = the newest active revision.
};

/// Nothing when the text is none of the three.
std::optional<DefinitionReference> parse_definition_reference(std::string_view text);

}  // namespace bayplan::model
