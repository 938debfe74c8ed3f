#include "text/json_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/excerpt.hpp"
#include "base/utf8.hpp"
#include "text/key_set.hpp"

namespace bayplan::text {
namespace {

using nlohmann::json;

/// Input iterator that tells everybody where it stands. The library copies its iterators and reads one character of
/// look-ahead for numbers only, so in a callback the shared position is the end of the token.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** published) : at_(at), published_(published) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *published_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** published_;
};

bool is_between_tokens(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':';
}

bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// SAX handler: recomputes the start of each token from the end of the one before.
class Handler {
 public:
  Handler(std::string_view text, const Limits& limits, Builder& builder, const RetentionRule& keep)
      : published(text.data()), text_(text), limits_(limits), builder_(builder), keep_(keep) {}

  bool null() { return literal(Kind::kNull); }
  bool boolean(bool) { return literal(Kind::kBoolean); }
  bool number_integer(json::number_integer_t) { return number(Kind::kInteger); }
  bool number_unsigned(json::number_unsigned_t value) {
    return number(value <= static_cast<json::number_unsigned_t>(INT64_MAX) ? Kind::kInteger : Kind::kNumber);
  }
  bool number_float(json::number_float_t, const std::string&) { return number(Kind::kNumber); }

  bool string(std::string& decoded) {
    const Span span = token();
    builder_.scalar(Kind::kString, Style::kJson, slice(decoded, span), span);
    return true;
  }
  bool binary(json::binary_t&) { return false; }

  bool key(std::string& decoded) {
    const Span span = token();
    const std::string_view name = slice(decoded, span);
    note_duplicate(name, span);
    builder_.key(name, span);
    return true;
  }

  bool start_object(std::size_t) { return open(Kind::kObject); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Kind::kArray); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t, const std::string&, const json::exception& problem) {
    fault = syntax_fault(problem.what());
    return false;
  }

  const char* published;
  std::optional<Fault> fault;

 private:
  std::uint32_t offset_of(const char* at) const { return static_cast<std::uint32_t>(at - text_.data()); }

  std::uint32_t token_start() const {
    std::uint32_t start = previous_end_;
    while (start < text_.size() && is_between_tokens(text_[start])) ++start;
    return start;
  }

  Span token() {
    const Span span{token_start(), offset_of(published)};
    previous_end_ = span.end;
    return span;
  }

  bool literal(Kind kind) {
    const Span span = token();
    builder_.scalar(kind, Style::kJson, text_.substr(span.begin, span.length()), span);
    return true;
  }

  bool number(Kind kind) {
    Span span{token_start(), 0};
    span.end = span.begin;
    while (span.end < text_.size() && is_number_character(text_[span.end])) ++span.end;
    previous_end_ = span.end;
    builder_.scalar(kind, Style::kJson, text_.substr(span.begin, span.length()), span);
    return true;
  }

  /// An escape is longer than what it stands for, so equal lengths mean the text can be shared.
  std::string_view slice(std::string& decoded, Span span) {
    if (decoded.size() + 2 == span.length()) return text_.substr(span.begin + 1, decoded.size());
    return builder_.keep(std::move(decoded));
  }

  bool open(Kind kind) {
    const Span span = token();
    if (builder_.depth() >= limits_.depth) {
      fault = Fault{
          FaultKind::kTooDeep, span, "nested deeper than " + std::to_string(limits_.depth) + " levels", {}, {}, {}};
      return false;
    }
    builder_.open(kind, span);
    scopes_.emplace_back();
    if (keep_) kept_before_.push_back(builder_.kept());
    return true;
  }

  bool close() {
    const Value closed = builder_.close(token().end);
    scopes_.pop_back();
    if (!keep_) return true;
    const NodeRetention keeping = keep_(closed);
    if (keeping != NodeRetention::kWhole) builder_.forget_children(closed, kept_before_.back());
    if (keeping == NodeRetention::kNothing) forget(closed);
    kept_before_.pop_back();
    return true;
  }

