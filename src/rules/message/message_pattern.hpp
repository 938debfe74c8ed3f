#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/pattern.hpp"

namespace bayplan::rules {

/// A pattern for messages. Case does not matter, and each quotation mark matches both kinds, because clients quote the
/// same message differently. Marks inside of a character class match themselves.
inline Pattern message_pattern(std::string_view expression) {
  std::string any_quotes = "(?i)";
  bool is_in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\' && i + 1 < expression.size()) {
      any_quotes += c;
      any_quotes += expression[++i];
    } else if ((c == '\'' || c == '"') && !is_in_class) {
      any_quotes += R"(['"])";
    } else {
      is_in_class = c == '[' || (is_in_class && c != ']');
      any_quotes += c;
    }
  }
  return own_pattern(any_quotes);
}

}  // namespace bayplan::rules
