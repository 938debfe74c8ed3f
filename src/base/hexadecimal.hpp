#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bayplan {

/// The value of a hexadecimal digit of either case.
constexpr std::optional<std::uint32_t> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  const char low = static_cast<char>(c | 0x20);
  if (low >= 'a' && low <= 'f') return static_cast<std::uint32_t>(low - 'a' + 10);
  return std::nullopt;
}

/// The number that a text of one to eight hexadecimal digits writes.
constexpr std::optional<std::uint32_t> parse_hex(std::string_view digits) {
  if (digits.empty() || digits.size() > 8) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : digits) {
    const auto digit = hex_digit(c);
    if (!digit) return std::nullopt;
    value = value * 16 + *digit;
  }
  return value;
}

/// `\u00e9` in a JSON string, or the two escapes of a surrogate pair (RFC 8259, section 7).
struct UnicodeEscape {
  std::size_t length = 0;             ///< of one escape, or of both
  std::optional<char32_t> character;  ///< nothing for half of a pair
};

/// The escape that the text begins with.
constexpr std::optional<UnicodeEscape> unicode_escape(std::string_view text) {
  constexpr std::size_t kLength = 6;
  const auto unit_at = [&](std::size_t offset) {
    const bool is_escape = text.size() >= offset + kLength && text.substr(offset, 2) == "\\u";
    return is_escape ? parse_hex(text.substr(offset + 2, 4)) : std::nullopt;
  };
  const auto first = unit_at(0);
  if (!first) return std::nullopt;
  if (*first < 0xD800 || *first > 0xDFFF) return UnicodeEscape{kLength, static_cast<char32_t>(*first)};
  const auto second = *first <= 0xDBFF ? unit_at(kLength) : std::nullopt;
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return UnicodeEscape{kLength, std::nullopt};
  return UnicodeEscape{2 * kLength, static_cast<char32_t>(0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00))};
}

}  // namespace bayplan
