#include <algorithm>
#include <charconv>
#include <string>

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "text/json_lexis.hpp"
#include "text/placeholder_syntax.hpp"

namespace bayplan::text {
namespace {

std::size_t digits_end(std::string_view text, std::size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

bool is_literal(std::string_view word) {
  return word == "true" || word == "false" || word == "null";
}

/// What other languages write for a literal, as JSON says it; empty for other words.
std::string_view foreign_literal(std::string_view word) {
  if (word == "True" || word == "TRUE") return "true";
  if (word == "False" || word == "FALSE") return "false";
  for (const std::string_view name : {"None", "Null", "NULL", "nil", "undefined"}) {
    if (word == name) return "null";
  }
  return {};
}

bool is_not_finite(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  return word == "NaN" || word == "nan" || word == "Infinity" || word == "inf" || word == "Inf";
}

/// A number as other languages write it, in JSON: `+1`, `.5`, `5.`, `007`, `1_000`, `0x1F`. Empty for what is none.
std::string json_number(std::string_view word) {
  std::string_view digits = word;
  const bool is_negative = digits.front() == '-';
  if (is_negative || digits.front() == '+') digits.remove_prefix(1);
  std::string result = is_negative ? "-" : "";
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    std::uint64_t value = 0;  // unsigned: 0x-1F is none
    const auto [end, error] = std::from_chars(digits.data() + 2, digits.data() + digits.size(), value, 16);
    return error == std::errc{} && end == digits.data() + digits.size() ? result + std::to_string(value)
                                                                        : std::string();
  }
  std::string plain;
  for (const char c : digits) {
    if (c != '_') plain += c;
  }
  const std::size_t zeros = std::min(plain.find_first_not_of('0'), plain.size());
  if (zeros > 0) plain.erase(0, zeros < plain.size() && is_digit(plain[zeros]) ? zeros : zeros - 1);
  if (!plain.empty() && plain.front() == '.') plain.insert(0, "0");
  if (!plain.empty() && plain.back() == '.') plain += '0';
  result += plain;
  return is_json_number(result) ? result : std::string();
}

/// Holds a placeholder and no blank outside of it: `${A}`, `${A}MB`, `<X>:<Y>`.
bool is_template(std::string_view word) {
  bool has_placeholder = false;
  for (std::size_t i = 0; i < word.size();) {
    if (const std::size_t length = placeholder_length(word, i); length > 0) {
      has_placeholder = true;
      i += length;
    } else if (is_space(word[i])) {
      return false;
    } else {
      ++i;
    }
  }
  return has_placeholder;
}

/// ENV_VARS, CONTAINER_PORT_2: a name of which something makes a value.
bool is_upper_word(std::string_view word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; });
}

/// Readers keep numbers in 64 bits of floating point.
bool is_too_large(std::string_view number) {
  double value = 0;
  const auto [end, error] = read_decimal(number, value);
  if (error != std::errc::result_out_of_range) return false;
  const std::size_t exponent = number.find_first_of("eE");
  return exponent == std::string_view::npos || number.substr(exponent + 1, 1) != "-";
}

void note_too_large(Span span, RepairNotes& notes) {
  notes.fault(FaultKind::kJsonSyntax, span, "number is too large for JSON readers", "use a number below 1.8e308");
  notes.placeholder(span);
}

bool may_begin_number(std::string_view word) {
  const char first = word.front();
  return is_digit(first) || ((first == '-' || first == '+' || first == '.') && word.size() > 1);
}

