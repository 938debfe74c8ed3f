#include "base/excerpt.hpp"

#include <algorithm>

namespace bayplan {
namespace {

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

}  // namespace

std::string shortened_to(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && is_inside_character(text, most)) --most;
  return std::string(text.substr(0, most)) + "...";
}

std::string quoted_around(std::string_view text, std::size_t at) {
  constexpr std::size_t kWhole = 200;
  constexpr std::size_t kAround = 40;
  if (text.size() <= kWhole) return "'" + std::string(text) + "'";
  std::size_t begin = at > kAround ? at - kAround : 0;
  while (begin > 0 && is_inside_character(text, begin)) --begin;
  std::size_t end = std::min(text.size(), begin + 2 * kAround);
  while (is_inside_character(text, end)) ++end;
  return (begin > 0 ? "'..." : "'") + std::string(text.substr(begin, end - begin)) + (end < text.size() ? "...'" : "'");
}

}  // namespace bayplan
