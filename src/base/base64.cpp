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

std::string encode_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = (bits << 8) | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= group.size() ? kDigits[(bits >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

}  // namespace bayplan
