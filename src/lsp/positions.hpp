#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"
#include "base/span.hpp"
#include "text/document.hpp"

namespace bayplan::lsp {

/// What the character of a position counts (`positionEncoding` of LSP 3.17).
enum class Encoding : std::uint8_t { kUtf16, kUtf8 };

/// Both from 0.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  bool operator==(const Position&) const = default;
};

struct Range {
  Position start;
  Position end;
};

/// Offsets of a UTF-8 text to positions and back. Lines end at LF, CRLF or CR. Views the text, which must outlive it.
class Positions {
 public:
  Positions(std::string_view text, Encoding encoding);

  /// Converts a position to an offset. After the end of a line it is that end, after the last line the end of the text,
  /// inside a character its beginning.
  std::uint32_t offset(Position position) const;
  Position position(std::uint32_t offset) const;
  Range range(Span span) const { return {position(span.begin), position(span.end)}; }
  Span span(const Range& range) const { return {offset(range.start), offset(range.end)}; }

 private:
  std::string_view text_;
  Encoding encoding_;
  std::vector<std::uint32_t> starts_;  ///< Start of each line.
};

std::optional<Position> read_position(text::Value value);  ///< Nothing when it is none.
std::optional<Range> read_range(text::Value value);

void write_position(JsonWriter& json, Position position);
void write_range(JsonWriter& json, std::string_view key, const Range& range);

}  // namespace bayplan::lsp
