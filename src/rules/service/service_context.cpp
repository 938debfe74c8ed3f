#include "rules/service/service_context.hpp"

#include "text/location.hpp"

namespace bayplan::rules {

std::string NamedDefinition::place_of(text::Value value) const {
  const text::LineIndex lines(value.document().source());
  const auto line = std::to_string(lines.location(value.span().begin).line);
  return file.empty() ? "line " + line : std::string(file) + ":" + line;
}

}  // namespace bayplan::rules
