#include "lsp/flow_scan.hpp"

#include <algorithm>

namespace bayplan::lsp {
namespace {

constexpr std::string_view kFlowBlanks = " \t\r\n";
constexpr std::string_view kWordEnds = " \t\r\n{}[],:\"";

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '$';
}

std::uint32_t end_at(std::string_view text, std::size_t offset) {
  return static_cast<std::uint32_t>(std::min(offset, text.size()));
}

}  // namespace

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

}  // namespace bayplan::lsp