void read_word(std::string_view word, Span span, StringLexer& strings, RepairNotes& notes) {
  const std::string number = may_begin_number(word) ? json_number(word) : std::string();
  if (!number.empty() && is_too_large(number)) return note_too_large(span, notes);
  if (!number.empty()) {
    const bool is_padded = word.front() == '0' && word.size() > 1 && is_digit(word[1]);
    const std::string help =
        is_padded ? "write " + number + ", or \"" + std::string(word) + "\" if it is text" : "write " + number;
    notes.mend(FaultKind::kJsonSyntax, span, std::string(word) + " is not a JSON number", help, Edit{span, number},
               !is_padded);
    return;
  }
  constexpr std::size_t kLongest = 40;
  const std::string message = "unquoted value: " + shortened_to(word, kLongest);
  if (is_upper_word(word) && word.find('_') != std::string_view::npos) {
    notes.fault(FaultKind::kJsonSyntax, span, message, "use double quotes, or replace it with the value");
    return notes.placeholder(span);
  }
  notes.mend(FaultKind::kJsonSyntax, span, message, "use double quotes",
             std::vector<Edit>{{{span.begin, span.begin}, "\""}, {{span.end, span.end}, "\""}}, false);
  strings.mend_content(span.begin, span.end, false);
}

}  // namespace

bool is_json_number(std::string_view text) {
  std::size_t i = !text.empty() && text.front() == '-' ? 1 : 0;
  const std::size_t whole = i;
  i = digits_end(text, i);
  if (i == whole || (text[whole] == '0' && i > whole + 1)) return false;
  if (i < text.size() && text[i] == '.') {
    const std::size_t fraction = i + 1;
    i = digits_end(text, fraction);
    if (i == fraction) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    const std::size_t exponent = i;
    i = digits_end(text, i);
    if (i == exponent) return false;
  }
  return i == text.size();
}

std::size_t bare_value_end(std::string_view text, std::size_t offset) {
  std::size_t i = offset;
  bool is_first_word = true;
  while (i < text.size()) {
    if (const std::size_t length = placeholder_length(text, i); length > 0) {
      i += length;
      continue;
    }
    const char c = text[i];
    if (c == ',' || c == ']' || c == '}' || c == '[' || c == '{' || c == '\n' || c == '\r') break;
    if (quote_at(text, i) != Quote::kNone && c != '\'') break;
    if (is_space(c)) {
      const std::string_view word = text.substr(offset, i - offset);
      const std::string_view rest = text.substr(i, std::min(text.find_first_of(",\r\n\"", i), text.size()) - i);
      const std::string_view second = trim(rest).substr(0, trim(rest).find_first_of(" \t]}"));
      const bool is_next_value =
          rest.find(':') != std::string_view::npos || is_json_number(second) || is_literal(second);
      if (is_first_word && (is_json_number(word) || is_literal(word)) && is_next_value) break;
      is_first_word = false;
      const std::string_view next = text.substr(i + 1, 2);
      if (next.substr(0, 1) == "#" || next == "//" || next == "/*") break;
    }
    if (text.substr(i, 2) == "/*" || (text.substr(i, 2) == "//" && (i == offset || text[i - 1] != ':'))) break;
    ++i;
  }
  while (i > offset && is_space(text[i - 1])) --i;
  return std::max(i, std::min(offset + 1, text.size()));
}

bool is_bare_name(std::string_view word) {
  return word.size() > 1 && is_upper_word(word) && !is_digit(word.front()) && foreign_literal(word).empty();
}

void read_bare_value(std::string_view text, Span span, StringLexer& strings, RepairNotes& notes) {
  const std::string_view word = text.substr(span.begin, span.length());
  if (is_literal(word)) return;
  if (is_json_number(word)) {
    if (is_too_large(word)) note_too_large(span, notes);
    return;
  }
  const bool is_fill_in = is_upper_word(word) && (word.starts_with("REPLACE_") || word == "CHANGE_ME");
  if (is_template(word) || is_fill_in) return notes.placeholder(span);
  if (const std::string_view literal = foreign_literal(word); !literal.empty()) {
    notes.common(CommonMistake::kForeignWord, span, std::string(word) + " is not a JSON value",
                 "write " + std::string(literal), {{span, std::string(literal)}});
    return;
  }
  if (is_not_finite(word)) {
    notes.fault(FaultKind::kJsonSyntax, span, std::string(word) + " is not a JSON value", "use a number");
    notes.placeholder(span);
    return;
  }
  read_word(word, span, strings, notes);
}

}  // namespace bayplan::text
