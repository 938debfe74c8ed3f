#include "base/strings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/finding.hpp"

namespace bayplan {
namespace {

char lower_char(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::kStyle:
      return "style";
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

std::optional<Severity> severity_named(std::string_view name) {
  for (const auto severity : {Severity::kStyle, Severity::kInfo, Severity::kWarning, Severity::kError}) {
    if (name == name_of(severity)) return severity;
  }
  return std::nullopt;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower_char);
  return result;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const auto& part : parts) {
    if (&part != &parts.front()) result += separator;
    result += part;
  }
  return result;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = read_decimal(text, value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string count_of(std::int64_t count, std::string_view singular, std::string_view plural) {
  std::string result = std::to_string(count) + " ";
  if (count == 1) return result += singular;
  if (!plural.empty()) return result += plural;
  return (result += singular) += "s";
}

std::string one_of(const std::vector<std::string_view>& words, std::string_view conjunction) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && i + 1 == words.size()) {
      (((result += " ") += conjunction) += " ");
    } else if (i > 0) {
      result += ", ";
    }
    result += words[i];
  }
  return result;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      std::size_t i_end = i;
      std::size_t j_end = j;
      while (i_end < a.size() && is_digit(a[i_end])) ++i_end;
      while (j_end < b.size() && is_digit(b[j_end])) ++j_end;
      while (i + 1 < i_end && a[i] == '0') ++i;
      while (j + 1 < j_end && b[j] == '0') ++j;
      if (i_end - i != j_end - j) return i_end - i < j_end - j;
      const int order = a.substr(i, i_end - i).compare(b.substr(j, j_end - j));
      if (order != 0) return order < 0;
      i = i_end;
      j = j_end;
    } else {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

}  // namespace bayplan
