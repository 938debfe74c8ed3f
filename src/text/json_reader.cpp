#include "text/json_reader.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/excerpt.hpp"
#include "base/hexadecimal.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "text/key_set.hpp"

namespace bayplan::text {
namespace {

using nlohmann::json;

/// Input iterator whose copies share their position. The library copies its iterators and reads one character of
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
  return is_space(c) || c == ',' || c == ':';
}

/// What a byte is to a string that it is in.
constexpr std::uint8_t kEndsPiece = 1;  ///< Quotes, backslashes, and control characters, which are not allowed there.
constexpr std::uint8_t kNotAscii = 2;
constexpr std::array<std::uint8_t, 256> kStringBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (std::size_t c = 0; c < 0x20; ++c) bytes[c] = kEndsPiece;
  for (std::size_t c = 0x80; c < 256; ++c) bytes[c] = kNotAscii;
  bytes['"'] = bytes['\\'] = kEndsPiece;
  return bytes;
}();

bool is_number_character(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// What has been read of a text, as nodes of a document.
class Tree {
 public:
  Tree(std::string_view text, const Limits& limits, Builder& builder, const RetentionRule& keep)
      : text_(text), limits_(limits), builder_(builder), keep_(keep) {}

  /// Why a list or object could not be opened.
  std::optional<Fault> fault;

  void scalar(Kind kind, Span span, std::string_view content) { builder_.scalar(kind, Style::kJson, content, span); }
  std::string_view keep(std::string decoded) { return builder_.keep(std::move(decoded)); }

  void key(std::string_view name, Span span) {
    if (const auto first = scopes_[open_ - 1].add(name, span))
      builder_.fault(duplicate_key(name, span, *first, Format::kJson));
    builder_.key(name, span);
  }

  bool open(Kind kind, Span bracket) {
    if (builder_.depth() >= limits_.depth) {
      fault = Fault{
          FaultKind::kTooDeep, bracket, "nested deeper than " + std::to_string(limits_.depth) + " levels", {}, {}, {}};
      return false;
    }
    builder_.open(kind, bracket);
    if (open_ == scopes_.size()) scopes_.emplace_back();
    scopes_[open_++].clear();
    if (keep_) kept_before_.push_back(builder_.kept());
    return true;
  }

  void close(std::size_t end) {
    const Value closed = builder_.close(static_cast<std::uint32_t>(end));
    --open_;
    if (!keep_) return;
    const NodeRetention keeping = keep_(closed);
    if (keeping != NodeRetention::kWhole) builder_.forget_children(closed, kept_before_.back());
    if (keeping == NodeRetention::kNothing) forget(closed);
    kept_before_.pop_back();
  }

 private:
  /// The node before it ends where it begins, or is the list or object that it was in.
  void forget(Value closed) {
    builder_.forget_children(closed.document().node(closed.index() - 1), kept_before_.back());
  }

  std::string_view text_;
  const Limits& limits_;
  Builder& builder_;
  const RetentionRule& keep_;
  std::vector<KeySet> scopes_;  ///< Of the open lists and objects; those behind them are used again.
  std::size_t open_ = 0;
  std::vector<std::size_t> kept_before_;  ///< How many texts the builder kept before each open list or object.
};

/// Reads strict JSON into a tree. It decides only whether it is JSON: what is wrong with it, and where, is left to
/// the library (`FaultFinder`), which takes and refuses the same texts.
class Reader {
 public:
  Reader(std::string_view text, Tree& tree) : text_(text), tree_(tree) {}

  bool read() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) {
      at_ = kByteOrderMark.size();
      skip_blanks();
      after_mark_ = at_;
    }
    skip_blanks();
    if (!value()) return false;
    skip_blanks();
    return at_ == text_.size() || text_[at_] == '\0';  // NUL ends the text for the library, too
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool skip(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  Span span_from(std::size_t begin) const {
    const std::size_t from = begin == after_mark_ ? 0 : begin;
    return {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(at_)};
  }

  /// As deep as `Limits::depth` at most.
  bool value() {
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"': {
        const std::size_t begin = at_;
        const auto content = string();
        if (content) tree_.scalar(Kind::kString, span_from(begin), *content);
        return content.has_value();
      }
      case 't':
        return literal(Kind::kBoolean, "true");
      case 'f':
        return literal(Kind::kBoolean, "false");
      case 'n':
        return literal(Kind::kNull, "null");
      default:
        return number();
    }
  }

  bool object() {
    if (!tree_.open(Kind::kObject, span_from(at_++))) return false;
    skip_blanks();
    if (peek() != '}') {
      do {
        skip_blanks();
        if (!member()) return false;
        skip_blanks();
      } while (skip(','));
    }
    return skip('}') && (tree_.close(at_), true);
  }

  bool member() {
    const std::size_t begin = at_;
    if (peek() != '"') return false;
    const auto name = string();
    if (!name) return false;
    tree_.key(*name, span_from(begin));
    skip_blanks();
    if (!skip(':')) return false;
    skip_blanks();
    return value();
  }

  bool array() {
    if (!tree_.open(Kind::kArray, span_from(at_++))) return false;
    skip_blanks();
    if (peek() != ']') {
      do {
        skip_blanks();
        if (!value()) return false;
        skip_blanks();
      } while (skip(','));
    }
    return skip(']') && (tree_.close(at_), true);
  }

  bool literal(Kind kind, std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    const std::size_t begin = std::exchange(at_, at_ + word.size());
    tree_.scalar(kind, span_from(begin), word);
    return true;
  }

  bool digits() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    return at_ > begin;
  }

  /// RFC 8259, section 6.
  bool number() {
    const std::size_t begin = at_;
    bool is_integer = true;
    skip('-');
    if (!skip('0') && !digits()) return false;
    if (skip('.')) {
      is_integer = false;
      if (!digits()) return false;
    }
    if (skip('e') || skip('E')) {
      is_integer = false;
      skip('+') || skip('-');
      if (!digits()) return false;
    }
    const auto text = text_.substr(begin, at_ - begin);
    is_integer = is_integer && to_integer(text).has_value();
    if (!is_integer && is_too_large(text)) return false;
    const bool is_whole = !is_number_character(peek());  // "1-2" is a number and then a fault
    while (is_number_character(peek())) ++at_;
    tree_.scalar(is_integer ? Kind::kInteger : Kind::kNumber, span_from(begin), text_.substr(begin, at_ - begin));
    return is_whole;
  }

  /// Whether no double is as large. One that is next to nothing is nothing.
  static bool is_too_large(std::string_view number) {
    double unused = 0;
    return read_decimal(number, unused).ec != std::errc() && !json::accept(number);
  }

  /// The content of the string at hand, decoded.
  std::optional<std::string_view> string() {
    const std::size_t begin = ++at_;
    std::uint8_t seen = 0;
    while (at_ < text_.size() && !((seen |= kStringBytes[byte()]) & kEndsPiece)) ++at_;
    if ((seen & kNotAscii) != 0 && first_invalid_utf8(text_.substr(begin, at_ - begin))) return std::nullopt;
    const auto piece = text_.substr(begin, at_ - begin);
    if (skip('"')) return piece;
    return peek() == '\\' ? decoded_string(std::string(piece)) : std::nullopt;
  }

  /// The same from the first backslash on; `content` is what is before it.
  std::optional<std::string_view> decoded_string(std::string content) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && peek() != '"') {
      if (byte() < 0x20) return std::nullopt;
      if (skip('\\')) {
        if (!escape(content)) return std::nullopt;
      } else {
        content += text_[at_++];
      }
    }
    if (first_invalid_utf8(text_.substr(begin, at_ - begin)) || !skip('"')) return std::nullopt;
    return tree_.keep(std::move(content));
  }

  bool escape(std::string& content) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (at_ < text_.size() && text_[at_] == 'u') {
      const auto escape = unicode_escape(text_.substr(at_ - 1));
      if (!escape || !escape->character) return false;
      append_utf8(content, *escape->character);
      at_ += escape->length - 1;
      return true;
    }
    const auto letter = at_ < text_.size() ? kLetters.find(text_[at_]) : std::string_view::npos;
    if (letter == std::string_view::npos) return false;
    content += kMeanings[letter];
    ++at_;
    return true;
  }

  unsigned char byte() const { return static_cast<unsigned char>(text_[at_]); }

  std::string_view text_;
  Tree& tree_;
  std::size_t at_ = 0;
  std::size_t after_mark_ = 0;  ///< The root after a byte order mark, which counts to it for the library.
};

