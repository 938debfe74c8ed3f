#include "base/decimal.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>

#include <fmt/core.h>

namespace bayplan {

namespace without_charconv {
namespace {

/// The digits and the exponent of a number: 12.5 is "125" and 1.
struct ScientificDigits {
  std::string digits;
  int exponent = 0;
};

/// fmt writes the fewest digits, and not where the locale would have a comma.
ScientificDigits scientific_digits(double number) {
  const std::string text = fmt::format("{}", number);
  const auto mark = std::min(text.find('e'), text.size());
  const auto point = std::min(text.find('.'), mark);
  ScientificDigits found;
  std::remove_copy(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), std::back_inserter(found.digits),
                   '.');
  found.exponent = static_cast<int>(point) - 1 + (mark < text.size() ? std::atoi(text.c_str() + mark + 1) : 0);
  const auto leading = std::min(found.digits.find_first_not_of('0'), found.digits.size() - 1);
  found.digits.erase(0, leading);
  found.exponent -= static_cast<int>(leading);
  found.digits.erase(found.digits.find_last_not_of('0') + 1);
  if (found.digits.empty()) return {"0", 0};
  return found;
}

std::string with_exponent(const ScientificDigits& parts) {
  std::string text = parts.digits.substr(0, 1);
  if (parts.digits.size() > 1) (text += '.') += parts.digits.substr(1);
  return text += fmt::format("e{}{:02}", parts.exponent < 0 ? '-' : '+', std::abs(parts.exponent));
}

/// Whole numbers exactly, to the last digit.
std::string without_exponent(const ScientificDigits& parts, double number) {
  const int digits = static_cast<int>(parts.digits.size());
  if (parts.exponent >= digits - 1) return fmt::format("{:.0f}", number);
  if (parts.exponent < 0) return "0." + std::string(static_cast<std::size_t>(-parts.exponent - 1), '0') + parts.digits;
  const auto whole = static_cast<std::size_t>(parts.exponent + 1);
  return parts.digits.substr(0, whole) + "." + parts.digits.substr(whole);
}

}  // namespace

std::string shortest_decimal(double number) {
  const double size = std::abs(number);
  const auto parts = scientific_digits(size);
  const std::string plain = without_exponent(parts, size);
  const std::string scientific = with_exponent(parts);
  return (std::signbit(number) ? "-" : "") + (scientific.size() < plain.size() ? scientific : plain);
}

std::string plain_decimal(double number) {
  const double size = std::abs(number);
  return (std::signbit(number) ? "-" : "") + without_exponent(scientific_digits(size), size);
}

std::from_chars_result read_decimal(std::string_view text, double& number) {
  // As much of the text as is a number: -?digits(.digits)?(e[+-]?digits)?
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - begin;
  };
  std::size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    const std::size_t before = at++;
    count += digits();
    if (count == 0) at = before;
  }
  if (count == 0) return {text.data(), std::errc::invalid_argument};
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t before = at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) at = before;
  }
  std::string value(text.substr(0, at));
  const auto point = value.find('.');
  // strtod wants the point of the locale that the program has.
  if (point != std::string::npos) value.replace(point, 1, std::localeconv()->decimal_point);
  const double read = std::strtod(value.c_str(), nullptr);
  const bool has_digits = value.substr(0, value.find_first_of("eE")).find_first_of("123456789") != std::string::npos;
  if (std::isinf(read) || (read == 0 && has_digits)) return {text.data() + at, std::errc::result_out_of_range};
  number = read;
  return {text.data() + at, std::errc{}};
}

}  // namespace without_charconv

#ifdef __cpp_lib_to_chars

std::string shortest_decimal(double number) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr};
}

std::string plain_decimal(double number) {
  std::array<char, 400> buffer{};  // room for every double
  return {buffer.data(),
          std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed).ptr};
}

std::from_chars_result read_decimal(std::string_view text, double& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number);
}

#else

std::string shortest_decimal(double number) {
  return without_charconv::shortest_decimal(number);
}

std::string plain_decimal(double number) {
  return without_charconv::plain_decimal(number);
}

std::from_chars_result read_decimal(std::string_view text, double& number) {
  return without_charconv::read_decimal(text, number);
}

#endif

}  // namespace bayplan
