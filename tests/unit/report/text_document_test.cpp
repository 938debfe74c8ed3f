#include <sstream>

#include "catch.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/report_document.hpp"

using namespace bayplan;
using namespace bayplan::report;

namespace {

std::string text_of_document(const ReportDocument& document, const TextOptions& options = {}) {
  std::ostringstream out;
  write_document(out, document, Medium::kText, options);
  return out.str();
}

std::string markdown_of_document(const ReportDocument& document) {
  std::ostringstream out;
  write_document(out, document, Medium::kComment);
  return out.str();
}

const TextOptions kVerbose{.verbose = true};

}  // namespace

TEST_CASE("a text begins with the answer, which is all that --quiet prints") {
  ReportDocument document("why");
  document.answer("", "NO  " + std::string(30, 'a') + " " + std::string(60, 'b'), false);
  document.paragraph("because");
  CHECK(text_of_document(document) == "NO  " + std::string(30, 'a') + "\n    " + std::string(60, 'b') + "\nbecause\n");
  CHECK(text_of_document(document, {.quiet = true}) ==
        "NO  " + std::string(30, 'a') + " " + std::string(60, 'b') + "\n");
  CHECK(markdown_of_document(document).starts_with("### bayplan why: NO  aaa"));
}

TEST_CASE("sections are separated by one blank line, if they have something to show") {
  ReportDocument document("why");
  document.section("first", "First");
  document.paragraph("one");
  document.gap();
  document.paragraph("");
  document.section("page", "Only on a page");
  document.paragraph("not in a terminal", kCommentAndPage);
  document.section("last", "Last");
  document.paragraph("two");
  document.footer.emplace_back(block::Gap{});
  document.footer.emplace_back(block::SmallPrint{"prices"});
  CHECK(text_of_document(document) == "one\n\ntwo\n\nprices\n");
  CHECK(markdown_of_document(document) == "one\n\nnot in a terminal\n\ntwo\n\n<sub>prices</sub>\n");
}

TEST_CASE("a first screen shows some rows and columns, -v shows all") {
  Table table({"name", column_for(kNotFirstScreen, "more")});
  table.add({"a", "1"});
  table.add({"b", "2"}, kNotFirstScreen);
  table.add({"c", "3"});
  table.add({"d", "4"});
  ReportDocument document("fit");
  document.table(std::move(table), {.text = 2, .comment = 3, .noun = "rows"});
  CHECK(text_of_document(document) == "  name\n  a\n  c\n  and 1 more rows (-v)\n");
  CHECK(text_of_document(document, kVerbose) == "  name  more\n  a     1\n  b     2\n  c     3\n  d     4\n");
  CHECK(markdown_of_document(document) ==
        "| name | more |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n| c | 3 |\n\nand 1 more\n");
}

TEST_CASE("a table without a row for a medium is not there") {
  Table table({"name"});
  table.add({"a"}, Medium::kPage);
  ReportDocument document("fit");
  document.table(std::move(table));
  CHECK(text_of_document(document).empty());
  CHECK(markdown_of_document(document).empty());
}

TEST_CASE("columns in which no shown cell says anything are omitted") {
  Table table({"name", "note"});
  table.omits_empty = true;
  table.add({"a", "-"});
  table.add({"b", "late"});
  ReportDocument document("fit");
  document.table(std::move(table), {.text = 1});
  CHECK(text_of_document(document) == "  name\n  a\n  and 1 more (-v)\n");
  CHECK(text_of_document(document, kVerbose) == "  name  note\n  a     -\n  b     late\n");
}

TEST_CASE("a list shows no headings, and a column below its row aligned with the last one") {
  const TextWidth narrow(24);
  Column below{"ids"};
  below.is_below = true;
  Table table({number_column("count"), "reason", below});
  table.add({"2", "no room", "i-1, i-2, i-3, i-4, i-5"});
  table.add({"10", "kept", ""});
  ReportDocument document("repack");
  document.add(block::ShownTable{.table = std::move(table), .is_list = true});
  CHECK(text_of_document(document) ==
        "   2  no room\n"
        "      i-1, i-2, i-3,\n"
        "      i-4, i-5\n"
        "  10  kept\n");
}

TEST_CASE("a column is cut on a first screen so that the table fits") {
  const TextWidth narrow(20);
  Column moves{"moves"};
  moves.cut_from = 4;
  Table table({"a", moves, number_column("$/h")});
  table.add({"i-1", "5 web, 7 api", "1.00"});
  ReportDocument document("repack");
  document.table(std::move(table));
  CHECK(text_of_document(document, {.glyphs = Glyphs::ascii()}) == "  a    moves     $/h\n  i-1  5 we...  1.00\n");
}

