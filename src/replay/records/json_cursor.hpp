#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bayplan::replay {

/// Walks one JSON text from left to right and builds no tree: a record of an event is read for a few of its members,
/// and a log has millions of records. What is not asked for is skipped by its brackets and quotes. Every step fails for
/// good once one has failed; numbers and literals are not validated further than that they end where they must.
///
///   JsonCursor cursor(text);
///   cursor.object([&](std::string_view key) {
///     if (key == "time") time = cursor.text(buffer); else cursor.skip();
///   });
///   if (!cursor.ok()) ...
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : at_(text.data()), begin_(text.data()), end_(text.data() + text.size()) {}

  bool ok() const { return !failed_; }
  /// Where the text is not JSON, as an offset; the end of the text if it is cut off.
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  /// Whether nothing but white space follows.
  bool at_end() {
    skip_blanks();
    return at_ == end_;
  }
  /// The first character of the next value; NUL at the end.
  char peek() {
    skip_blanks();
    return at_ == end_ ? '\0' : *at_;
  }

  /// Calls `member(key)` for each member; it must consume the value. A value that is not an object is skipped.
  template <class Member>
  void object(Member member) {
    if (peek() != '{') return skip();
    ++at_;
    if (peek() == '}') return static_cast<void>(++at_);
    for (;;) {
      const std::string_view key = quoted();
      if (failed_ || !take(':')) return fail();
      member(key);
      if (failed_) return;
      const char next = peek();
      if (next == '\0') return fail();
      ++at_;
      if (next == '}') return;
      if (next != ',') return step_back();
    }
  }

  /// Calls `element()` for each element; it must consume the value. A value that is not a list is skipped.
  template <class Element>
  void array(Element element) {
    if (peek() != '[') return skip();
    ++at_;
    if (peek() == ']') return static_cast<void>(++at_);
    for (;;) {
      element();
      if (failed_) return;
      const char next = peek();
      if (next == '\0') return fail();
      ++at_;
      if (next == ']') return;
      if (next != ',') return step_back();
    }
  }

  /// Skips one value.
  void skip();
  /// Skips one value and returns its text.
  std::string_view raw();
  /// The decoded content of a string or the text of another scalar; empty for null, objects and lists. `buffer` keeps
  /// what has escapes, and must live as long as the result is used.
  std::string_view text(std::string& buffer);
  /// A whole number, also in quotes; nothing for other values.
  std::optional<std::int64_t> integer();
  /// True for `true`; other values are false.
  bool boolean() { return raw() == "true"; }

 private:
  void fail() { failed_ = true; }
  void step_back() {
    --at_;
    fail();
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  /// The content of a string between its quotes, escapes as written. The keys of records have none.
  std::string_view quoted();
  void skip_scalar();
  void skip_nested();

  const char* at_;
  const char* begin_;
  const char* end_;
  bool failed_ = false;
};

/// The content of a JSON string, given as written between its quotes. Escapes that are not valid stay as they are.
std::string decoded(std::string_view written);

}  // namespace bayplan::replay
