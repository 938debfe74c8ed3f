#include "text/yaml_events.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "base/ascii.hpp"

namespace bayplan::text {
namespace {

using Type = YamlEvent::Type;

bool is_flow_indicator(char c) {
  return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}
bool is_tag_character(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return std::string_view("!-#;/?:@&=+$_.~*'()%").find(c) != std::string_view::npos;
}
/// One pass over the events with a cursor behind the last token.
class Locator {
 public:
  Locator(std::string_view text, YamlEvents& events) : text_(text), events_(events.list) {}

  std::optional<Fault> run() {
    for (std::size_t i = 0; i < events_.size(); ++i) locate_event(i);
    return std::move(unclosed_);
  }

 private:
  struct Frame {
    std::size_t event;
    bool is_flow;
    bool has_child = false;
    bool wants_value = false;  ///< The key of a map entry has been read.
  };

  void locate_event(std::size_t i) {
    auto& event = events_[i];
    switch (event.type) {
      case Type::kScalar:
        scalar(i);
        break;
      case Type::kNull:
        null(i);
        break;
      case Type::kAlias:
        alias(event);
        break;
      case Type::kMap:
      case Type::kSequence:
        open(i);
        return;
      case Type::kClose:
        close();
        break;
    }
    if (event.type != Type::kClose) keep_order(event);
    note_child(event.type == Type::kClose ? closed_ : i);
  }

  /// Should the parser's mark and the text ever disagree, a span is cut rather than put before its neighbor. That is a
  /// mistake of this file: builds with assertions, tests and fuzzing stop at it.
  void keep_order(YamlEvent& event) {
    assert(event.span.begin >= last_end_ && event.span.begin <= event.span.end && event.span.end <= size());
    event.span.begin = std::max(event.span.begin, last_end_);
    event.span.end = std::max(event.span.end, event.span.begin);
    last_end_ = event.span.end;
    cursor_ = std::max(cursor_, last_end_);
  }

  /// A block map begins at its first key, which is known only now.
  void note_child(std::size_t i) {
    if (frames_.empty()) return;
    auto& frame = frames_.back();
    auto& parent = events_[frame.event];
    if (!frame.has_child && !frame.is_flow && parent.type == Type::kMap) parent.span.begin = events_[i].span.begin;
    frame.has_child = true;
    frame.wants_value = !frame.wants_value;
  }

  void open(std::size_t i) {
    auto& event = events_[i];
    const std::uint32_t start = after_properties(event.at);
    const char first = at(start);
    const bool is_flow = first == (event.type == Type::kMap ? '{' : '[');
    event.span = {start, is_flow ? start + 1 : start};
    cursor_ = std::max(cursor_, is_flow ? start + 1 : event.type == Type::kMap ? event.at : start);
    frames_.push_back({i, is_flow});
  }

  void close() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    closed_ = frame.event;
    auto& event = events_[frame.event];
    if (frame.is_flow) {
      std::uint32_t end = cursor_;
      do end = after_blanks(end);
      while (end < text_.size() && (text_[end] == ',' || text_[end] == ':' || text_[end] == '?') && ++end);
      if (at(end) == (event.type == Type::kMap ? '}' : ']')) cursor_ = end + 1;
    }
    event.span.end = cursor_ = std::max(cursor_, event.span.begin);
  }

  void alias(YamlEvent& event) {
    event.span = {event.at, word_end(event.at + 1)};
    cursor_ = event.span.end;
  }

  void null(std::size_t i) {
    auto& event = events_[i];
    const std::uint32_t start = event.anchor != 0 ? after_properties(event.at) : event.at;
    const std::uint32_t end = null_word_end(start);
    if (end > start && start >= cursor_ && !is_of_another(i, start)) {
      event.span = {start, end};
      event.text = text_.substr(start, end - start);
    } else {
      const std::uint32_t place = event.anchor != 0 ? word_end(event.at) : empty_place(next_token(i));
      event.span = {place, place};
    }
    cursor_ = std::max(cursor_, event.span.end);
  }

