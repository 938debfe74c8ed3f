#include "text/json_lookahead.hpp"

#include <algorithm>

#include "base/excerpt.hpp"
#include "text/placeholder_syntax.hpp"

namespace bayplan::text {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

bool JsonLookahead::is_member(std::size_t offset) {
  const bool is_quoted = quote_at(text_, offset) != Quote::kNone;
  const std::size_t end = is_quoted ? strings_.skip(offset) : word_end(offset);
  if (end == offset) return false;
  const std::size_t next = blanks_.peek(end);
  return next < text_.size() && (text_[next] == ':' || text_[next] == '=');
}

std::size_t JsonLookahead::word_end(std::size_t offset) const {
  constexpr std::string_view kEnds = " \t\r\n,:=[]{}\"'";
  std::size_t end = offset + placeholder_length(text_, offset);
  while (end < text_.size() && kEnds.find(text_[end]) == std::string_view::npos && quote_at(text_, end) == Quote::kNone)
    ++end;
  return end;
}

Span JsonLookahead::token(std::size_t offset) {
  const bool is_quoted = quote_at(text_, offset) != Quote::kNone;
  const std::size_t line_end = first_line(text_, span_of(offset, text_.size())).end;
  std::size_t end = is_quoted ? std::min(strings_.skip(offset), line_end) : word_end(offset);
  end = std::max(end, std::min(offset + 1, text_.size()));
  return span_of(offset, end_of_character(text_, end));
}

std::size_t omission_length(std::string_view text, std::size_t offset) {
  constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
  if (text.substr(offset, kEllipsis.size()) == kEllipsis) return kEllipsis.size();
  const std::size_t end = std::min(text.find_first_not_of('.', offset), text.size());
  return end >= offset + 2 ? end - offset : 0;
}

Span trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end && kBlanks.find(text[begin]) != std::string_view::npos) ++begin;
  while (end > begin && kBlanks.find(text[end - 1]) != std::string_view::npos) --end;
  return span_of(begin, end);
}

Span first_line(std::string_view text, Span span) {
  return span_of(span.begin, std::min<std::size_t>(text.find_first_of("\r\n", span.begin), span.end));
}

std::string quoted_token(std::string_view text, Span token) {
  constexpr std::size_t kLongest = 40;
  const std::string seen = shortened_to(text.substr(token.begin, token.length()), kLongest);
  return quote_at(seen, 0) == Quote::kNone ? "'" + seen + "'" : seen;
}

}  // namespace bayplan::text
