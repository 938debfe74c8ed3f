#include "base/excerpt.hpp"

#include <algorithm>

namespace bayplan {
namespace {

/// Bytes 10xxxxxx continue a character of UTF-8.
bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

}  // namespace

std::size_t beginning_of_character(std::string_view text, std::size_t at) {
  while (at > 0 && is_inside_character(text, at)) --at;
  return at;
}

std::size_t end_of_character(std::string_view text, std::size_t at) {
  while (is_inside_character(text, at)) ++at;
  return at;
}

std::string shortened_to(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, beginning_of_character(text, most))) + "...";
}

std::string quoted_around(std::string_view text, std::size_t at) {
  constexpr std::size_t kWhole = 200;
  constexpr std::size_t kAround = 40;
  if (text.size() <= kWhole) return "'" + std::string(text) + "'";
  const std::size_t begin = beginning_of_character(text, at > kAround ? at - kAround : 0);
  const std::size_t end = end_of_character(text, std::min(text.size(), begin + 2 * kAround));
  return (begin > 0 ? "'..." : "'") + std::string(text.substr(begin, end - begin)) + (end < text.size() ? "...'" : "'");
}

std::string without_middle(std::string text, std::size_t most, std::size_t end, std::string_view gap) {
  if (text.size() <= most) return text;
  const std::size_t cut = beginning_of_character(text, most - end - gap.size());
  const std::size_t rest = end_of_character(text, text.size() - end);
  return text.replace(cut, rest - cut, gap);
}

}  // namespace bayplan