  void scalar(std::size_t i) {
    auto& event = events_[i];
    const bool has_properties = !event.tag.empty() || event.anchor != 0 || at(event.at) == '!';
    const std::uint32_t limit = next_token(i);
    const bool is_quoted = after_properties(event.at) < limit && starts_quoted(after_properties(event.at));
    if (has_properties && event.text.empty() && !is_quoted) {
      const std::uint32_t place = properties_end(event.at, limit);
      event.span = {place, place};
    } else {
      const std::uint32_t start = has_properties ? after_properties(event.at) : event.at;
      event.span = {start, scalar_end(event, start, limit)};
    }
    cursor_ = std::max(cursor_, event.span.end);
  }

  /// Whether the text at `start`, behind the anchor of a null, is that of what comes behind it. Of an explicit key
  /// without a value, `?` alone, the parser puts the value before the key.
  bool is_of_another(std::size_t null, std::uint32_t start) const {
    const std::uint32_t place = events_[null].at;
    for (std::size_t i = null + 1; i < events_.size(); ++i) {
      const auto& event = events_[i];
      if (event.type != Type::kClose && !(event.type == Type::kNull && event.at < place)) return event.at <= start;
    }
    return false;
  }

  bool starts_quoted(std::uint32_t start) const {
    const char c = at(start);
    return c == '"' || c == '\'' || c == '|' || c == '>';
  }

  std::uint32_t scalar_end(YamlEvent& event, std::uint32_t start, std::uint32_t limit) {
    const char first = at(start);
    if (!event.plain && first == '"') return quoted_end(event, start, Style::kDoubleQuoted);
    if (!event.plain && first == '\'') return quoted_end(event, start, Style::kSingleQuoted);
    if (!event.plain && (first == '|' || first == '>')) {
      event.style = Style::kBlock;
      return block_end(start, limit);
    }
    return plain_end(start, event.text);
  }

