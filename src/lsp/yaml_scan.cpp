// Block style of YAML by its indentation, line by line.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "lsp/cursor_place.hpp"

namespace bayplan::lsp {

namespace {

/// Scans JSON, or flow style of YAML, from `begin` on, and returns where `cursor` is in it. Strings end with their
/// line at the latest, keys are what a colon follows, brackets that match nothing are passed over.
class FlowScan {
 public:
  FlowScan(std::string_view text, std::uint32_t cursor) : text_(text), cursor_(cursor) {}

  /// Until the value that begins there has ended, or to the end of the text. Gives the offset behind it.
  std::uint32_t run(std::uint32_t begin);
  /// Nothing when the cursor is behind what was scanned, or in a comment. The path begins at the value scanned.
  std::optional<CursorPlace> place() &&;

 private:
  enum class State : std::uint8_t { kKey, kColon, kValue, kDone };
  struct Frame {
    bool is_object = false;
    State state = State::kValue;
    std::string key;
    std::size_t id = 0;  ///< Id of its keys.
  };
  struct Token {
    char kind = 0;  ///< One of `{}[],:`, '"' for a string, 'w' for a bare word, '#' for a comment, 0 at the end.
    Span span;
    bool is_closed = true;  ///< Whether a string is closed.
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
  std::vector<std::set<std::string>> keys_;  ///< Indexed by the id of a frame.
  std::uint32_t last_end_ = 0;               ///< End of the last token that is not a comment.
  bool has_begun_ = false;
  bool has_met_ = false;
  std::optional<CursorPlace> place_;
  std::size_t place_id_ = 0;
};

constexpr std::string_view kFlowBlanks = " \t\r\n";
constexpr std::string_view kWordEnds = " \t\r\n{}[],:\"";

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '$';
}

std::uint32_t end_at(std::string_view text, std::size_t offset) {
  return static_cast<std::uint32_t>(std::min(offset, text.size()));
}

FlowScan::Token FlowScan::string_at(std::uint32_t begin) const {
  for (std::size_t i = begin + 1; i < text_.size(); ++i) {
    if (text_[i] == '\n' || text_[i] == '\r') return {'"', {begin, end_at(text_, i)}, false};
    if (text_[i] == '"') return {'"', {begin, end_at(text_, i + 1)}, true};
    if (text_[i] == '\\') ++i;
  }
  return {'"', {begin, end_at(text_, text_.size())}, false};
}

FlowScan::Token FlowScan::comment_at(std::uint32_t begin, std::string_view end) const {
  const std::size_t found = text_.find(end, begin + 1);
  const std::size_t size = end == "\n" ? 0 : end.size();
  return {'#', {begin, found == std::string_view::npos ? end_at(text_, found) : end_at(text_, found + size)}, true};
}

FlowScan::Token FlowScan::next(std::uint32_t from) const {
  const std::size_t at = text_.find_first_not_of(kFlowBlanks, from);
  if (at == std::string_view::npos) return {0, {end_at(text_, at), end_at(text_, at)}, true};
  const auto begin = static_cast<std::uint32_t>(at);
  const std::string_view two = text_.substr(at, 2);
  if (two == "//" || text_[at] == '#') return comment_at(begin, "\n");
  if (two == "/*") return comment_at(begin, "*/");
  if (text_[at] == '"') return string_at(begin);
  if (std::string_view("{}[],:").find(text_[at]) != std::string_view::npos)
    return {text_[at], {begin, begin + 1}, true};
  return {'w', {begin, end_at(text_, text_.find_first_of(kWordEnds, at))}, true};
}

bool FlowScan::is_before_colon(std::uint32_t end) const {
  return next(end).kind == ':';
}

bool FlowScan::holds_cursor(const Token& token) const {
  if (token.kind != '"' && token.kind != 'w' && token.kind != '#') return false;
  if (cursor_ <= token.span.begin) return false;
  const bool is_open_ended = token.kind == 'w' || !token.is_closed || (token.kind == '#' && text_[cursor_ - 1] != '/');
  return is_open_ended ? cursor_ <= token.span.end : cursor_ < token.span.end;
}

/// Whether something begins there that a comma must keep apart from what is written before it.
bool FlowScan::wants_comma_at(std::uint32_t offset) const {
  Token token = next(offset);
  while (token.kind == '#') token = next(token.span.end);
  return token.kind == '"' || token.kind == 'w' || token.kind == '{' || token.kind == '[';
}

void FlowScan::note_place(CursorPlace::Kind kind, const Token& token, bool is_in_word) {
  CursorPlace place;
  place.kind = kind;
  for (const auto& frame : frames_) {
    const bool is_last = &frame == &frames_.back();
    if (frame.is_object && !(is_last && kind == CursorPlace::Kind::kKey)) place.path.push_back({frame.key, false});
    if (!frame.is_object) place.path.push_back({{}, true});
  }
  place.word = is_in_word ? token.span : Span{cursor_, cursor_};
  place.is_quoted = is_in_word && token.kind == '"';
  // A key whose quote is still open seems to reach to the next quote: it ends where its letters end.
  if (kind == CursorPlace::Kind::kKey && is_in_word) {
    std::uint32_t end = cursor_;
    while (end < token.span.end && is_key_letter(text_[end])) ++end;
    const bool is_whole = place.is_quoted && token.is_closed && end + 1 == token.span.end;
    place.word.end = is_whole ? token.span.end : end;
  }
  const std::uint32_t begin = place.word.begin + (place.is_quoted ? 1 : 0);
  place.typed = text_.substr(begin, cursor_ - begin);
  place.has_colon = kind == CursorPlace::Kind::kKey && next(place.word.end).kind == ':';
  place.wants_comma = !place.has_colon && wants_comma_at(place.word.end);
  if (kind == CursorPlace::Kind::kKey && frames_.back().state == State::kDone) place.lacks_comma = last_end_;
  place_id_ = frames_.empty() ? 0 : frames_.back().id;
  place_ = std::move(place);
}

/// The first token that ends behind the cursor.
void FlowScan::meet_cursor(const Token& token) {
  has_met_ = true;
  const bool is_in_word = holds_cursor(token);
  if (is_in_word && token.kind == '#') return;
  if (frames_.empty()) return;
  const Frame& frame = frames_.back();
  const bool is_key = frame.is_object && (frame.state == State::kKey || (is_in_word && frame.state == State::kDone) ||
                                          (is_in_word && is_before_colon(token.span.end) && token.is_closed));
  if (is_key) return note_place(CursorPlace::Kind::kKey, token, is_in_word);
  if (frame.state == State::kValue) return note_place(CursorPlace::Kind::kValue, token, is_in_word);
}

void FlowScan::open(bool is_object) {
  if (!frames_.empty() && frames_.back().state == State::kKey) frames_.back().key.clear();
  frames_.push_back({is_object, is_object ? State::kKey : State::kValue, {}, keys_.size()});
  keys_.emplace_back();
  has_begun_ = true;
}

void FlowScan::close(bool is_object) {
  const auto match =
      std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) { return frame.is_object == is_object; });
  if (match == frames_.rend()) return;
  frames_.erase(match.base() - 1, frames_.end());
  if (!frames_.empty()) frames_.back().state = State::kDone;
}

