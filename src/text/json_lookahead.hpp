#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/span.hpp"
#include "text/json_blanks.hpp"
#include "text/json_lexis.hpp"

namespace bayplan::text {

/// What comes next in a text that is almost JSON; nothing is noted or mended.
class JsonLookahead {
 public:
  JsonLookahead(std::string_view text, StringLexer& strings, const JsonBlanks& blanks)
      : text_(text), strings_(strings), blanks_(blanks) {}

  /// A key and its `:` (or `=`) are at `offset`.
  bool is_member(std::size_t offset);
  /// Offset after the word without quotes that begins at `offset`; placeholders are part of it.
  std::size_t word_end(std::size_t offset) const;
  /// The token at `offset`, for a message: a word, a string of one line, else one character.
  Span token(std::size_t offset);

 private:
  std::string_view text_;
  StringLexer& strings_;
  const JsonBlanks& blanks_;
};

/// Bytes of `...` (two dots or more, or the ellipsis character) at `offset`; 0 when there is none.
std::size_t omission_length(std::string_view text, std::size_t offset);

/// `[begin, end)` without the JSON blanks at both ends.
Span trimmed(std::string_view text, std::size_t begin, std::size_t end);

/// Returns the part of `span` on its first line.
Span first_line(std::string_view text, Span span);

/// The token as messages show it: shortened, in quotes.
std::string quoted_token(std::string_view text, Span token);

}  // namespace bayplan::text
