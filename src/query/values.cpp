#include "query/values.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::query {

namespace {

template <class T>
int compare_values(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

}  // namespace

std::optional<std::vector<std::int64_t>> parse_version(std::string_view text) {
  constexpr std::size_t kMaxDigits = 18;
  std::vector<std::int64_t> parts;
  for (const auto part : split(text, '.')) {
    const bool digits = std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (part.empty() || part.size() > kMaxDigits || !digits) return std::nullopt;
    parts.push_back(*to_integer(part));
  }
  return parts;
}

int compare_versions(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  const auto part = [](const std::vector<std::int64_t>& version, std::size_t i) {
    return i < version.size() ? version[i] : 0;
  };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (const int sign = compare_values(part(a, i), part(b, i))) return sign;
  }
  return 0;
}

int compare_attribute_values(std::string_view a, std::string_view b) {
  const auto integer_a = to_integer(a);
  const auto integer_b = to_integer(b);
  if (integer_a && integer_b) return compare_values(*integer_a, *integer_b);
  const auto number_a = to_number(a);
  const auto number_b = to_number(b);
  if (number_a && number_b) return compare_values(*number_a, *number_b);
  return compare_values(a, b);
}

}  // namespace bayplan::query