/// The word at the cursor, which may have been taken for a longer one.
bool FlowScan::is_typed(const Token& token) const {
  return place_ && place_->word.length() > 0 && place_->word.begin == token.span.begin;
}

void FlowScan::take_word(const Token& token) {
  if (frames_.empty()) return;
  Frame& frame = frames_.back();
  const bool is_key = frame.is_object && (frame.state == State::kKey || is_before_colon(token.span.end));
  if (!is_key) {
    frame.state = State::kDone;
    return;
  }
  const bool has_quote = token.kind == '"';
  const std::uint32_t end = token.span.end - (has_quote && token.is_closed ? 1 : 0);
  const std::uint32_t begin = token.span.begin + (has_quote ? 1 : 0);
  frame.key = text_.substr(begin, end - begin);
  frame.state = State::kColon;
  if (!is_typed(token)) keys_[frame.id].insert(frame.key);
}

void FlowScan::take(const Token& token) {
  switch (token.kind) {
    case '{':
    case '[':
      return open(token.kind == '{');
    case '}':
    case ']':
      return close(token.kind == '}');
    case ',':
      if (!frames_.empty()) frames_.back().state = frames_.back().is_object ? State::kKey : State::kValue;
      return;
    case ':':
      if (!frames_.empty() && frames_.back().is_object) frames_.back().state = State::kValue;
      return;
    case '"':
    case 'w':
      return take_word(token);
    default:
      return;
  }
}