TEST_CASE("a narrow terminal omits what is optional in a cell where texts need the room") {
  Column cost = number_column("cost");
  cost.optional = ", ";
  Table table({cost, "fix"});
  table.add({"+$1/h, +$730/month", "add an instance"});
  ReportDocument document("why");
  document.table(std::move(table));
  CHECK(text_of_document(document).find("+$1/h, +$730/month  add") != std::string::npos);
  const TextWidth narrow(50);
  CHECK(text_of_document(document).find("  +$1/h  add") != std::string::npos);
}

TEST_CASE("emphasis of a text follows it over line breaks") {
  const TextWidth narrow(12);
  ReportDocument document("fit");
  document.paragraph({.text = RichText{{"see "}, in_bold("one two"), {" three"}}, .hanging = 2});
  CHECK(text_of_document(document) == "see one\n  two three\n");
  CHECK(text_of_document(document, {.style = Style(true)}) == "see \x1b[1mone\n  two\x1b[0m three\n");
}

TEST_CASE("texts of a terminal are escaped") {
  ReportDocument document("diff");
  document.paragraph("a\x1b[2J");
  document.list({"b\x1b[2J"});
  document.add(block::Changes{.list = {{"f.json:1:1", "c\x1b[2J", "d\x1b[2J", std::nullopt}}});
  document.add(block::Details{"e\x1b[2J", {}});
  CHECK(text_of_document(document).find('\x1b') == std::string::npos);
}

TEST_CASE("a change is on one line if it fits, else its values are below") {
  block::Changes changes{.list = {{"f.json:1:1", "cpu", "1", "2"},
                                  {"f.json:2:1", "memory", std::nullopt, "900"},
                                  {"f.json:3:1", "image", std::string(60, 'a'), std::string(60, 'b')}},
                         .rows = {.text = 3, .noun = "fields"},
                         .summary = "3 fields changed"};
  ReportDocument document("diff");
  document.add(std::move(changes));
  CHECK(text_of_document(document) ==
        "  f.json:1:1: cpu: 1 -> 2\n"
        "  f.json:2:1: + memory: 900\n"
        "  f.json:3:1: image:\n"
        "      " +
            std::string(60, 'a') + "\n   -> " + std::string(60, 'b') + "\n");
  CHECK(markdown_of_document(document).find("<details><summary>3 fields changed</summary>\n\n| field |") !=
        std::string::npos);
}

TEST_CASE("blocks that a medium omits are not made") {
  int made = 0;
  ReportDocument document("why");
  document.add(block::Later{[&](const Screen&) -> Blocks {
                 ++made;
                 return {block::Paragraph{.text = "all"}};
               }},
               kNotFirstScreen);
  CHECK(text_of_document(document).empty());
  CHECK(made == 0);
  CHECK(text_of_document(document, kVerbose) == "all\n");
  CHECK(made == 1);
}

TEST_CASE("a part that is made late knows how many lines of a first screen are left") {
  std::size_t left = 0;
  ReportDocument document("place");
  document.line(0, "first");
  document.gap();
  document.later(kTerminal, [&](ReportDocument& part, const Screen& screen) {
    left = screen.lines_left;
    part.add(block::Drawing{"  ##  12%\n"});
    part.left_out(3);
    part.left_out(0);
  });
  document.footer.emplace_back(block::Paragraph{.text = "last"});
  CHECK(text_of_document(document) == "first\n\n  ##  12%\n  and 3 more (-v)\nlast\n");
  CHECK(left == kTerminalLines - 2);
  CHECK(text_of_document(document, kVerbose) == "first\n\n  ##  12%\nlast\n");
}

TEST_CASE("under --quiet the answer is one line, and what must be read with it follows") {
  ReportDocument document("place");
  const std::string words = std::string(60, 'a') + " " + std::string(60, 'b');
  document.answer("", "NO  " + words, false);
  document.notes({"web: FARGATE"});
  document.line(0, "more");
  CHECK(text_of_document(document, {.quiet = true}) == "NO  " + words + "\nNOTE  web: FARGATE\n");
  CHECK(text_of_document(document) ==
        "NO  " + std::string(60, 'a') + "\n    " + std::string(60, 'b') + "\nNOTE  web: FARGATE\nmore\n");
}

TEST_CASE("a page ends with the text of a terminal if the document says so") {
  ReportDocument document("why");
  document.has_text = true;
  document.paragraph("only with -v", Medium::kFullText);
  std::ostringstream out;
  write_document(out, document, Medium::kPage);
  CHECK(out.str().find("the report as a terminal shows it with -v</summary>\n<pre tabindex=\"0\">only with -v\n") !=
        std::string::npos);
}
