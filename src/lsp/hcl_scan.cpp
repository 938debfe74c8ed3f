// The syntax of Terraform code as far as the cursor needs it: blocks, arguments, objects, lists, calls.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/cursor_place.hpp"

namespace bayplan::lsp {
namespace {

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '-';
}

class HclScan {
 public:
  HclScan(std::string_view text, std::uint32_t cursor) : text_(text), cursor_(cursor) {}

  CursorPlace run() && {
    open('\0', /*is_body=*/true);
    for (std::size_t at = 0;;) {
      const Token token = next(at);
      const bool is_past = token.kind == Token::kEnd || cursor_ <= token.span.begin || holds_cursor(token);
      if (!has_met_ && is_past) meet_cursor(token);
      if (token.kind == Token::kEnd) break;
      take(token);
      at = token.span.end;
    }
    if (place_.kind != CursorPlace::Kind::kNone && !is_inner_) place_.present = keys_[place_id_];
    return std::move(place_);
  }

 private:
  struct Token {
    enum Kind : std::uint8_t { kEnd, kLineEnd, kName, kText, kNumber, kHeredoc, kComment, kSign };
    Kind kind = kEnd;
    Span span;
    char sign = 0;          ///< The character of a kSign, 'o' for an operator of two.
    bool is_closed = true;  ///< Whether a text is closed.
  };
  /// What a bracket or a block opened. A body holds arguments and blocks, an object keys and values.
  struct Frame {
    char closing = 0;
    bool is_body = false;
    enum class State : std::uint8_t { kKey, kAfterKey, kValue, kDone } state = State::kValue;
    std::string key;                  ///< Last key or type of a block.
    std::vector<std::string> labels;  ///< Labels of the block.
    std::size_t id = 0;               ///< Index of its keys.

    bool has_keys() const { return is_body || closing == '}'; }
  };
  using State = Frame::State;

