#pragma once
#include <string>

#include "text/document.hpp"

namespace bayplan::test {

/// A value on one line: strings in ' ', what is not known in < >.
inline std::string in_words(text::Value value) {
  const std::string text(value.text());
  if (value.kind() == text::Kind::kPlaceholder) return "<" + text + ">";
  if (value.is_string()) return "'" + text + "'";
  if (!value.is_object() && !value.is_array()) return text;
  std::string result;
  for (const text::Value child : value.children()) {
    if (!result.empty()) result += ", ";
    if (value.is_object()) result += std::string(child.key()) + ": ";
    result += in_words(child);
  }
  return value.is_object() ? "{" + result + "}" : "[" + result + "]";
}

}  // namespace bayplan::test
