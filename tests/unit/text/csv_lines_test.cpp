#include "text/csv_lines.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

namespace bayplan::text {
namespace csv_lines_test {

/// "offset:text" of each line.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  CsvLines reader(text);
  for (CsvLine line; reader.next(line);) lines.push_back(std::to_string(line.offset) + ":" + std::string(line.text));
  return lines;
}

TEST_CASE("lines of a CSV file have their offsets, without blank ones and comments") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n \n# note\n").empty());
  CHECK(lines_of("a,b\r\n1,2\r\n") == std::vector<std::string>{"0:a,b", "5:1,2"});
  CHECK(lines_of("# note\n\nhour,web\n 0,5\n  # indented\n1,6") ==
        std::vector<std::string>{"8:hour,web", "17: 0,5", "35:1,6"});
}

}  // namespace csv_lines_test
}  // namespace bayplan::text