std::uint32_t FlowScan::run(std::uint32_t begin) {
  for (std::uint32_t at = begin;;) {
    const Token token = next(at);
    const bool is_past = token.kind == 0 || cursor_ <= token.span.begin || holds_cursor(token);
    if (!has_met_ && cursor_ >= at && is_past) meet_cursor(token);
    if (token.kind == 0) return token.span.end;
    take(token);
    if (token.kind != '#') last_end_ = token.span.end;
    if (has_begun_ && frames_.empty()) return token.span.end;
    at = token.span.end;
    if (is_typed(token)) at = place_->word.end;
  }
}

std::optional<CursorPlace> FlowScan::place() && {
  if (!place_) return std::nullopt;
  place_->present = keys_[place_id_];
  place_->root_keys = keys_.front();
  return std::move(place_);
}

/// Where a key ends: at a colon that a blank or the end of the line follows.
std::optional<std::size_t> colon_of(std::string_view content) {
  std::size_t from = 0;
  if (!content.empty() && (content.front() == '"' || content.front() == '\'')) {
    const std::size_t closing = content.find(content.front(), 1);
    if (closing == std::string_view::npos) return std::nullopt;
    from = closing + 1;
  }
  for (std::size_t at = content.find(':', from); at != std::string_view::npos; at = content.find(':', at + 1)) {
    if (at + 1 == content.size() || content[at + 1] == ' ' || content[at + 1] == '\t') return at;
    if (content.find('#') < at) return std::nullopt;
  }
  return std::nullopt;
}

std::string unquoted(std::string_view key) {
  key = trim(key);
  const bool is_quoted = key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front();
  return std::string(is_quoted ? key.substr(1, key.size() - 2) : key);
}

std::string_view without_comment(std::string_view content) {
  for (std::size_t at = content.find('#'); at != std::string_view::npos; at = content.find('#', at + 1)) {
    if (at == 0 || content[at - 1] == ' ' || content[at - 1] == '\t') return content.substr(0, at);
  }
  return content;
}

class YamlScan {
 public:
  YamlScan(std::string_view text, std::uint32_t cursor) : text_(text), cursor_(cursor) {}

  CursorPlace run() && {
    for (std::size_t begin = 0; begin <= text_.size();) {
      std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::size_t next = end + 1;
      if (end > begin && text_[end - 1] == '\r') --end;
      const bool has_cursor = begin <= cursor_ && cursor_ < next;
      begin = has_cursor ? cursor_line(begin, end, next) : line(begin, end, next);
    }
    if (place_frame_ != kNoFrame) place_.present = keys_[place_frame_];
    if (!keys_.empty()) place_.root_keys = keys_[0];
    return std::move(place_);
  }

 private:
  struct Level {
    std::size_t indent;
    bool is_list;
    std::string key;  ///< Last key of a mapping.
    std::size_t frame;
  };
  static constexpr std::size_t kNoFrame = static_cast<std::size_t>(-1);

  void pop_beyond(std::size_t indent) {
    while (!levels_.empty() && levels_.back().indent > indent) levels_.pop_back();
  }

  void push(std::size_t indent, bool is_list) {
    levels_.push_back({indent, is_list, {}, keys_.size()});
    keys_.emplace_back();
  }

