#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/span.hpp"
#include "text/repair_notes.hpp"

namespace bayplan::text {

inline constexpr std::size_t kNotFound = std::string_view::npos;

inline Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

/// The kinds of quotes that people and editors write.
enum class Quote : std::uint8_t { kNone, kStraight, kSingle, kCurly, kCurlySingle };

Quote quote_at(std::string_view text, std::size_t offset);
std::size_t quote_length(Quote quote);  ///< Bytes of UTF-8.

/// Strings of a text that is almost JSON. Keeps what it learned about the line, so that a text costs linear time.
class StringLexer {
 public:
  StringLexer(std::string_view text, RepairNotes& notes) : text_(text), notes_(notes) {}

  /// Offset after the string that opens at `offset`; notes and repairs what is wrong with it.
  std::size_t read(std::size_t offset);
  /// Does the same without notes.
  std::size_t skip(std::size_t offset);

  /// Makes `[begin, end)` good content of a string in `"`: escapes, control characters, quotes.
  void mend_content(std::size_t begin, std::size_t end, bool is_straight);

 private:
  struct Closing {
    std::size_t content_end;
    std::size_t end;  ///< Offset after the closing quote, if there is one.
    bool is_closed;
  };

  Closing find_closing(std::size_t offset, Quote quote);
  Closing straight_closing(std::size_t begin);
  Closing other_closing(std::size_t begin, Quote quote);
  Closing unclosed(std::size_t begin);
  std::size_t line_end(std::size_t from);
  bool ends_value(std::size_t offset) const;
  std::size_t next_ending_quote(std::size_t from, std::size_t line_end, Quote quote);
  std::size_t mend_escape(std::size_t offset, std::size_t end);
  std::size_t escape_quotes(std::size_t begin, std::size_t end);

  std::string_view text_;
  RepairNotes& notes_;
  std::size_t no_ending_quote_before_[5] = {};
  Span searched_line_{0, 0};  ///< From where a line end was looked for, to where it is or the text ends.
};

/// Offset after the run of characters without quotes that begins at `offset`, blanks at its end left out; at least one.
std::size_t bare_value_end(std::string_view text, std::size_t offset);

/// ENV_VARS, PORT: in a template a name of which something makes a value.
bool is_bare_name(std::string_view word);

/// Reads what is without quotes where a value is wanted: numbers and literals as they are, what other languages
/// write (`True`, `0x1F`, `+1`), placeholders, words that lack quotes.
void read_bare_value(std::string_view text, Span span, StringLexer& strings, RepairNotes& notes);

bool is_json_number(std::string_view text);

}  // namespace bayplan::text
