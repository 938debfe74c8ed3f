#include "model/definition_reference.hpp"

#include "base/strings.hpp"

namespace bayplan::model {

std::optional<DefinitionReference> parse_definition_reference(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  const bool is_arn = text.starts_with("arn:") && text.substr(0, slash).ends_with(":task-definition");
  if (slash != std::string_view::npos && !is_arn) return std::nullopt;
  const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  const std::size_t colon = name.find(':');
  DefinitionReference reference{name.substr(0, colon), std::nullopt};
  if (reference.family.empty()) return std::nullopt;
  if (colon == std::string_view::npos) return reference;
  reference.revision = to_integer(name.substr(colon + 1));
  return reference.revision ? std::optional(reference) : std::nullopt;
}

}  // namespace bayplan::model
