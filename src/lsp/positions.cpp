#include "lsp/positions.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace bayplan::lsp {
namespace {

using text::Value;

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Code units of UTF-16 in well-formed UTF-8: one a character, and one more where that takes four bytes.
std::uint32_t utf16_units(std::string_view text) {
  std::uint32_t units = 0;
  for (const char byte : text) {
    units += is_continuation(byte) ? 0 : 1;
    units += static_cast<unsigned char>(byte) >= 0xF0U ? 1 : 0;
  }
  return units;
}

std::optional<std::uint32_t> read_count(Value value) {
  if (!value) return std::nullopt;
  const auto number = value.integer();
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(*number, INT32_MAX));
}

}  // namespace

Positions::Positions(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n")) {
      starts_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
}

std::uint32_t Positions::offset(Position position) const {
  if (position.line >= starts_.size()) return static_cast<std::uint32_t>(text_.size());
  const std::size_t begin = starts_[position.line];
  std::size_t end = position.line + 1 < starts_.size() ? starts_[position.line + 1] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  if (encoding_ == Encoding::kUtf8) {
    std::size_t at = std::min(end, begin + position.character);
    while (at > begin && at < text_.size() && is_continuation(text_[at])) --at;
    return static_cast<std::uint32_t>(at);
  }
  std::size_t at = begin;
  for (std::uint32_t units = 0; at < end;) {
    std::size_t next = at;
    decode_utf8(text_, next);
    units += utf16_units(text_.substr(at, next - at));
    if (units > position.character) break;
    at = next;
  }
  return static_cast<std::uint32_t>(at);
}

Position Positions::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - starts_.begin() - 1);
  const std::uint32_t begin = starts_[line];
  if (encoding_ == Encoding::kUtf8) return {line, offset - begin};
  return {line, utf16_units(text_.substr(begin, offset - begin))};
}

std::optional<Position> read_position(Value value) {
  if (!value || !value.is_object()) return std::nullopt;
  const auto line = read_count(value.find("line"));
  const auto character = read_count(value.find("character"));
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> read_range(Value value) {
  if (!value || !value.is_object()) return std::nullopt;
  const auto start = read_position(value.find("start"));
  const auto end = read_position(value.find("end"));
  if (!start || !end) return std::nullopt;
  return Range{*start, *end};
}

void write_position(JsonWriter& json, Position position) {
  json.begin_object(JsonWriter::Layout::kLine)
      .member("line", position.line)
      .member("character", position.character)
      .end_object();
}

void write_range(JsonWriter& json, std::string_view key, const Range& range) {
  json.key(key).begin_object(JsonWriter::Layout::kLine).key("start");
  write_position(json, range.start);
  json.key("end");
  write_position(json, range.end);
  json.end_object();
}

}  // namespace bayplan::lsp