  Token token(Token::Kind kind, std::size_t begin, std::size_t end) const {
    return {kind, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(end, text_.size()))}};
  }

  Token next(std::size_t from) const {
    const std::size_t at = std::min(text_.find_first_not_of(" \t\r", from), text_.size());
    if (at == text_.size()) return token(Token::kEnd, at, at);
    const char c = text_[at];
    const auto two = text_.substr(at, 2);
    if (c == '\n') return token(Token::kLineEnd, at, at + 1);
    if (c == '#' || two == "//") return token(Token::kComment, at, text_.find('\n', at));
    if (two == "/*") {
      const std::size_t end = text_.find("*/", at + 2);
      return token(Token::kComment, at, end == std::string_view::npos ? end : end + 2);
    }
    if (c == '"') return text_at(at);
    if (two == "<<") return heredoc_at(at);
    if (begins_name(c) || (c >= '0' && c <= '9')) {
      std::size_t end = at + 1;
      while (end < text_.size() && continues_name(text_[end])) ++end;
      return token(begins_name(c) ? Token::kName : Token::kNumber, at, end);
    }
    const bool is_pair =
        two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "=>" || two == "&&" || two == "||";
    Token sign = token(Token::kSign, at, at + (is_pair ? 2 : 1));
    sign.sign = is_pair ? 'o' : c;
    return sign;
  }

  /// A quoted text, with the texts in its `${ ... }`. One that is not closed ends with its line.
  Token text_at(std::size_t begin) const {
    std::vector<std::size_t> depths{0};  // open braces of each text that is open, the outermost first
    for (std::size_t i = begin + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      const char c = text_[i];
      std::size_t& depth = depths.back();
      if (c == '\\' && depth == 0) {
        ++i;
      } else if ((c == '$' || c == '%') && text_.substr(i + 1, 1) == "{") {
        ++depth;
        ++i;
      } else if (c == '"' && depth > 0) {
        depths.push_back(0);
      } else if (c == '"') {
        depths.pop_back();
        if (depths.empty()) return token(Token::kText, begin, i + 1);
      } else if (depth > 0 && (c == '{' || c == '}')) {
        depth += c == '{' ? 1 : -1;
      }
    }
    Token open = token(Token::kText, begin, text_.find('\n', begin));
    open.is_closed = false;
    return open;
  }

  /// `<<EOF` or `<<-EOF` to the line that is EOF.
  Token heredoc_at(std::size_t begin) const {
    std::size_t at = begin + 2;
    if (at < text_.size() && text_[at] == '-') ++at;
    std::size_t end = at;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    const auto word = text_.substr(at, end - at);
    if (word.empty()) {
      Token sign = token(Token::kSign, begin, begin + 2);
      sign.sign = 'o';
      return sign;
    }
    for (std::size_t line = text_.find('\n', end); line != std::string_view::npos; line = text_.find('\n', line + 1)) {
      const std::size_t first = std::min(text_.find_first_not_of(" \t", line + 1), text_.size());
      const std::size_t stop = std::min(text_.find_first_of("\r\n", first), text_.size());
      if (text_.substr(first, stop - first) == word) return token(Token::kHeredoc, begin, stop);
    }
    return token(Token::kHeredoc, begin, text_.size());
  }

  bool holds_cursor(const Token& token) const {
    if (cursor_ <= token.span.begin) return false;
    switch (token.kind) {
      case Token::kName:
      case Token::kNumber:
      case Token::kComment:
        return cursor_ <= token.span.end;
      case Token::kText:
        return token.is_closed ? cursor_ < token.span.end : cursor_ <= token.span.end;
      case Token::kHeredoc:
        return cursor_ < token.span.end;
      default:
        return false;
    }
  }

  void open(char closing, bool is_body) {
    const bool has_keys = is_body || closing == '}';
    frames_.push_back({.closing = closing,
                       .is_body = is_body,
                       .state = has_keys ? State::kKey : State::kValue,
                       .key = {},
                       .labels = {},
                       .id = keys_.size()});
    keys_.emplace_back();
  }

  void close(char bracket) {
    const auto match =
        std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) { return frame.closing == bracket; });
    if (match == frames_.rend()) return;
    frames_.erase(match.base() - 1, frames_.end());
    Frame& outer = frames_.back();
    outer.state = outer.state == State::kKey ? State::kAfterKey : State::kDone;  // `(var.name) = value` has a key
  }

  void take(const Token& token) {
    Frame& frame = frames_.back();
    switch (token.kind) {
      case Token::kLineEnd:
        if (frame.has_keys()) begin_member(frame);
        return;
      case Token::kName:
      case Token::kText:
        return take_word(token, frame);
      case Token::kNumber:
      case Token::kHeredoc:
        frame.state = State::kDone;
        return;
      case Token::kSign:
        return take_sign(token.sign, frame);
      default:
        return;
    }
  }

  static void begin_member(Frame& frame) {
    frame.state = State::kKey;
    frame.key.clear();
    frame.labels.clear();
  }

  void take_word(const Token& token, Frame& frame) {
    if (frame.has_keys() && frame.state == State::kKey) {
      frame.key = word_of(token);
      frame.labels.clear();
      frame.state = State::kAfterKey;
      const bool is_typed = place_.word.length() > 0 && place_.word.begin == token.span.begin;
      if (!is_typed) keys_[frame.id].insert(frame.key);
    } else if (frame.is_body && frame.state == State::kAfterKey) {
      frame.labels.push_back(word_of(token));
    } else {
      frame.state = State::kDone;
    }
  }

  void take_sign(char sign, Frame& frame) {
    switch (sign) {
      case '{': {
        const bool is_block = frame.is_body && frame.state == State::kAfterKey;
        return open('}', is_block);
      }
      case '[':
      case '(':
        return open(sign == '[' ? ']' : ')', false);
      case '}':
      case ']':
      case ')':
        return close(sign);
      case ',':
        if (frame.closing == '}') return begin_member(frame);
        frame.state = State::kValue;
        return;
      case '=':
      case ':':
        if (frame.has_keys() && frame.state == State::kAfterKey) frame.state = State::kValue;
        return;
      case '?':
        frame.state = State::kValue;
        return;
      default:
        return;
    }
  }

  std::string word_of(const Token& token) const {
    const bool is_text = token.kind == Token::kText;
    const std::uint32_t begin = token.span.begin + (is_text ? 1 : 0);
    const std::uint32_t end = token.span.end - (is_text && token.is_closed ? 1 : 0);
    return std::string(text_.substr(begin, end - begin));
  }

  /// The first token that ends behind the cursor.
  void meet_cursor(const Token& token) {
    has_met_ = true;
    const bool is_in_word = holds_cursor(token);
    const Frame& frame = frames_.back();
    if (is_in_word && token.kind == Token::kHeredoc) return meet_in_heredoc(token);
    const bool is_word = token.kind == Token::kName || token.kind == Token::kText;
    if (is_in_word && !is_word) return;
    if (frame.has_keys() && frame.state == State::kKey) return note_place(CursorPlace::Kind::kKey, token, is_in_word);
    if (frame.state == State::kValue) note_place(CursorPlace::Kind::kValue, token, is_in_word);
  }

  Path path_to(CursorPlace::Kind kind) const {
    Path path;
    for (const auto& frame : frames_) {
      const bool is_last = &frame == &frames_.back();
      if (frame.has_keys() && !(is_last && kind == CursorPlace::Kind::kKey)) {
        path.push_back({frame.key, false});
        for (const auto& label : frame.labels) path.push_back({label, false});
      }
      if (frame.closing == ']') path.push_back({{}, true});
    }
    return path;
  }

  void note_place(CursorPlace::Kind kind, const Token& token, bool is_in_word) {
    CursorPlace place;
    place.kind = kind;
    place.is_hcl = true;
    place.path = path_to(kind);
    place.word = is_in_word ? token.span : Span{cursor_, cursor_};
    place.is_quoted = is_in_word && token.kind == Token::kText;
    const std::uint32_t begin = place.word.begin + (place.is_quoted ? 1 : 0);
    place.typed = text_.substr(begin, cursor_ - begin);
    if (place.typed.find("${") != std::string::npos) return;                 // an expression in a text
    if (place.word.begin > 0 && text_[place.word.begin - 1] == '.') return;  // a part of a reference
    const Token after = next(place.word.end);
    const bool is_argument = after.kind == Token::kSign && (after.sign == '=' || after.sign == ':');
    const bool is_block =
        is_in_word && ((after.kind == Token::kSign && after.sign == '{') || after.kind == Token::kText);
    place.has_colon = kind == CursorPlace::Kind::kKey && (is_argument || is_block);
    place_id_ = frames_.back().id;
    place_ = std::move(place);
  }

  /// Container definitions are often JSON in a heredoc.
  void meet_in_heredoc(const Token& token) {
    const std::size_t line = text_.find('\n', token.span.begin);
    if (line == std::string_view::npos || line >= cursor_) return;
    auto inner = place_in_flow(text_.substr(0, token.span.end), static_cast<std::uint32_t>(line + 1), cursor_);
    if (!inner) return;
    Path path = path_to(CursorPlace::Kind::kValue);
    path.insert(path.end(), inner->path.begin(), inner->path.end());
    place_ = std::move(*inner);
    place_.path = std::move(path);
    is_inner_ = true;
  }

  std::string_view text_;
  std::uint32_t cursor_;
  std::vector<Frame> frames_;
  std::vector<std::set<std::string>> keys_;  ///< Indexed by the id of a frame.
  bool has_met_ = false;
  bool is_inner_ = false;  ///< The place is in JSON inside of a heredoc, which has its own keys.
  CursorPlace place_;
  std::size_t place_id_ = 0;
};

}  // namespace

CursorPlace place_in_hcl(std::string_view text, std::uint32_t cursor) {
  return HclScan(text, cursor).run();
}

}  // namespace bayplan::lsp
