#include "rules/shape_findings.hpp"

#include <algorithm>
#include <iterator>

namespace bayplan::rules {

std::vector<shape::ShapeFinding> find_shape_faults(text::Value root, FileKind kind, const shape::Schema& schema,
                                                   const model::Placeholders& placeholders) {
  std::vector<shape::ShapeFinding> found;
  if (!root) return found;
  if (kind == FileKind::kContainerDefinitions) {
    const auto& container = *schema.definition("ContainerDefinition");
    for (const text::Value element : root.children()) {
      auto faults = shape::check(schema, container, element, placeholders);
      std::move(faults.begin(), faults.end(), std::back_inserter(found));
    }
  } else if (root.is_object() && (kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe)) {
    found = shape::check(schema, root, placeholders);
  }
  return found;
}

std::string in_words(const shape::Rule& rule) {
  return rule.title.empty() ? "this object" : "the " + std::string(rule.title);
}

std::string name_of(text::Value value) {
  std::string positions;
  while (value.key().empty() && value.parent()) {
    positions = "[" + std::to_string(value.position_in_parent()) + "]" + positions;
    value = value.parent();
  }
  return std::string(value.key()) + positions;
}

}  // namespace bayplan::rules