  /// A mapping whose keys are there.
  Level& mapping_at(std::size_t indent) {
    pop_beyond(indent);
    if (!levels_.empty() && levels_.back().indent == indent && levels_.back().is_list) levels_.pop_back();
    if (levels_.empty() || levels_.back().indent < indent) push(indent, false);
    return levels_.back();
  }

  /// Moves `at` past the dashes of a line; true when there was one.
  bool take_dashes(std::size_t line_begin, std::size_t& at, std::size_t end) {
    bool has_dash = false;
    while (at < end && text_[at] == '-' && (at + 1 == end || text_[at + 1] == ' ')) {
      const std::size_t indent = at - line_begin;
      pop_beyond(indent);
      if (levels_.empty() || levels_.back().indent < indent || !levels_.back().is_list) push(indent, true);
      has_dash = true;
      at = std::min(text_.find_first_not_of(' ', at + 1), end);
    }
    return has_dash;
  }

  /// A line without the cursor. Gives where to go on.
  std::size_t line(std::size_t begin, std::size_t end, std::size_t next) {
    std::size_t at = std::min(text_.find_first_not_of(" \t", begin), end);
    if (at == end || text_[at] == '#' || text_.substr(begin, 3) == "---") return next;
    if (is_in_block(at - begin)) return next;
    take_dashes(begin, at, end);
    return take_content(begin, at, end, next);
  }

  bool is_in_block(std::size_t indent) {
    if (block_indent_ && indent > *block_indent_) return true;
    block_indent_.reset();
    return false;
  }

  std::size_t take_content(std::size_t line_begin, std::size_t at, std::size_t end, std::size_t next) {
    const std::string_view content = text_.substr(at, end - at);
    const auto colon =
        content.empty() || content.front() == '{' || content.front() == '[' ? std::nullopt : colon_of(content);
    std::size_t value = at;
    if (colon) {
      Level& level = mapping_at(at - line_begin);
      level.key = unquoted(content.substr(0, *colon));
      keys_[level.frame].insert(level.key);
      value = std::min(text_.find_first_not_of(" \t", at + *colon + 1), end);
    }
    if (value >= end) return next;
    if (text_[value] == '|' || text_[value] == '>') block_indent_ = at - line_begin;
    const bool is_flow = text_[value] == '{' || text_[value] == '[';
    return is_flow ? take_flow(value, next) : next;
  }

  /// Flow style may go on over lines, and the cursor may be in it.
  std::size_t take_flow(std::size_t begin, std::size_t next) {
    FlowScan scan(text_, cursor_);
    const std::uint32_t end = scan.run(static_cast<std::uint32_t>(begin));
    if (cursor_ > begin && cursor_ <= end) {
      if (auto place = std::move(scan).place()) {
        const Path inner = std::move(place->path);
        place_ = std::move(*place);
        place_.path = block_path();
        place_.path.insert(place_.path.end(), inner.begin(), inner.end());
      }
    }
    if (end < next) return next;
    const std::size_t line_end = text_.find('\n', end);
    return line_end == std::string_view::npos ? text_.size() + 1 : line_end + 1;
  }

  /// Returns the path to the value of the innermost key, or to the element.
  Path block_path() const {
    Path path;
    for (const auto& level : levels_) path.push_back({level.key, level.is_list});
    return path;
  }

  std::size_t cursor_line(std::size_t begin, std::size_t end, std::size_t next) {
    const std::size_t first = std::min(text_.find_first_not_of(" \t", begin), end);
    const bool is_blank = first == end;
    std::size_t at = is_blank ? std::min<std::size_t>(cursor_, end) : first;
    if (is_in_block(at - begin) || (!is_blank && (text_[at] == '#' || cursor_ < at))) {
      return is_blank ? next : line(begin, end, next);
    }
    if (without_comment(text_.substr(begin, cursor_ - begin)).size() < cursor_ - begin) return line(begin, end, next);
    const bool has_dash = take_dashes(begin, at, end);
    if (cursor_ < at) return take_content(begin, at, end, next);  // amid the dashes
    const std::string_view content = text_.substr(at, end - at);
    if (!content.empty() && (content.front() == '{' || content.front() == '[')) {
      return take_content(begin, at, end, next);
    }
    const auto colon = colon_of(content);
    if (colon && cursor_ > at + *colon) return value_at_cursor(begin, at, at + *colon, end, next);
    key_at_cursor(begin, at, end, has_dash, colon.has_value());
    return next;
  }

