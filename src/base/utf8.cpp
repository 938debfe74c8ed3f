#include "base/utf8.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace bayplan {
namespace {

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

/// Length of the well-formed sequence at `offset`, or 0.
std::size_t sequence_length(std::string_view text, std::size_t offset) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const std::size_t left = text.size() - offset;
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return left >= 2 && is_continuation(at(1)) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (left < 3 || !is_continuation(at(1)) || !is_continuation(at(2))) return 0;
    if (lead == 0xE0 && at(1) < 0xA0) return 0;  // overlong
    if (lead == 0xED && at(1) > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (left < 4 || !is_continuation(at(1)) || !is_continuation(at(2)) || !is_continuation(at(3))) return 0;
    if (lead == 0xF0 && at(1) < 0x90) return 0;  // overlong
    if (lead == 0xF4 && at(1) > 0x8F) return 0;  // above U+10FFFF
    return 4;
  }
  return 0;
}

/// The first byte from `offset` on that is no ASCII; eight at a time, for most texts are nothing else.
std::size_t end_of_ascii(std::string_view text, std::size_t offset) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  for (std::uint64_t bytes = 0; text.size() - offset >= sizeof bytes; offset += sizeof bytes) {
    std::memcpy(&bytes, text.data() + offset, sizeof bytes);
    if ((bytes & kHighBits) != 0) break;
  }
  while (offset < text.size() && static_cast<unsigned char>(text[offset]) < 0x80) ++offset;
  return offset;
}

struct Range {
  char32_t first;
  char32_t last;
};

// Ranges that matter in names and descriptions, from Unicode 15 (EastAsianWidth.txt W and F; general category Mn, Me,
// Cf), joined where neighbors are unassigned.
constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x23F3, 0x23F3},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},
    {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},
    {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},
    {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},
    {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18D08}, {0x1AFF0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DC, 0x1F6DF},
    {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

constexpr Range kZero[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
                           {0x05C4, 0x05C5}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC},
                           {0x06DF, 0x06E4}, {0x06E7, 0x06E8}, {0x06EA, 0x06ED}, {0x0711, 0x0711}, {0x0730, 0x074A},
                           {0x0900, 0x0902}, {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D},
                           {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                           {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x20D0, 0x20F0}, {0x302A, 0x302D},
                           {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};

template <std::size_t N>
bool contains(const Range (&ranges)[N], char32_t code_point) {
  const auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), code_point,
                                       [](char32_t value, const Range& range) { return value < range.first; });
  return after != std::begin(ranges) && code_point <= std::prev(after)->last;
}

}  // namespace

bool is_terminal_control(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return true;
  // Marks and overrides of direction; ends of lines and paragraphs, at which some readers begin a line.
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t offset = end_of_ascii(text, 0); offset < text.size(); offset = end_of_ascii(text, offset)) {
    const std::size_t length = sequence_length(text, offset);
    if (length == 0) return offset;
    offset += length;
  }
  return std::nullopt;
}

char32_t decode_utf8(std::string_view text, std::size_t& offset) {
  const std::size_t length = sequence_length(text, offset);
  const auto at = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i])); };
  char32_t result = 0xFFFD;
  switch (length) {
    case 1:
      result = at(0);
      break;
    case 2:
      result = (at(0) & 0x1F) << 6 | (at(1) & 0x3F);
      break;
    case 3:
      result = (at(0) & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F);
      break;
    case 4:
      result = (at(0) & 0x07) << 18 | (at(1) & 0x3F) << 12 | (at(2) & 0x3F) << 6 | (at(3) & 0x3F);
      break;
    default:
      break;
  }
  offset += std::max<std::size_t>(1, length);
  return result;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0;;) {
    const std::size_t other = end_of_ascii(text, offset);
    count += other - offset;
    if (other == text.size()) return count;
    offset = other;
    decode_utf8(text, offset);
    ++count;
  }
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t offset = 0;;) {
    const std::size_t other = end_of_ascii(text, offset);
    width += other - offset;
    if (other == text.size()) return width;
    offset = other;
    const char32_t c = decode_utf8(text, offset);
    if (c >= 0x300 && contains(kZero, c)) continue;
    width += c >= 0x1100 && contains(kWide, c) ? 2 : 1;
  }
}

void append_utf8(std::string& out, char32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t begin = offset;
    while (offset < text.size() && text[offset] >= ' ' && text[offset] < '\x7F') ++offset;
    result.append(text, begin, offset - begin);
    if (offset == text.size()) break;
    const char32_t c = decode_utf8(text, offset);
    if (c == '\t') {
      result += ' ';
    } else {
      append_utf8(result, is_terminal_control(c) ? char32_t{0xFFFD} : c);
    }
  }
  return result;
}

}  // namespace bayplan
