#include "report/document/table.hpp"

#include <sstream>

#include "catch.hpp"
#include "report/document/report_document.hpp"

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
  ReportDocument document("fit");
  document.table(small_table());
  std::ostringstream out;
  write_document(out, document, medium);
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
  const auto page = written(Medium::kPage);
  CHECK(page.find("<bdi>m5.large</bdi></td><td class=\"figure ") != std::string::npos);
  CHECK(page.find("<td><bdi><code>a</code> b</bdi></td>") != std::string::npos);
}

TEST_CASE("color moves no column of a table") {
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

TEST_CASE("text width - a number stays with its unit, and lines fit the terminal") {
  const std::string text = "p3.16xlarge in us-east-2a costs +$24.48/h, which is about $17,870 a month at 730 h.";
  CHECK(wrapped(text, 2) == "p3.16xlarge in us-east-2a costs +$24.48/h, which is about $17,870 a month at\n  730 h.");
  const TextWidth narrow(40);
  CHECK(wrapped(text, 0) == "p3.16xlarge in us-east-2a costs\n+$24.48/h, which is about $17,870 a\nmonth at 730 h.");
  {
    const TextWidth wide(120);
    CHECK(wrapped(text, 0) == text);
  }
  CHECK(text_columns() == 40);
}

TEST_CASE("table - a last column that is too long goes on below") {
  const TextWidth narrow(40);
  Table table({"type", "reason"});
  table.add({"m5.large", "RESOURCE:CPU (4 vCPU short), RESOURCE:GPU (none)"});
  std::ostringstream out;
  print_table(out, table, Style(false));
  CHECK(out.str() == "  type      reason\n  m5.large  RESOURCE:CPU (4 vCPU short),\n            RESOURCE:GPU (none)\n");
}

TEST_CASE("table - a part that goes on below uses the whole line") {
  const TextWidth narrow(40);
  Table table({"instance", "zone", "GPU", "tasks"});
  table.add({"p3.16xlarge#1", "us-east-2a", "4 free", "train-4-gpu#1-2 web#1"});
  CHECK(table.room_for(3, 8) == 40 - 2 - 13 - 2);
  std::ostringstream out;
  print_table(out, table, Style(false));
  CHECK(out.str() ==
        "  instance       zone        GPU\n  p3.16xlarge#1  us-east-2a  4 free\n\n"
        "  instance       tasks\n  p3.16xlarge#1  train-4-gpu#1-2 web#1\n");
}

TEST_CASE("wrapped lines end without blanks") {
  const TextWidth narrow(36);
  CHECK(wrapped("--add g4dn.12xlarge=1@us-east-2b  (or in us-east-2c)", 0) ==
        "--add g4dn.12xlarge=1@us-east-2b\n(or in us-east-2c)");
}

TEST_CASE("table - bars are colored by load") {
  const Glyphs glyphs;
  CHECK(load_cell(0, 10, glyphs).tone == Tone::kPlain);
  CHECK(load_cell(6, 10, glyphs).tone == Tone::kGood);
  CHECK(load_cell(7, 10, glyphs).tone == Tone::kDoubtful);
  CHECK(load_cell(9, 10, glyphs).tone == Tone::kBad);
}