  void note_word(std::size_t begin, std::size_t end) {
    place_.is_flow = false;
    place_.word = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    place_.is_quoted = begin < end && (text_[begin] == '"' || text_[begin] == '\'');
    const std::size_t from = begin + (place_.is_quoted ? 1 : 0);
    place_.typed = text_.substr(from, cursor_ > from ? cursor_ - from : 0);
  }

  std::size_t value_at_cursor(std::size_t line_begin, std::size_t at, std::size_t colon, std::size_t end,
                              std::size_t next) {
    const std::size_t value = std::min(text_.find_first_not_of(" \t", colon + 1), end);
    const std::size_t after = take_content(line_begin, at, end, next);
    if (value < end && (text_[value] == '{' || text_[value] == '[' || text_[value] == '|' || text_[value] == '>')) {
      return after;
    }
    place_.kind = CursorPlace::Kind::kValue;
    place_.path = block_path();
    const std::size_t stop = value + trim(without_comment(text_.substr(value, end - value))).size();
    const bool is_in_word = value < cursor_ && cursor_ <= stop;
    note_word(is_in_word ? value : cursor_, is_in_word ? stop : cursor_);
    place_.wants_blank = cursor_ == colon + 1;
    return after;
  }

  void key_at_cursor(std::size_t line_begin, std::size_t at, std::size_t end, bool has_dash, bool has_colon) {
    const std::size_t column = at - line_begin;
    Level& level = mapping_at(column);
    place_frame_ = level.frame;
    place_.kind = CursorPlace::Kind::kKey;
    place_.path = block_path();
    place_.path.pop_back();
    place_.begins_element = has_dash;
    place_.has_colon = has_colon;
    const std::size_t first = std::min(text_.find_first_not_of(" \t", line_begin), end);
    place_.indent = static_cast<std::uint32_t>(at - std::min(first, at));
    std::size_t stop = std::max<std::size_t>(at, cursor_);
    while (stop < end && std::string_view(" \t:,#").find(text_[stop]) == std::string_view::npos) ++stop;
    note_word(at, stop);
    if (has_colon) level.key = unquoted(text_.substr(at, stop - at));
  }

  std::string_view text_;
  std::uint32_t cursor_;
  std::vector<Level> levels_;
  std::vector<std::set<std::string>> keys_;  ///< One entry per frame.
  std::optional<std::size_t> block_indent_;  ///< Indent of the key whose block scalar the lines are.
  CursorPlace place_;
  std::size_t place_frame_ = kNoFrame;
};

bool begins_with_bracket(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

}  // namespace

CursorPlace place_in_json(std::string_view text, std::uint32_t cursor) {
  FlowScan scan(text, cursor);
  scan.run(0);
  return std::move(scan).place().value_or(CursorPlace{});
}

CursorPlace place_in_yaml(std::string_view text, std::uint32_t cursor) {
  return YamlScan(text, cursor).run();
}

std::optional<CursorPlace> place_in_flow(std::string_view text, std::uint32_t begin, std::uint32_t cursor) {
  FlowScan scan(text, cursor);
  const std::uint32_t end = scan.run(begin);
  return cursor > begin && cursor <= end ? std::move(scan).place() : std::nullopt;
}

CursorPlace place_in(std::string_view text, text::Format format, std::uint32_t cursor) {
  if (format == text::Format::kHcl) return place_in_hcl(text, cursor);
  return format == text::Format::kJson || begins_with_bracket(text) ? place_in_json(text, cursor)
                                                                    : place_in_yaml(text, cursor);
}

}  // namespace bayplan::lsp
