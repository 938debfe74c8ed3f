#pragma once
#include <string_view>

namespace bayplan {

// Of ASCII alone, whatever the locale.

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
/// Whether the text has at least one digit and nothing else.
constexpr bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}
constexpr bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}
/// A blank, a tab or a line end: what JSON calls whitespace.
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || is_line_end(c);
}

}  // namespace bayplan
