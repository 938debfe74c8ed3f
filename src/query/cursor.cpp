#include "query/cursor.hpp"

#include <algorithm>

#include "base/excerpt.hpp"
#include "base/utf8.hpp"

namespace bayplan::query {

namespace {

constexpr std::string_view kOperatorMarks = "=!<>~&|";
constexpr std::size_t kQuotedInMessage = 40;

std::size_t run_length(std::string_view text, std::string_view others) {
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) {
    return !is_alphanumeric(c) && others.find(c) == std::string_view::npos;
  });
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void Cursor::skip_blanks() {
  while (!at_end() && is_blank(text_[offset_])) ++offset_;
}

bool Cursor::accept(std::string_view prefix) {
  if (!sees(prefix)) return false;
  skip(prefix.size());
  return true;
}

bool Cursor::sees_word(std::string_view word) const {
  return sees(word) && run_length(rest(), "-_/\\.:") == word.size();
}

bool Cursor::accept_word(std::string_view word) {
  if (!sees_word(word)) return false;
  skip(word.size());
  return true;
}

std::string_view Cursor::take_run(std::string_view others) {
  const std::string_view run = rest().substr(0, run_length(rest(), others));
  skip(run.size());
  return run;
}

std::size_t Cursor::found_length() const {
  if (at_end()) return 0;
  const std::size_t word = run_length(rest(), std::string(kNameMarks) + ":");
  if (word > 0) return word;
  const auto marks = rest().find_first_not_of(kOperatorMarks);
  if (marks > 0) return std::min(marks, rest().size());
  std::size_t end = offset_;
  decode_utf8(text_, end);
  return end - offset_;
}

Span Cursor::found_span() const {
  return {offset(), static_cast<std::uint32_t>(offset_ + found_length())};
}

std::string Cursor::found() const {
  if (at_end()) return "the end";
  return "'" + printable(shortened_to(rest().substr(0, found_length()), kQuotedInMessage)) + "'";
}

}  // namespace bayplan::query
