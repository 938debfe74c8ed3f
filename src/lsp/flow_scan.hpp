#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/cursor_place.hpp"

namespace bayplan::lsp {

/// Scans JSON, or flow style of YAML, from `begin` on, and tells where `cursor` stands in it. Strings end with their
/// line at the latest, keys are what a colon follows, brackets that match nothing are passed over.
class FlowScan {
 public:
  FlowScan(std::string_view text, std::uint32_t cursor) : text_(text), cursor_(cursor) {}

  /// Until the value that begins there has ended, or to the end of the text. Gives the offset behind it.
  std::uint32_t run(std::uint32_t begin);
  /// Nothing when the cursor stands behind what was scanned, or in a comment. The path begins at the value scanned.
  std::optional<CursorPlace> place() &&;

 private:
  enum class State : std::uint8_t { kKey, kColon, kValue, kDone };
  struct Frame {
    bool is_object = false;
    State state = State::kValue;
    std::string key;
    std::size_t id = 0;  ///< Of its keys.
  };
  struct Token {
    char kind = 0;  ///< One of `{}[],:`, '"' for a string, 'w' for a bare word, '#' for a comment, 0 at the end.
    Span span;
    bool is_closed = true;  ///< Of a string.
  };

  Token next(std::uint32_t from) const;
  Token string_at(std::uint32_t begin) const;
  Token comment_at(std::uint32_t begin, std::string_view end) const;
  bool is_before_colon(std::uint32_t end) const;
  bool is_typed(const Token& token) const;
  bool holds_cursor(const Token& token) const;
  void meet_cursor(const Token& token);
  void note_place(CursorPlace::Kind kind, const Token& token, bool is_in_word);
  void take(const Token& token);
  void take_word(const Token& token);
  void open(bool is_object);
  void close(bool is_object);
  bool wants_comma_at(std::uint32_t offset) const;

  std::string_view text_;
  std::uint32_t cursor_;
  std::vector<Frame> frames_;
  std::vector<std::set<std::string>> keys_;  ///< By the id of a frame.
  std::uint32_t last_end_ = 0;               ///< Of the last token that is no comment.
  bool has_begun_ = false;
  bool has_met_ = false;
  std::optional<CursorPlace> place_;
  std::size_t place_id_ = 0;
};

}  // namespace bayplan::lsp