  std::uint32_t quoted_end(YamlEvent& event, std::uint32_t start, Style style) {
    event.style = style;
    const char quote = text_[start];
    for (std::uint32_t i = start + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '"' || at(i + 1) != '\'') return i + 1;
        ++i;
      }
    }
    note_unclosed(start);
    return size();
  }

  void note_unclosed(std::uint32_t start) {
    if (unclosed_) return;
    unclosed_ = Fault{FaultKind::kYamlSyntax,
                      {start, line_end(start)},
                      "unclosed quote",
                      std::string("close the string with ") + text_[start],
                      {},
                      {}};
  }

  /// From the `|` or `>` to the last line that is indented enough; `limit` is the next token.
  std::uint32_t block_end(std::uint32_t start, std::uint32_t limit) const {
    std::uint32_t end = line_end(start);
    const std::string_view header = text_.substr(start, end - start);
    const bool has_indicator = header.substr(0, header.find('#')).find_first_of("123456789") != std::string_view::npos;
    while (end > start && is_space(text_[end - 1])) --end;
    std::optional<std::uint32_t> wanted;
    if (has_indicator) wanted = indentation(line_start(start)) + 1;
    for (std::uint32_t line = after_line_end(line_end(start)); line < limit && line < size();
         line = after_line_end(line_end(line))) {
      const std::uint32_t last = line_end(line);
      const std::uint32_t indent = indentation(line);
      if (line + indent >= last) continue;
      if (indent < least_block_indent()) break;
      if (!wanted) wanted = indent;
      if (indent < *wanted || line + indent >= limit) break;
      end = last;
    }
    return end;
  }

  /// The text of a block scalar is indented deeper than the list or map around it; at the root it need not be.
  std::uint32_t least_block_indent() const {
    if (frames_.empty()) return 0;
    const Frame& frame = frames_.back();
    const YamlEvent& around = events_[frame.event];
    const std::uint32_t begin = around.type == Type::kMap && frame.has_child ? around.span.begin : around.at;
    return begin - line_start(begin) + 1;
  }

  /// A folded scalar differs from its text: a line end reads as a blank, further ones as line ends.
  std::uint32_t plain_end(std::uint32_t start, std::string_view value) const {
    if (text_.substr(start, value.size()) == value) return start + static_cast<std::uint32_t>(value.size());
    std::uint32_t source = start;
    for (std::size_t i = 0; i < value.size() && source < size();) {
      if (text_[source] == value[i] && !is_space(value[i])) {
        ++source;
        ++i;
      } else if (is_space(text_[source])) {
        while (source < size() && is_space(text_[source])) ++source;
        while (i < value.size() && is_space(value[i])) ++i;
      } else {
        break;
      }
    }
    return source;
  }

  /// Just after the `:` or `-` that asks for the value; where the next token begins, they are its text.
  std::uint32_t empty_place(std::uint32_t next_token) const {
    const std::uint32_t next = after_blanks(cursor_);
    if (frames_.empty() || next == next_token) return cursor_;
    const Frame& frame = frames_.back();
    const bool is_map = events_[frame.event].type == Type::kMap;
    if (is_map) return frame.wants_value && at(next) == ':' ? next + 1 : cursor_;
    if (at(next) == (frame.is_flow ? ',' : '-')) return next + 1;
    return cursor_;
  }

  std::uint32_t next_token(std::size_t i) const {
    for (++i; i < events_.size(); ++i) {
      if (events_[i].type != Type::kClose && !(events_[i].type == Type::kNull && events_[i].at < cursor_))
        return events_[i].at;
    }
    return size();
  }

  /// Past `!tag` and `&anchor`, blanks and comments.
  std::uint32_t after_properties(std::uint32_t offset) const {
    while (at(offset) == '!' || at(offset) == '&') offset = after_blanks(word_end(offset));
    return offset;
  }
  std::uint32_t properties_end(std::uint32_t offset, std::uint32_t limit) const {
    std::uint32_t end = offset;
    while (offset < limit && (at(offset) == '!' || at(offset) == '&')) offset = after_blanks(end = word_end(offset));
    return end;
  }

  std::uint32_t word_end(std::uint32_t offset) const {
    if (text_.substr(std::min(offset, size()), 2) == "!<") {
      const auto close = text_.find('>', offset);
      if (close != std::string_view::npos) return static_cast<std::uint32_t>(close + 1);
    }
    const bool is_tag = at(offset) == '!';
    while (offset < size() && !is_space(text_[offset]) && !is_flow_indicator(text_[offset])) {
      if (is_tag && !is_tag_character(text_[offset])) break;
      ++offset;
    }
    return offset;
  }

  std::uint32_t null_word_end(std::uint32_t start) const {
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
      if (text_.substr(std::min(start, size()), word.size()) == word)
        return start + static_cast<std::uint32_t>(word.size());
    }
    return start;
  }

  std::uint32_t after_blanks(std::uint32_t offset) const {
    while (offset < size()) {
      if (is_space(text_[offset])) {
        ++offset;
      } else if (text_[offset] == '#' &&
                 (offset == 0 || is_space(text_[offset - 1]) || is_flow_indicator(text_[offset - 1]))) {
        offset = line_end(offset);
      } else {
        break;
      }
    }
    return offset;
  }

  std::uint32_t line_start(std::uint32_t offset) const {
    while (offset > 0 && !is_line_end(text_[offset - 1])) --offset;
    return offset;
  }
  std::uint32_t line_end(std::uint32_t offset) const {
    while (offset < size() && !is_line_end(text_[offset])) ++offset;
    return offset;
  }
  std::uint32_t after_line_end(std::uint32_t offset) const {
    return offset + (at(offset) == '\r' && at(offset + 1) == '\n' ? 2 : 1);
  }
  std::uint32_t indentation(std::uint32_t line) const {
    std::uint32_t indent = 0;
    while (at(line + indent) == ' ') ++indent;
    return indent;
  }

  char at(std::uint32_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }

  std::string_view text_;
  std::vector<YamlEvent>& events_;
  std::vector<Frame> frames_;
  std::uint32_t cursor_ = 0;
  std::uint32_t last_end_ = 0;  ///< Where the last scalar or alias ends.
  std::size_t closed_ = 0;
  std::optional<Fault> unclosed_;
};

}  // namespace

std::optional<Fault> locate(std::string_view text, YamlEvents& events) {
  return Locator(text, events).run();
}

}  // namespace bayplan::text
