#include "text/string_content.hpp"

#include <utility>

#include "base/hexadecimal.hpp"
#include "base/utf8.hpp"

namespace bayplan::text {
namespace {

std::string simple(char escape) {
  constexpr std::string_view kWritten = "bfnrt", kMeant = "\b\f\n\r\t";
  const auto at = kWritten.find(escape);
  return std::string(1, at == std::string_view::npos ? escape : kMeant[at]);
}

std::vector<Edit> unescaping(std::string_view raw) {
  std::vector<Edit> edits;
  for (std::size_t i = raw.find('\\'); i < raw.size(); i = raw.find('\\', i)) {
    if (i + 1 == raw.size()) break;
    const auto escape = unicode_escape(raw.substr(i));
    const std::size_t length = escape ? escape->length : 2;
    std::string meant;
    if (escape) {
      append_utf8(meant, escape->character.value_or(U'\uFFFD'));
    } else {
      meant = simple(raw[i + 1]);
    }
    edits.push_back({{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + length)}, std::move(meant)});
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
