#include "rules/service_context.hpp"

#include "text/location.hpp"

namespace bayplan::rules {

std::string NamedDefinition::place_of(text::Value value) const {
  const text::LineIndex lines(value.document().source());
  return std::string(file) + ":" + std::to_string(lines.location(value.span().begin).line);
}

}  // namespace bayplan::rules
