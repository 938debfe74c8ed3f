#include "text/yaml_scalar.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/ascii.hpp"
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

}  // namespace

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
