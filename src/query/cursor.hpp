#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/span.hpp"

namespace bayplan::query {

/// A place in the text of an expression.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::uint32_t offset() const { return static_cast<std::uint32_t>(offset_); }
  std::string_view rest() const { return text_.substr(offset_); }
  bool at_end() const { return offset_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[offset_]; }
  bool sees(std::string_view prefix) const { return rest().substr(0, prefix.size()) == prefix; }
  void skip(std::size_t count) { offset_ += count; }
  void skip_blanks();
  bool accept(std::string_view prefix);

  /// True at the word itself, not at a longer one.
  bool sees_word(std::string_view word) const;
  bool accept_word(std::string_view word);

  /// Longest run of letters, digits and `others`; moves past it.
  std::string_view take_run(std::string_view others);
  /// The next word or mark, for "found ...": 'spread', '&', the end. Does not move.
  std::string found() const;
  /// Bytes of the next word or mark; empty at the end.
  Span found_span() const;

  std::string_view slice(std::uint32_t begin) const { return text_.substr(begin, offset_ - begin); }
  Span span_from(std::uint32_t begin) const { return {begin, offset()}; }

 private:
  std::size_t found_length() const;

  std::string_view text_;
  std::size_t offset_ = 0;
};

inline constexpr std::string_view kNameMarks = "-_/\\.";  ///< Characters of a name in addition to letters and digits.
bool is_blank(char c);
bool is_alphanumeric(char c);

}  // namespace bayplan::query
