#include "text/string_content.hpp"

#include "base/utf8.hpp"

namespace bayplan::text {
namespace {

constexpr std::size_t kUnicodeEscape = 6;  // \u00e9

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 0;
}

std::uint32_t code_unit(std::string_view escape) {
  std::uint32_t unit = 0;
  for (const char c : escape.substr(2, 4)) unit = unit * 16 + static_cast<std::uint32_t>(hex_value(c));
  return unit;
}

std::string unicode(std::string_view escapes) {
  std::uint32_t point = code_unit(escapes);
  if (escapes.size() > kUnicodeEscape) {
    point = 0x10000 + ((point - 0xD800) << 10U) + (code_unit(escapes.substr(kUnicodeEscape)) - 0xDC00);
  }
  std::string result;
  append_utf8(result, point);
  return result;
}

std::string simple(char escape) {
  constexpr std::string_view kWritten = "bfnrt", kMeant = "\b\f\n\r\t";
  const auto at = kWritten.find(escape);
  return std::string(1, at == std::string_view::npos ? escape : kMeant[at]);
}

/// Length of the escape that begins with the backslash at `offset`; of two halves of one character both.
std::size_t escape_length(std::string_view raw, std::size_t offset) {
  if (offset + 1 >= raw.size() || raw[offset + 1] != 'u') return std::min<std::size_t>(2, raw.size() - offset);
  const std::string_view rest = raw.substr(offset);
  if (rest.size() < kUnicodeEscape) return rest.size();
  const std::uint32_t unit = code_unit(rest);
  const bool has_pair =
      unit >= 0xD800 && unit <= 0xDBFF && rest.size() >= 2 * kUnicodeEscape && rest.substr(kUnicodeEscape, 2) == "\\u";
  return has_pair ? 2 * kUnicodeEscape : kUnicodeEscape;
}

std::vector<Edit> unescaping(std::string_view raw) {
  std::vector<Edit> edits;
  for (std::size_t i = raw.find('\\'); i < raw.size(); i = raw.find('\\', i)) {
    const std::size_t length = escape_length(raw, i);
    const std::string_view escape = raw.substr(i, length);
    const Span span{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + length)};
    if (length >= kUnicodeEscape) {
      edits.push_back({span, unicode(escape)});
    } else if (length == 2) {
      edits.push_back({span, simple(escape[1])});
    }
    i += length;
  }
  return edits;
}

}  // namespace

StringContent::StringContent(Value string) : whole_(string.span()) {
  const std::string& source = string.document().source();
  const bool is_quoted = string.style() == Style::kJson && whole_.length() >= 2 && source[whole_.begin] == '"';
  if (is_quoted) {
    const auto raw = std::string_view(source).substr(whole_.begin + 1, whole_.length() - 2);
    content_ = apply(raw, unescaping(raw));
  }
  is_exact_ = is_quoted && content_.text == string.text();
  if (!is_exact_) content_.text = string.text();
}

Span StringContent::original(Span part) const {
  if (!is_exact_ || content_.text.empty()) return whole_;
  const Span inside = content_.offsets.original(part);
  const std::uint32_t begin = whole_.begin + 1;
  return {begin + inside.begin, begin + inside.end};
}

}  // namespace bayplan::text
