#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace bayplan::text {

/// Both from 1; columns count Unicode code points.
struct Location {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const Location&) const = default;
};

/// Line starts of a text, which must outlive it. Lines end at LF, CRLF or CR.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  Location location(std::uint32_t offset) const;
  std::size_t line_count() const { return starts_.size(); }
  /// Content of line `line` (from 1) without its line end.
  std::string_view line(std::uint32_t line) const;
  std::uint32_t line_start(std::uint32_t line) const { return starts_[line - 1]; }

 private:
  /// Code points between the start of the text and `offset`.
  std::uint32_t code_points_before(std::uint32_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> starts_;
  /// Offset and code points before it, every half KiB: a column in a snapshot of one line is found without counting the
  /// line anew.
  struct Mark {
    std::uint32_t offset;
    std::uint32_t code_points;
  };
  std::vector<Mark> marks_;
};

}  // namespace bayplan::text
