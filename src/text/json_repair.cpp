#include "text/json_repair.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "text/json_blanks.hpp"
#include "text/json_lexis.hpp"
#include "text/json_lookahead.hpp"
#include "text/placeholder_syntax.hpp"
#include "text/repair_notes.hpp"
#include "text/template_language.hpp"

namespace bayplan::text {

namespace {

std::size_t after_blanks(std::string_view text, std::size_t offset) {
  while (offset < text.size() && is_space(text[offset])) ++offset;
  return offset;
}

/// `{` and what may follow it; for `[` the look behind it distinguishes a list from `[user@host]$`.
bool looks_like_root(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return false;
  if (text[offset] == '{') return text.substr(offset, 2) != "{{" || placeholder_length(text, offset) == 0;
  if (text[offset] != '[') return false;
  const std::size_t next = after_blanks(text, offset + 1);
  if (next >= text.size() || quote_at(text, next) != Quote::kNone) return true;
  for (const std::string_view word : {"true", "false", "null", "True", "False", "None"}) {
    if (text.substr(next, word.size()) == word) return true;
  }
  constexpr std::string_view kFirst = "{[]0123456789-.,/#$<";
  return kFirst.find(text[next]) != kNotFound || template_statement_length(text, next) > 0;
}

/// A literal, a number or a placeholder as the whole text.
bool is_scalar_text(std::string_view text, std::size_t offset) {
  std::size_t end = text.size();
  while (end > offset && is_space(text[end - 1])) --end;
  const std::string_view word = text.substr(offset, end - offset);
  return word == "true" || word == "false" || word == "null" || is_json_number(word) || is_placeholder(word);
}

/// `containerDefinitions: [`, `image = "x"`.
bool looks_like_member(std::string_view text, std::size_t offset) {
  std::size_t i = offset;
  while (i < text.size() && ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z'))) ++i;
  if (i == offset) return false;
  i = after_blanks(text, i);
  if (i >= text.size() || text[i] != ':') return false;
  i = after_blanks(text, i + 1);
  return i < text.size() && (text[i] == '{' || text[i] == '[' || quote_at(text, i) != Quote::kNone);
}

/// Where the JSON begins in a text whose first token is at `offset`: there, or behind a pasted prompt, a Markdown
/// fence or a sentence. npos when nothing looks like JSON.
std::size_t root_begin(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return kNotFound;
  if (looks_like_root(text, offset) || quote_at(text, offset) != Quote::kNone) return offset;
  if (is_scalar_text(text, offset) || looks_like_member(text, offset)) return offset;
  // At the begin of a line first: a prompt or a sentence may hold brackets of its own.
  for (std::size_t line = offset; line < text.size();) {
    const std::size_t first = after_blanks(text, line);
    if (looks_like_root(text, first)) return first;
    const std::size_t end = text.find('\n', first);
    if (end == kNotFound) break;
    line = end + 1;
  }
  for (std::size_t i = text.find('{', offset); i != kNotFound; i = text.find('{', i + 1)) {
    if (looks_like_root(text, i)) return i;
  }
  return text[offset] == '[' ? offset : kNotFound;
}

/// Reports why no JSON was found from `offset` on.
void note_no_root(std::string_view text, std::size_t offset, RepairNotes& notes) {
  const Span rest = trimmed(text, offset, text.size());
  if (rest.length() == 0) {
    notes.fault(FaultKind::kJsonSyntax, span_of(0, 0), "file is empty", "use a JSON object: { ... }");
  } else {
    notes.fault(FaultKind::kJsonSyntax, first_line(text, rest), "file is not JSON", "JSON starts with { or [");
  }
}

/// Reports what is at `offset`, behind the end of the JSON, and leaves it out.
void note_after_root(std::string_view text, std::size_t offset, RepairNotes& notes) {
  const Span rest = trimmed(text, offset, text.size());
  if (rest.length() == 1 && text[offset] == ',') {
    notes.mend(FaultKind::kTrailingComma, rest, "comma after the end of the JSON", "delete it", Edit{rest, ""}, true);
    return;
  }
  const bool is_bracket = text[offset] == '}' || text[offset] == ']';
  notes.mend(FaultKind::kJsonSyntax, first_line(text, rest),
             is_bracket ? "unmatched closing bracket" : "text after the end of the JSON",
             is_bracket ? "delete it, or check for a bracket above that closes too early"
                        : "delete it, or use a separate file for each document",
             Edit{rest, ""}, false);
  notes.leaves_out();
}

constexpr FaultKind kSyntax = FaultKind::kJsonSyntax;

/// Number of mistakes of different kinds after which the text is not JSON.
constexpr std::size_t kMaxFaults = 200;

Edit insertion(std::size_t at, std::string text) {
  return {span_of(at, at), std::move(text)};
}
Edit deletion(Span span) {
  return {span, ""};
}

/// Reads with an own stack what the strict reader would refuse, and edits it into what it takes.
class Parser {
 public:
  Parser(std::string_view text, RepairOptions options)
      : text_(text),
        has_bare_names_(options.has_bare_names),
        strings_(text, notes_),
        blanks_(text, options.comments_allowed, notes_),
        ahead_(text, strings_, blanks_) {}

  Repair run() && {
    begin_root();
    while (!stopped_ && !open_.empty()) step();
    if (!stopped_) after_root();
    Repair repair;
    repair.placeholders = notes_.take_placeholders();
    if (!is_refused_) repair.repaired = apply(text_, notes_.take_edits());
    repair.faults = notes_.take_faults();
    return repair;
  }

 private:
  struct Frame {
    bool is_object;
    bool is_virtual;  ///< Members without the braces around them.
    Span opening;
    bool follows_object = false;     ///< Virtual: the members may be of the object before them, which closed too early.
    std::optional<Span> comma = {};  ///< Comma after the last element, if no other has followed yet.
    bool has_element = false;
    bool has_omission = false;         ///< `...` since the last element: commas around it mean nothing.
    bool ends_in_placeholder = false;  ///< The last element of a list is one.
  };

  Frame& top() { return open_.back(); }
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  void skip_blanks() { pos_ = blanks_.skip(pos_); }

  // --- the root

  void begin_root() {
    skip_blanks();
    const std::size_t root = root_begin(text_, pos_);
    if (root == std::string_view::npos) {
      stopped_ = is_refused_ = true;
      return note_no_root(text_, pos_, notes_);
    }
    if (root > pos_) {
      const Span before = trimmed(text_, pos_, root);
      notes_.mend(kSyntax, first_line(text_, before), "text before the JSON", "delete it", deletion(before), false);
      pos_ = root;
    }
    if (at(pos_) != '{' && at(pos_) != '[' && ahead_.is_member(pos_)) return begin_bare_members();
    value();
  }

  void begin_bare_members() {
    const std::size_t key_end = quote_at(text_, pos_) == Quote::kNone ? ahead_.word_end(pos_) : strings_.skip(pos_);
    notes_.mend(kSyntax, span_of(pos_, key_end), "keys without enclosing { }",
                "add { before the first and } after the last", insertion(pos_, "{"), false);
    notes_.leaves_out();  // a fragment: the rest of the definition is elsewhere
    open_.push_back({.is_object = true, .is_virtual = true, .opening = span_of(pos_, pos_)});
    has_virtual_root_ = true;
    last_end_ = pos_;
  }

  void after_root() {
    skip_blanks();
    if (pos_ < text_.size()) note_after_root(text_, pos_, notes_);
  }

  // --- objects and lists

  void step() {
    skip_blanks();
    if (notes_.fault_count() > kMaxFaults) return stop("too many mistakes", "the rest was not read");
    if (pos_ >= text_.size()) return end_early();
    const char c = at(pos_);
    if (c == '}' || c == ']') return close(c);
    if (c == ',') return comma();
    if (const std::size_t length = omission_length(text_, pos_); length > 0) return omit(length);
    top().is_object ? member() : element();
  }

  void comma() {
    Frame& frame = top();
    const Span span = span_of(pos_, pos_ + 1);
    ++pos_;
    const bool is_extra = frame.comma || !frame.has_element;
    if (!is_extra) {
      frame.comma = span;
    } else if (frame.has_omission || blanks_.has_template()) {
      notes_.edit(span, "");
    } else {
      notes_.mend(kSyntax, span, "unexpected comma", "delete it", deletion(span), true);
    }
  }

  void omit(std::size_t length) {
    const Span span = span_of(pos_, pos_ + length);
    note_omission(span, {deletion(span)});
    pos_ += length;
    top().has_omission = true;
  }

  void note_omission(Span span, std::vector<Edit> edits) {
    notes_.common(CommonMistake::kOmission, span, "'...' in place of omitted content",
                  "add the content, or delete the dots", std::move(edits));
  }

  /// The comma before an element, when there must be one. A placeholder of a list may represent elements with the
  /// commas around them.
  void begin_element(bool is_placeholder = false) {
    Frame& frame = top();
    if (frame.has_element && !frame.comma) {
      if (frame.has_omission || blanks_.has_template() || is_placeholder || frame.ends_in_placeholder) {
        notes_.edit(span_of(last_end_, last_end_), ",");
      } else {
        notes_.mend(kSyntax, span_of(last_end_, last_end_), "missing comma after this value", "add ,",
                    insertion(last_end_, ","), true);
      }
    }
    frame.comma.reset();
    frame.has_element = true;
    frame.has_omission = false;
    frame.ends_in_placeholder = is_placeholder;
  }

  void element() {
    const Quote quote = quote_at(text_, pos_);
    if (at(pos_) == ':') return stop_unexpected("a value, or ']' to close the list");
    if (quote != Quote::kNone && ahead_.is_member(pos_)) return begin_members_in_list();
    begin_element(placeholder_length(text_, pos_) > 0);
    value();
  }

  /// `[ "type": "GPU", "value": "1" ]`: one object whose braces were lost.
  void begin_members_in_list() {
    const bool follows_object = top().has_element && at(last_end_ - 1) == '}';
    begin_element();
    const std::string_view help =
        follows_object ? "delete the } above if it closes its object too early, or add { before the first key"
                       : "add { before the first and } after the last";
    notes_.mend(kSyntax, span_of(pos_, strings_.skip(pos_)), "keys in a list without enclosing { }", std::string(help),
                insertion(pos_, "{"), false);
    open_.push_back(
        {.is_object = true, .is_virtual = true, .opening = span_of(pos_, pos_), .follows_object = follows_object});
    last_end_ = pos_;
  }

  void member() {
    Frame& frame = top();
    const bool is_list_virtual = frame.is_virtual && open_.size() > 1;
    if (is_list_virtual && !ahead_.is_member(pos_)) return close_virtual();
    if (const std::size_t length = placeholder_length(text_, pos_); length > 0 && !ahead_.is_member(pos_))
      return drop_template(length);
    if (at(pos_) == '{' && frame.has_element && open_.size() > 1 && !open_[open_.size() - 2].is_object)
      return close_before_next();
    const bool is_key =
        ahead_.is_member(pos_) || ((frame.comma || !frame.has_element) && quote_at(text_, pos_) != Quote::kNone);
    if (!is_key)
      return stop_unexpected(frame.has_element && !frame.comma ? "',' or '}' after the value"
                                                               : "a key in double quotes, or '}'");
    begin_element();
    key();
    colon();
    member_value();
  }

  /// `{ ${MEMBERS} }`: what a template puts there is not known.
  void drop_template(std::size_t length) {
    notes_.edit(span_of(pos_, pos_ + length), "");
    pos_ += length;
    top().has_omission = true;
  }

  void key() {
    const std::size_t begin = pos_;
    if (quote_at(text_, pos_) != Quote::kNone) {
      pos_ = strings_.read(pos_);
    } else {
      pos_ = ahead_.word_end(pos_);
      notes_.common(CommonMistake::kUnquotedKey, span_of(begin, pos_),
                    "unquoted key: " + std::string(text_.substr(begin, std::min<std::size_t>(pos_ - begin, 40))),
                    "use double quotes", {insertion(begin, "\""), insertion(pos_, "\"")});
      strings_.mend_content(begin, pos_, false);
    }
    last_end_ = pos_;
  }

  void colon() {
    skip_blanks();
    if (at(pos_) == ':') {
      last_end_ = ++pos_;
    } else if (at(pos_) == '=') {
      const std::size_t end = pos_ + (at(pos_ + 1) == '>' ? 2 : 1);
      notes_.mend(kSyntax, span_of(pos_, end),
                  "'" + std::string(text_.substr(pos_, end - pos_)) + "' between key and value",
                  "use :", Edit{span_of(pos_, end), ":"}, true);
      last_end_ = pos_ = end;
    } else {
      const bool has_value = at(pos_) != ',' && at(pos_) != '}' && pos_ < text_.size();
      if (has_value) {
        notes_.mend(kSyntax, span_of(last_end_, last_end_), "missing ':' after this key",
                    "use :", insertion(last_end_, ":"), true);
      } else {
        notes_.edit(span_of(last_end_, last_end_), ":");
      }
    }
  }

  void member_value() {
    skip_blanks();
    const char c = at(pos_);
    if (pos_ >= text_.size() || c == ',' || c == '}' || c == ']') {
      notes_.fault(kSyntax, span_of(last_end_, last_end_), "key has no value", "add the value, or delete the key");
      notes_.placeholder(span_of(last_end_, last_end_));
      return;
    }
    value();
  }

  /// Puts the stack right for a closing bracket, then takes it.
  void close(char bracket) {
    const bool wants_object = bracket == '}';
    const bool is_list_virtual = top().is_virtual && open_.size() > 1;
    if (is_list_virtual && !(wants_object && is_end_of_members())) return close_virtual();
    if (top().is_object == wants_object) {
      pop();
      last_end_ = ++pos_;
      return;
    }
    const std::size_t candidates = wants_object ? open_objects_ + (has_virtual_root_ ? 1 : 0) : open_lists_;
    if (candidates == 0) {
      const Span span = span_of(pos_, pos_ + 1);
      notes_.mend(kSyntax, span, std::string("unmatched '") + bracket + "'", "delete it", deletion(span), false);
      ++pos_;
      return;
    }
    const Frame& frame = top();
    const std::string missing = frame.is_object ? "}" : "]";
    notes_.mend(kSyntax, span_of(pos_, pos_ + 1), "missing '" + missing + "' before this '" + bracket + "'",
                "close the inner one first", {insertion(pos_, missing)}, false,
                {{frame.is_object ? "object starts here" : "list starts here", frame.opening}});
    pop();
    last_end_ = pos_;
  }

  /// `{ ... }, "key": 1 } ]`: the brace closes the members, whichever brace before them is too many or missing.
  bool is_end_of_members() {
    if (!top().follows_object) return false;
    const std::size_t next = blanks_.skip(pos_ + 1);
    return at(next) == ']' || (at(next) == ',' && at(blanks_.skip(next + 1)) == '{');
  }

  void close_virtual() {
    const Frame frame = top();
    notes_.edit(span_of(last_end_, last_end_), "}");
    open_.pop_back();
    top().comma = frame.comma;
    top().has_omission = frame.has_omission;
  }

  /// `{ ... , {` in a list: the brace of the first object is missing.
  void close_before_next() {
    const Frame frame = top();
    notes_.mend(kSyntax, span_of(pos_, pos_ + 1), "missing '}' before this object", "close the previous object first",
                {insertion(last_end_, "}")}, false, {{"object starts here", frame.opening}});
    open_.pop_back();
    --open_objects_;
    top().comma = frame.comma;
  }

  /// Leaves the innermost object or list; a comma before its end goes.
  void pop() {
    const Frame frame = top();
    drop_comma(frame);
    if (!frame.is_virtual) --(frame.is_object ? open_objects_ : open_lists_);
    open_.pop_back();
  }

  void drop_comma(const Frame& frame) {
    if (!frame.comma) return;
    if (frame.has_omission || blanks_.has_template() || (frame.is_virtual && open_.size() == 1))
      return notes_.edit(*frame.comma, "");
    notes_.mend(FaultKind::kTrailingComma, *frame.comma,
                std::string("trailing comma before '") + (frame.is_object ? '}' : ']') + "'", "delete it",
                deletion(*frame.comma), true);
  }

  // --- values

  void value() {
    const std::size_t begin = pos_;
    const char c = at(pos_);
    const std::size_t length = placeholder_length(text_, pos_);
    if (length == 0 && (c == '{' || c == '[')) return open(c == '{');
    if (quote_at(text_, pos_) != Quote::kNone) {
      pos_ = strings_.read(pos_);
    } else if (const std::size_t dots = omission_length(text_, pos_); dots > 0) {
      pos_ += dots;
      note_omission(span_of(begin, pos_), {});
      notes_.placeholder(span_of(begin, pos_));
    } else if (c == ':' || c == '=') {
      notes_.placeholder(span_of(pos_, pos_));
      return stop_unexpected("a value");
    } else {
      pos_ = bare_value_end(text_, pos_);
      if (has_bare_names_ && is_bare_name(text_.substr(begin, pos_ - begin))) {
        notes_.placeholder(span_of(begin, pos_));
      } else {
        read_bare_value(text_, span_of(begin, pos_), strings_, notes_);
      }
    }
    last_end_ = pos_;
  }

  void open(bool is_object) {
    open_.push_back({.is_object = is_object, .is_virtual = false, .opening = span_of(pos_, pos_ + 1)});
    ++(is_object ? open_objects_ : open_lists_);
    last_end_ = ++pos_;
  }

  // --- the end

  void end_early() {
    const auto innermost =
        std::find_if(open_.rbegin(), open_.rend(), [](const Frame& frame) { return !frame.is_virtual; });
    if (innermost != open_.rend()) {
      std::string closers;
      for (auto frame = open_.rbegin(); frame != open_.rend(); ++frame)
        closers += frame->is_virtual ? "" : frame->is_object ? "}" : "]";
      const std::string bracket = innermost->is_object ? "{" : "[";
      notes_.fault(kSyntax, innermost->opening, "unclosed '" + bracket + "'",
                   closers.size() == 1 ? "close it with " + closers : "close it with " + closers.substr(0, 20));
    }
    close_all(last_end_);
  }

  void close_all(std::size_t where) {
    while (!open_.empty()) {
      if (top().comma) notes_.edit(*top().comma, "");
      notes_.edit(span_of(where, where), top().is_object ? "}" : "]");
      open_.pop_back();
    }
  }

  void stop_unexpected(const std::string& expected) {
    const Span seen = ahead_.token(pos_);
    notes_.fault(kSyntax, seen, "unexpected " + quoted_token(text_, seen) + ", expected " + expected,
                 "the rest was not read");
    leave();
  }

  void stop(std::string message, std::string help) {
    notes_.fault(kSyntax, span_of(pos_, std::min(pos_ + 1, text_.size())), std::move(message), std::move(help));
    leave();
  }

  /// Keeps what was read: everything from here on goes, and what is open is closed.
  void leave() {
    stopped_ = true;
    notes_.edit(span_of(pos_, text_.size()), "");
    close_all(pos_);
  }

  std::string_view text_;
  bool has_bare_names_;
  RepairNotes notes_;
  StringLexer strings_;
  JsonBlanks blanks_;
  JsonLookahead ahead_;
  std::vector<Frame> open_;
  std::size_t pos_ = 0;
  std::size_t last_end_ = 0;      ///< Offset after the last token that is not a comma.
  std::size_t open_objects_ = 0;  ///< Not counting virtual ones.
  std::size_t open_lists_ = 0;
  bool has_virtual_root_ = false;
  bool stopped_ = false;
  bool is_refused_ = false;
};

}  // namespace

Repair repair_json(std::string_view text, RepairOptions options) {
  return Parser(text, options).run();
}

}  // namespace bayplan::text
