#include "text/location.hpp"

#include "base/utf8.hpp"
#include "catch.hpp"

using bayplan::text::LineIndex;
using bayplan::text::Location;

TEST_CASE("locations count lines from LF, CRLF and CR, and columns in code points") {
  const LineIndex lines("ab\r\n\xC3\xA9x\rz\n");
  CHECK(lines.location(0) == Location{1, 1});
  CHECK(lines.location(4) == Location{2, 1});
  CHECK(lines.location(6) == Location{2, 2});
  CHECK(lines.location(8) == Location{3, 1});
}

TEST_CASE("columns in a long line are those of counting it through") {
  std::string text = "first\n";
  for (int i = 0; i < 9000; ++i) text += i % 3 == 0 ? "\xF0\x9F\x9A\xA2" : i % 3 == 1 ? "\xC3\xA9" : "a";
  text += "\nlast";
  const LineIndex lines(text);
  for (std::uint32_t offset = 6; offset < text.size(); offset += 7) {
    if ((static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) continue;
    const auto place = lines.location(offset);
    const auto start = lines.line_start(place.line);
    CHECK(place.column == bayplan::code_points(std::string_view(text).substr(start, offset - start)) + 1);
  }
}

TEST_CASE("a long line is not counted anew for every place in it") {
  const std::string text(8u << 20, 'x');
  const LineIndex lines(text);
  std::uint64_t columns = 0;
  for (std::uint32_t offset = 0; offset < text.size(); offset += 64) columns += lines.location(offset).column;
  CHECK(columns == 549'751'750'656u);
}
