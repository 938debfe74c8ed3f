#include <algorithm>
#include <string>

#include "base/ascii.hpp"
#include "base/hexadecimal.hpp"
#include "text/json_lexis.hpp"
#include "text/placeholder_syntax.hpp"

namespace bayplan::text {
namespace {

std::string escaped(char control) {
  switch (control) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(control);
  return std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
}

}  // namespace

Quote quote_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return Quote::kNone;
  if (text[offset] == '"') return Quote::kStraight;
  if (text[offset] == '\'') return Quote::kSingle;
  const std::string_view three = text.substr(offset, 3);
  if (three.substr(0, 2) != "\xE2\x80" || three.size() < 3) return Quote::kNone;
  const auto last = static_cast<unsigned char>(three[2]);
  if (last >= 0x98 && last <= 0x9B) return Quote::kCurlySingle;  // U+2018 to U+201B
  if (last >= 0x9C && last <= 0x9F) return Quote::kCurly;        // U+201C to U+201F
  return Quote::kNone;
}

std::size_t quote_length(Quote quote) {
  return quote == Quote::kNone ? 0 : quote == Quote::kStraight || quote == Quote::kSingle ? 1 : 3;
}

std::size_t StringLexer::skip(std::size_t offset) {
  return find_closing(offset, quote_at(text_, offset)).end;
}

std::size_t StringLexer::read(std::size_t offset) {
  const Quote quote = quote_at(text_, offset);
  const std::size_t begin = offset + quote_length(quote);
  const Closing closing = find_closing(offset, quote);
  const std::size_t closing_begin = closing.content_end;
  std::vector<Edit> quotes;
  if (quote != Quote::kStraight) quotes.push_back({span_of(offset, begin), "\""});
  if (closing.is_closed && text_.substr(closing_begin, closing.end - closing_begin) != "\"") {
    quotes.push_back({span_of(closing_begin, closing.end), "\""});
  }
  if (!quotes.empty()) {
    const bool is_single = quote == Quote::kSingle;
    notes_.common(is_single ? CommonMistake::kSingleQuotes : CommonMistake::kCurlyQuotes, span_of(offset, closing.end),
                  is_single ? "string in single quotes" : "string in typographic quotes",
                  "use straight double quotes: \"...\"", std::move(quotes));
  }
  if (!closing.is_closed) {
    const auto end = static_cast<std::uint32_t>(closing.content_end);
    notes_.mend(FaultKind::kJsonSyntax, span_of(offset, closing.content_end), "unclosed string", "close it with \"",
                Edit{{end, end}, "\""}, false);
  }
  mend_content(begin, closing.content_end, quote == Quote::kStraight);
  return closing.end;
}

StringLexer::Closing StringLexer::find_closing(std::size_t offset, Quote quote) {
  const std::size_t begin = offset + quote_length(quote);
  return quote == Quote::kStraight ? straight_closing(begin) : other_closing(begin, quote);
}

/// Whether only characters follow that JSON allows after the closing quote of a value.
bool StringLexer::ends_value(std::size_t offset) const {
  while (offset < text_.size() && is_space(text_[offset])) {
    if (is_line_end(text_[offset])) return true;
    ++offset;
  }
  if (offset >= text_.size()) return true;
  const char c = text_[offset];
  return c == ',' || c == ':' || c == ']' || c == '}' || c == '#' || c == '/';
}

/// First quote of the sort from `from` within the line after which a value may end; kNotFound when there is none.
std::size_t StringLexer::next_ending_quote(std::size_t from, std::size_t line_end, Quote quote) {
  std::size_t& none_before = no_ending_quote_before_[static_cast<std::size_t>(quote)];
  if (from < none_before) return kNotFound;
  for (std::size_t i = from; i < line_end; ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (quote_at(text_, i) == quote && ends_value(i + quote_length(quote))) {
      return i;
    }
  }
  none_before = line_end;
  return kNotFound;
}

/// A file may be one line with a hundred thousand strings: its end is looked for once.
std::size_t StringLexer::line_end(std::size_t from) {
  if (from < searched_line_.begin || from >= searched_line_.end)
    searched_line_ = span_of(from, std::min(text_.find_first_of("\r\n", from), text_.size()));
  return searched_line_.end;
}

StringLexer::Closing StringLexer::unclosed(std::size_t begin) {
  std::size_t end = line_end(begin);
  while (end > begin && is_space(text_[end - 1])) --end;
  if (end > begin && text_[end - 1] == ',') --end;
  return {end, end, false};
}

