#include "report/markdown.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace bayplan::report {
namespace {

/// References instead of backslashes: they also hold inside tables, and keep `@name` and `#12` from notifying anyone.
std::string_view reference_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '|':
      return "&#124;";
    case '@':
      return "&#64;";
    case '#':
      return "&#35;";
    case '*':
      return "&#42;";
    case '_':
      return "&#95;";
    case '`':
      return "&#96;";
    case '[':
      return "&#91;";
    case '\\':
      return "&#92;";
    case '~':
      return "&#126;";
    default:
      return {};
  }
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    const auto reference = reference_of(c);
    if (reference.empty()) {
      out += c;
    } else {
      out += reference;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string content = printable(text);
  if (content.find_first_of("`|\\") != std::string::npos) return "<code>" + markdown_text(content) + "</code>";
  return "`" + content + "`";
}

}  // namespace bayplan::report