  /// The node before it ends where it begins, or is the list or object that it was in.
  void forget(Value closed) {
    builder_.forget_children(closed.document().node(closed.index() - 1), kept_before_.back());
  }

  void note_duplicate(std::string_view name, Span span) {
    if (const auto first = scopes_.back().add(name, span))
      builder_.fault(duplicate_key(name, span, *first, Format::kJson));
  }

  /// The library names the last character it read; the token that holds it is at fault.
  Fault syntax_fault(std::string_view library) const;

  std::string_view text_;
  const Limits& limits_;
  Builder& builder_;
  std::uint32_t previous_end_ = 0;
  const RetentionRule& keep_;
  std::vector<KeySet> scopes_;
  std::vector<std::size_t> kept_before_;  ///< How many texts the builder kept before each open list or object.
};

struct JsonLibraryMessage {
  std::string_view library;  ///< Part of the library's message.
  std::string_view message;
  std::string_view help;
};

constexpr JsonLibraryMessage kJsonMessages[] = {
    {"missing closing quote", "unclosed string", "close it with \""},
    {"control character U+000A", "unescaped line break in a string", "use \\n"},
    {"control character U+000D", "unescaped line break in a string", "use \\r"},
    {"control character U+0009", "unescaped tab in a string", "use \\t"},
    {"control character", "unescaped control character in a string", "use \\u and four hexadecimal digits"},
    {"forbidden character after backslash", "invalid backslash escape in JSON", "use \\\\ for a backslash"},
    {"4 hex digits", "\\u escape requires four hexadecimal digits", "use \\\\ for a backslash"},
    {"surrogate", "incomplete surrogate pair", "use the character itself"},
    {"ill-formed UTF-8", "byte that is not UTF-8", "save the file as UTF-8"},
    {"invalid number", "invalid JSON number", "use a decimal number, or put it in double quotes"},
    {"number overflow", "number is too large for JSON readers", "use a number below 1.8e308"},
};

/// What the grammar wants, by the library's words for the place.
std::string_view expected_at(std::string_view library) {
  if (library.find("while parsing object key") != std::string_view::npos) return "a key in double quotes";
  if (library.find("while parsing object separator") != std::string_view::npos) return "':' after the key";
  if (library.find("while parsing object") != std::string_view::npos) return "',' or '}' after the value";
  if (library.find("while parsing array") != std::string_view::npos) return "',' or ']' after the value";
  if (library.find("expected end of input") != std::string_view::npos) return "the end of the text";
  return "a value";
}

Fault Handler::syntax_fault(std::string_view library) const {
  const auto size = static_cast<std::uint32_t>(text_.size());
  const std::uint32_t begin = std::min(token_start(), size);
  std::uint32_t end = std::clamp(offset_of(published), begin, size);
  if (end == begin && begin < size) ++end;
  const Span span{begin, static_cast<std::uint32_t>(end_of_character(text_, end))};
  for (const JsonLibraryMessage& wording : kJsonMessages) {
    if (library.find(wording.library) == std::string_view::npos) continue;
    return {FaultKind::kJsonSyntax, span, std::string(wording.message), std::string(wording.help), {}, {}, true};
  }
  const std::string expected(expected_at(library));
  if (begin == size)
    return {FaultKind::kJsonSyntax, span, "unexpected end of file, expected " + expected, {}, {}, {}, true};
  std::string seen(text_.substr(begin, std::min<std::uint32_t>(span.length(), 40)));
  return {FaultKind::kJsonSyntax, span, "unexpected '" + printable(seen) + "', expected " + expected, {}, {}, {}, true};
}

}  // namespace

std::optional<Fault> read_json(std::string_view text, const Limits& limits, Builder& builder,
                               const RetentionRule& keep) {
  Handler handler(text, limits, builder, keep);
  const Cursor first(text.data(), &handler.published);
  const Cursor last(text.data() + text.size(), &handler.published);
  json::sax_parse(first, last, &handler);
  return std::move(handler.fault);
}

}  // namespace bayplan::text
