#include "text/yaml_scalar.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "base/ascii.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"

namespace bayplan::text {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::size_t skip_digits(std::string_view text, std::size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

bool all_digits(std::string_view text) {
  return !text.empty() && skip_digits(text, 0) == text.size();
}

/// `0o17` and `0x1F`.
bool is_prefixed_integer(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return false;
  const std::string_view digits = text.substr(2);
  if (text[1] == 'o') return digits.find_first_not_of("01234567") == std::string_view::npos;
  return text[1] == 'x' && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool is_decimal(std::string_view text) {
  const std::size_t whole = skip_digits(text, 0);
  std::size_t end = whole;
  if (end < text.size() && text[end] == '.') {
    end = skip_digits(text, end + 1);
    if (end == 1) return false;
  } else if (whole == 0) {
    return false;
  }
  if (end == text.size()) return true;
  if (text[end] != 'e' && text[end] != 'E') return false;
  return all_digits(without_sign(text.substr(end + 1)));
}

/// What does not fit 64 bits stays a number.
Kind integer_or_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return to_integer(text) ? Kind::kInteger : Kind::kNumber;
}

bool begins_like_number(std::string_view text) {
  const char first = text.empty() ? '\0' : text.front();
  return is_digit(first) || first == '-' || first == '+' || first == '.';
}

bool is_boolean_word(std::string_view text) {
  const std::initializer_list<std::string_view> words{"yes", "no", "on", "off"};
  return std::any_of(words.begin(), words.end(), [&](auto word) { return equal_ignoring_case(text, word); });
}

struct NumberForm {
  OtherReading reading;
  Pattern pattern;
};

std::vector<NumberForm> compile_number_forms() {
  const auto form = [](OtherReading reading, std::string_view expression) {
    return NumberForm{reading, *Pattern::compile(expression)};
  };
  return {
      form(OtherReading::kDate, R"(\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?)"
                                R"((?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)"),
      form(OtherReading::kInteger, R"([-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9_]+))"),
      form(OtherReading::kFloat,
           R"([-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9_]+))"),
      form(OtherReading::kBase60, R"([-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)")};
}

}  // namespace

OtherReading other_reading(std::string_view text) {
  if (is_boolean_word(text)) return OtherReading::kBoolean;
  if (!begins_like_number(text) || resolve_plain(text) != Kind::kString) return OtherReading::kNone;
  static const std::vector<NumberForm> forms = compile_number_forms();
  const auto found = std::find_if(forms.begin(), forms.end(),
                                  [&](const NumberForm& form) { return form.pattern.matches_whole(text); });
  return found == forms.end() ? OtherReading::kNone : found->reading;
}

Kind resolve_plain(std::string_view text) {
  if (text.empty()) return Kind::kNull;
  const char first = text.front();
  if (first == '~' || first == 'n' || first == 'N') {
    return is_one_of(text, {"~", "null", "Null", "NULL"}) ? Kind::kNull : Kind::kString;
  }
  if (first == 't' || first == 'T' || first == 'f' || first == 'F') {
    return is_one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"}) ? Kind::kBoolean : Kind::kString;
  }
  const std::string_view digits = without_sign(text);
  if (all_digits(digits)) return integer_or_number(text);
  if (is_prefixed_integer(text)) return text.size() <= 17 ? Kind::kInteger : Kind::kNumber;
  if (is_decimal(digits) || is_one_of(digits, {".inf", ".Inf", ".INF"}) || is_one_of(text, {".nan", ".NaN", ".NAN"})) {
    return Kind::kNumber;
  }
  return Kind::kString;
}

}  // namespace bayplan::text
