#include "report/document/table.hpp"

#include <sstream>

#include "catch.hpp"
#include "report/document/document.hpp"

using namespace bayplan;
using namespace bayplan::report;

namespace {

Table small_table() {
  Table table({"type", number_column("count"), "note", "more"});
  table.add({"m5.large", Cell("10", Tone::kBad), "-", RichText{in_code("a"), {" b"}}});
  table.add({"p3", "2", "", "c"});
  return table;
}

std::string printed(const Table& table, bool colored = false) {
  std::ostringstream out;
  print_table(out, table, Style(colored));
  return out.str();
}

std::string written(Medium medium) {
  Document document(medium, "fit");
  document.table(small_table());
  std::ostringstream out;
  write_document(out, document);
  return out.str();
}

}  // namespace

TEST_CASE("a table reads the same in text, Markdown and HTML") {
  CHECK(printed(small_table()) ==
        "  type      count  note  more\n"
        "  m5.large     10  -     a b\n"
        "  p3            2        c\n");
  CHECK(
      written(Medium::kComment) ==
      "| type | count | note | more |\n| --- | ---: | --- | --- |\n| m5.large | 10 | - | `a` b |\n| p3 | 2 |  | c |\n");
  CHECK(written(Medium::kPage)
            .find("<td><bdi>m5.large</bdi></td><td class=\"figure\">10</td><td class=\"figure\">-</td>"
                  "<td><bdi><code>a</code> b</bdi></td>") != std::string::npos);
}

TEST_CASE("colour moves no column of a table") {
  CHECK(printed(small_table(), true).find("     \x1b[31m10\x1b[0m  -") != std::string::npos);
}

TEST_CASE("a table drops columns in which no cell says anything") {
  auto table = small_table();
  table.drop_empty_columns();
  CHECK(printed(table) ==
        "  type      count  more\n"
        "  m5.large     10  a b\n"
        "  p3            2  c\n");
}

TEST_CASE("a table says how many rows it drops and what room a column has") {
  auto table = small_table();
  CHECK(table.room_for(0, 1) == 80 - 2 - (5 + 2) - (4 + 2) - (4 + 2));
  CHECK(table.room_for(0, 79) == 79);
  CHECK(table.keep_rows(5) == 0);
  CHECK(table.keep_rows(1) == 1);
  CHECK(table.rows.size() == 1);
}

TEST_CASE("headings that are all empty are no line of a table") {
  Table table({"", ""});
  table.add({"a", "b"});
  CHECK(printed(table) == "  a  b\n");
}