StringLexer::Closing StringLexer::straight_closing(std::size_t begin) {
  std::size_t i = begin;
  while (i < text_.size() && text_[i] != '"' && !is_line_end(text_[i])) {
    i += text_[i] == '\\' ? 2 : std::max<std::size_t>(1, quoting_expression_length(text_, i));
  }
  if (i >= text_.size()) return unclosed(begin);
  if (text_[i] == '"') {
    if (ends_value(i + 1)) return {i, i + 1, true};
    const std::size_t curly = next_ending_quote(begin, i, Quote::kCurly);
    no_ending_quote_before_[static_cast<std::size_t>(Quote::kCurly)] = 0;
    if (curly != kNotFound) return {curly, curly + 3, true};
    if (i + 1 < text_.size() && !is_space(text_[i + 1]) && quote_at(text_, i + 1) == Quote::kNone) {
      const std::size_t later = next_ending_quote(i + 1, line_end(i), Quote::kStraight);
      if (later != kNotFound) return {later, later + 1, true};
    }
    return {i, i + 1, true};
  }
  // The line ends first: either the string goes on in the next line, or its closing quote is missing.
  while (i < text_.size() && text_[i] != '"') i += text_[i] == '\\' ? 2 : 1;
  if (i < text_.size() && ends_value(i + 1)) {
    const std::string_view content = text_.substr(begin, i - begin);
    const std::size_t last = content.find_last_not_of(" \t\r\n");
    // `"abc,` and `"b": 1` in the next line: the quote found opens that key.
    const bool opens_next = last != kNotFound && (content[last] == ',' || content[last] == '{' ||
                                                  content[last] == '[' || content[last] == ':');
    if (!opens_next) return {i, i + 1, true};
  }
  return unclosed(begin);
}

StringLexer::Closing StringLexer::other_closing(std::size_t begin, Quote quote) {
  const std::size_t end_of_line = line_end(begin);
  const std::size_t ending = next_ending_quote(begin, end_of_line, quote);
  if (ending != kNotFound) return {ending, ending + quote_length(quote), true};
  for (std::size_t i = begin; i < end_of_line; ++i) {
    if (text_[i] == '\\') {
      ++i;
      continue;
    }
    const Quote found = quote_at(text_, i);
    const bool is_mixed = found == Quote::kStraight || (quote == Quote::kCurlySingle && found == Quote::kSingle);
    if (found == quote || (is_mixed && ends_value(i + quote_length(found)))) return {i, i + quote_length(found), true};
  }
  return unclosed(begin);
}

std::size_t StringLexer::mend_escape(std::size_t offset, std::size_t end) {
  const char next = offset + 1 < end ? text_[offset + 1] : '\0';
  if (next == '\'') {
    notes_.mend(FaultKind::kJsonSyntax, span_of(offset, offset + 2), "\\' is not a JSON escape",
                "use ' without the backslash", Edit{span_of(offset, offset + 1), ""}, true);
    return offset + 2;
  }
  if (next != '\0' && std::string_view("\"\\/bfnrt").find(next) != kNotFound) return offset + 2;
  if (const auto escape = unicode_escape(text_.substr(offset, end - offset))) {
    if (!escape->character) {
      notes_.fault(FaultKind::kJsonSyntax, span_of(offset, offset + escape->length), "incomplete surrogate pair",
                   "use the character itself");
      notes_.edit(span_of(offset, offset + escape->length), "\\ufffd");
    }
    return offset + escape->length;
  }
  const std::size_t length = next == '\0' ? 1 : 2;
  std::string shown(text_.substr(offset, next >= ' ' && next <= '~' ? length : 1));
  const auto at = static_cast<std::uint32_t>(offset);
  notes_.mend(FaultKind::kJsonSyntax, span_of(offset, offset + 1), shown + " is not a JSON escape",
              "use \\\\ for a backslash", Edit{{at, at}, "\\"}, false);
  return offset + 1;
}

/// Inside a template expression, which is not read as JSON.
std::size_t StringLexer::escape_quotes(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const auto at = static_cast<std::uint32_t>(i);
    if (text_[i] == '"' || text_[i] == '\\') notes_.edit({at, at}, "\\");
  }
  return end;
}

void StringLexer::mend_content(std::size_t begin, std::size_t end, bool is_straight) {
  for (std::size_t i = begin; i < end;) {
    const char c = text_[i];
    if (c == '\\') {
      i = mend_escape(i, end);
      continue;
    }
    if (const std::size_t length = std::min(quoting_expression_length(text_, i), end - i); length > 0) {
      i = escape_quotes(i, i + length);
      continue;
    }
    const auto at = static_cast<std::uint32_t>(i);
    if (c == '"' && is_straight) {
      notes_.mend(FaultKind::kJsonSyntax, span_of(i, i + 1), "unescaped quote in a string", "use \\\"",
                  Edit{{at, at}, "\\"}, false);
    } else if (c == '"') {
      notes_.edit({at, at}, "\\");
    } else if (static_cast<unsigned char>(c) < 0x20) {
      const std::string escape = escaped(c);
      notes_.common(CommonMistake::kControlCharacter, span_of(i, i + 1),
                    is_line_end(c) ? "unescaped line break in a string"
                    : c == '\t'    ? "unescaped tab in a string"
                                   : "unescaped control character in a string",
                    "write " + escape, {{span_of(i, i + 1), escape}});
    }
    ++i;
  }
}

}  // namespace bayplan::text
