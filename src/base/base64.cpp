#include "base/base64.hpp"

#include <cstdint>

#include "base/ascii.hpp"

namespace bayplan {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (is_line_end(c)) continue;
    const std::size_t value = kDigits.find(c);
    if (c == '=') {
      ++padding;
    } else if (value == std::string_view::npos || padding > 0) {
      return std::nullopt;
    } else {
      bits = (bits << 6) | static_cast<std::uint32_t>(value);
      ++digits;
      const std::size_t held = digits * 6 % 8;
      if (held != 6) bytes += static_cast<char>((bits >> held) & 0xff);
    }
  }
  if (padding > 2 || (digits + padding) % 4 != 0) return std::nullopt;
  return bytes;
}

}  // namespace bayplan