/// Takes what the library reads of a text that is no JSON, up to what is wrong: recomputes the start of each token from
/// the end of the one before.
class FaultFinder {
 public:
  explicit FaultFinder(std::string_view text) : published(text.data()), text_(text) {}

  bool null() { return token(); }
  bool boolean(bool) { return token(); }
  bool number_integer(json::number_integer_t) { return number(); }
  bool number_unsigned(json::number_unsigned_t) { return number(); }
  bool number_float(json::number_float_t, const std::string&) { return number(); }
  bool string(std::string&) { return token(); }
  bool binary(json::binary_t&) { return false; }
  bool key(std::string&) { return token(); }
  bool start_object(std::size_t) { return token(); }
  bool end_object() { return token(); }
  bool start_array(std::size_t) { return token(); }
  bool end_array() { return token(); }

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

  bool token() {
    previous_end_ = offset_of(published);
    return true;
  }

  bool number() {
    previous_end_ = token_start();
    while (previous_end_ < text_.size() && is_number_character(text_[previous_end_])) ++previous_end_;
    return true;
  }

  /// The library names the last character it read; the token that holds it is at fault.
  Fault syntax_fault(std::string_view library) const;

  std::string_view text_;
  std::uint32_t previous_end_ = 0;
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

Fault FaultFinder::syntax_fault(std::string_view library) const {
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

Fault find_fault(std::string_view text) {
  FaultFinder finder(text);
  const Cursor first(text.data(), &finder.published);
  const Cursor last(text.data() + text.size(), &finder.published);
  json::sax_parse(first, last, &finder);
  assert(finder.fault);
  return std::move(finder.fault).value();
}

}  // namespace

std::optional<Fault> read_json(std::string_view text, const Limits& limits, Builder& builder,
                               const RetentionRule& keep) {
  Tree tree(text, limits, builder, keep);
  if (Reader(text, tree).read()) return std::nullopt;
  return tree.fault ? std::move(tree.fault) : find_fault(text);
}

}  // namespace bayplan::text
