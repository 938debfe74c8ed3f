#include "text/placeholder_syntax.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/strings.hpp"

namespace bayplan::text {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_name_start(char c) {
  return is_name_character(c) && !(c >= '0' && c <= '9');
}

/// Longer ones are none; keeps a text full of openings linear.
constexpr std::size_t kLongest = 1000;

/// Offset after `close`, looked for on the same line from `from`; 0 when it is not there.
std::size_t after(std::string_view text, std::size_t from, std::string_view close) {
  const std::string_view near = text.substr(from, kLongest);
  const std::size_t found = near.find(close);
  const bool is_on_line =
      found != std::string_view::npos && near.substr(0, found).find_first_of("\r\n") == std::string_view::npos;
  return is_on_line ? from + found + close.size() : 0;
}

/// `${ ... }` and `$( ... )`, which may nest.
std::size_t nested(std::string_view text, std::size_t from, char open, char close) {
  std::size_t depth = 0;
  const std::size_t limit = std::min(text.size(), from + kLongest);
  for (std::size_t i = from; i < limit && text[i] != '\n' && text[i] != '\r'; ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return 0;
}

std::size_t name_end(std::string_view text, std::size_t from) {
  while (from < text.size() && is_name_character(text[from])) ++from;
  return from;
}

/// `<X>`, `<your image>`.
std::size_t angle_end(std::string_view text, std::size_t offset) {
  std::size_t i = offset + 1;
  if (i >= text.size() || !is_name_start(text[i])) return 0;
  while (i < text.size() &&
         (is_name_character(text[i]) || std::string_view(" .:/-").find(text[i]) != std::string_view::npos))
    ++i;
  return i < text.size() && text[i] == '>' ? i + 1 : 0;
}

/// A name between two marks, such as `%X%`.
std::size_t enclosed_end(std::string_view text, std::size_t offset, std::string_view open, std::string_view close) {
  if (text.substr(offset, open.size()) != open) return 0;
  std::size_t from = offset + open.size();
  if (from >= text.size() || !is_name_start(text[from]) || text[from] == '_') return 0;
  if (close == "__") {
    const std::size_t found = text.substr(0, name_end(text, from)).find(close, from);
    return found == std::string_view::npos ? 0 : found + close.size();
  }
  from = name_end(text, from);
  return text.substr(from, close.size()) == close ? from + close.size() : 0;
}

/// The one length that is not 0: at most one of several forms fits.
std::size_t one_of(std::initializer_list<std::size_t> ends) {
  return *std::max_element(ends.begin(), ends.end());
}

std::size_t dollar_end(std::string_view text, std::size_t offset) {
  const char next = offset + 1 < text.size() ? text[offset + 1] : '\0';
  if (next == '{') return nested(text, offset + 1, '{', '}');
  if (next == '(') return nested(text, offset + 1, '(', ')');
  return is_name_start(next) ? name_end(text, offset + 1) : 0;
}

/// `{{ x }}`, `{{{ x }}}`, `{INSERT x}`, `{X}`.
std::size_t brace_end(std::string_view text, std::size_t offset) {
  if (text.substr(offset, 3) == "{{{") return after(text, offset + 3, "}}}");
  if (text.substr(offset, 2) == "{{") return after(text, offset, "}}");
  return text.substr(offset, 8) == "{INSERT " ? after(text, offset, "}") : enclosed_end(text, offset, "{", "}");
}

/// `#{X}`, `#{namespace.variable}` of CodePipeline and Octopus Deploy, and `#{X}#` of Azure DevOps.
std::size_t hash_end(std::string_view text, std::size_t offset) {
  std::size_t i = offset + 2;
  if (text.substr(offset, 2) != "#{" || i >= text.size() || !is_name_start(text[i])) return 0;
  while (i < text.size() && (is_name_character(text[i]) || text[i] == '.' || text[i] == '-')) ++i;
  if (i >= text.size() || text[i] != '}') return 0;
  return i + 1 < text.size() && text[i + 1] == '#' ? i + 2 : i + 1;
}

}  // namespace

std::size_t placeholder_length(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return 0;
  std::size_t end = 0;
  switch (text[offset]) {
    case '$':
      end = dollar_end(text, offset);
      break;
    case '{':
      end = brace_end(text, offset);
      break;
    case '<':
      end = text.substr(offset, 3) == "<%=" ? after(text, offset, "%>") : angle_end(text, offset);
      break;
    case '#':
      end = hash_end(text, offset);
      break;
    case '%':
      end = one_of({enclosed_end(text, offset, "%", "%"), enclosed_end(text, offset, "%{", "}"),
                    enclosed_end(text, offset, "%(", ")s")});
      break;
    case '@':
      end = one_of({enclosed_end(text, offset, "@", "@"), enclosed_end(text, offset, "@{", "}")});
      break;
    case '(':
      end = enclosed_end(text, offset, "((", "))");
      break;
    case '_':
      end = enclosed_end(text, offset, "__", "__");
      break;
    default:
      break;
  }
  return end == 0 ? 0 : end - offset;
}

bool is_placeholder(std::string_view text) {
  return !text.empty() && placeholder_length(text, 0) == text.size();
}

std::size_t quoting_expression_length(std::string_view text, std::size_t offset) {
  // Every character of a broken file is asked about, so the common answer comes first.
  if (offset >= text.size() || std::string_view("{$#<").find(text[offset]) == std::string_view::npos) return 0;
  const std::string_view two = text.substr(offset, 2);
  std::size_t length = two == "{{" || two == "${" || two == "#{" ? placeholder_length(text, offset) : 0;
  for (const auto& [open, close] : {std::pair("<%", "%>"), std::pair("{%", "%}")}) {
    if (two != open) continue;
    const std::size_t end = after(text, offset, close);
    length = end == 0 ? 0 : end - offset;
  }
  const std::string_view inside = text.substr(offset, length);
  const std::size_t quote = inside.find('"');
  if (quote == std::string_view::npos || inside.find("\\\"") != std::string_view::npos) return 0;
  // What ends a string in JSON is followed by one of these.
  const std::size_t next = text.find_first_not_of(" \t", offset + quote + 1);
  const bool ends_string =
      next == std::string_view::npos || std::string_view(",:]}\r\n").find(text[next]) != std::string_view::npos;
  return !ends_string && std::count(inside.begin(), inside.end(), '"') % 2 == 0 ? length : 0;
}

}  // namespace bayplan::text
