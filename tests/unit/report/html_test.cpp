#include <nlohmann/json.hpp>
#include <sstream>

#include "base/base64.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "report/document/escape.hpp"
#include "report/document/report_document.hpp"
#include "report/lint/source_excerpt.hpp"
#include "report/place/place_report.hpp"

namespace html_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using namespace bayplan::report;
using nlohmann::json;

namespace {

std::string page_of(const Scenario& scenario) {
  const auto outcome = place(scenario);
  std::ostringstream out;
  const auto report = make_place_report(scenario, outcome);
  write_document(out, place_document(report), Medium::kPage);
  return out.str();
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  REQUIRE(begin != std::string::npos);
  const auto end = text.find(to, begin + from.size());
  REQUIRE(end != std::string::npos);
  return text.substr(begin + from.size(), end - begin - from.size());
}

json data_of(const std::string& page) {
  return json::parse(between(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("text of a page makes no markup") {
  CHECK(html_text("<script>alert('a' & \"b\")</script>") ==
        "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;");
  CHECK(html_text("a\x1b[31mb") == "a\xef\xbf\xbd[31mb");
}

TEST_CASE("only whole addresses of sources become links") {
  CHECK(html_with_links("live: https://a.b/c?d=\"e\" (https://f.g/h): <i>") ==
        "live: <a href=\"https://a.b/c?d=&quot;e&quot;\">https://a.b/c?d=&quot;e&quot;</a> "
        "(<a href=\"https://f.g/h\">https://f.g/h</a>): &lt;i&gt;");
  CHECK(html_with_links("javascript:alert(1) http://a.b") == "javascript:alert(1) http://a.b");
}

TEST_CASE("base64 is written with padding") {
  CHECK(encode_base64("") == "");
  CHECK(encode_base64("f") == "Zg==");
  CHECK(encode_base64("fo") == "Zm8=");
  CHECK(encode_base64("foo") == "Zm9v");
  CHECK(encode_base64("foobar") == "Zm9vYmFy");
  CHECK(encode_base64("\xff\xfe") == "//4=");
}

TEST_CASE("a policy names a script by its digest") {
  // SHA-256 of nothing.
  CHECK(policy_source("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") ==
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST_CASE("the page of place has the cluster by columns") {
  auto scenario = build::scenario_with(
      {instance("p3.16xlarge", 65536, 490000, {8, 16384}, "us-east-2a")},
      {run_task("t4", with_gpus(needs(8192, 20000), {4}), 1), run_task("</script><b>", needs(1024, 1000), 2)});
  scenario.instances.front().id = "<img src=x>";
  const auto page = page_of(scenario);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("</script><b>") == std::string::npos);
  const auto cluster = data_of(page)["cluster"];
  CHECK(cluster["end"] == 0);
  CHECK(cluster["instances"]["name"] == json::array({"<img src=x>"}));
  CHECK(cluster["kinds"][1]["name"] == "</script><b>");
  CHECK(cluster["tasks"]["kind"] == json::array({0, 1, 1}));
  CHECK(cluster["tasks"]["gpus"] == json::array({4, 0, 0}));
  CHECK(cluster["tasks"]["gpu"] == json::array({0, 1, 2, 3}));
  CHECK_FALSE(cluster["tasks"].contains("from"));
}

TEST_CASE("a page knows no number of interfaces that nobody states") {
  auto stated = instance("a", 2048, 7680);
  stated.network_interfaces = 14;
  auto unlimited = stated;
  unlimited.network_interfaces = kUnlimitedInterfaces;
  const auto cluster = data_of(page_of(build::scenario_with({stated, unlimited}, {})))["cluster"];
  CHECK(cluster["profiles"][0]["networkInterfaces"] == 14);
  CHECK(cluster["profiles"][1]["networkInterfaces"].is_null());
}

TEST_CASE("the page of place tells why tasks have no place") {
  const auto page = page_of(build::scenario_with({instance("m5.large", 2048, 7680, {}, "us-east-2a")},
                                                 {run_task("t8", with_gpus(needs(1024, 1000), {8}), 3)}));
  CHECK(page.find("class=\"bad\"") != std::string::npos);
  const auto failures = between(page, "<section id=\"failures\"", "</section>");
  CHECK(count_of(failures, "<tr>") == 2);
  CHECK(failures.find("t8#1-3") != std::string::npos);
  CHECK(failures.find("<bdi>not placed</bdi>") != std::string::npos);
}

TEST_CASE("a page of nothing is a page") {
  const auto page = page_of(build::scenario_with({}, {}));
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(data_of(page)["cluster"]["instances"]["name"].empty());
}

TEST_CASE("columns of a page are figures when every cell is one") {
  std::ostringstream out;
  ReportDocument page("fit");
  page.section("s", "S");
  Table table({"type", "copies", "share"});
  table.add({"10 g4dn.xlarge", "3-4", "58%"});
  table.add({"2 m5.large", "-", "100 %"});
  page.table(std::move(table));
  write_document(out, page, Medium::kPage);
  CHECK(count_of(out.str(), "<td class=\"figure\">") == 4);
  CHECK(out.str().find("<td><bdi>10 g4dn.xlarge") != std::string::npos);
}

TEST_CASE("a page groups digits, marks what one pastes, and fills its rows of figures") {
  std::ostringstream out;
  ReportDocument page("fit");
  page.section("s", "S");
  Table table({"id", report::number_column("tasks")});
  table.add({"12345", "12345"});
  table.add({"x", "9000 of 9000"});
  page.table(std::move(table));
  page.paragraph({{"use "}, report::in_command("--add m5.large=1"), {" or "}, report::in_code("cpu")});
  page.add(report::block::Figures{
      {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}, {"e", "5"}, {"f", "6"}, {"g", "7"}, {"h", "8"}}});
  write_document(out, page, Medium::kPage);
  CHECK(out.str().find("<bdi>12345</bdi></td><td class=\"figure\">12,345</td>") != std::string::npos);
  CHECK(out.str().find("9000 of 9000") != std::string::npos);
  CHECK(out.str().find(
            "use <code class=\"copied\"><span class=\"name\">--add</span> m5.large=1</code> or <code>cpu</code>") !=
        std::string::npos);
  CHECK(out.str().find("<dl class=\"figures per-4\">") != std::string::npos);
}

TEST_CASE("an excerpt marks its span and cuts long lines between characters") {
  const std::string text =
      "first\n  \"cpu\": <256>,\n" + std::string(300, 'x') + "\xc3\xa4MARK" + std::string(300, 'y') + "\n";
  const SourceExcerpt source(text);
  const auto begin = static_cast<std::uint32_t>(text.find("<256>"));
  CHECK(source.marked({begin, begin + 5}) ==
        "<code class=\"at\">2 |   &quot;cpu&quot;: <mark>&lt;256&gt;</mark>,</code>");
  const auto mark = static_cast<std::uint32_t>(text.find("MARK"));
  const auto cut = source.marked({mark, mark + 4});
  CHECK(cut.find("\xe2\x80\xa6xxx") != std::string::npos);
  CHECK(cut.find("\xc3\xa4<mark>MARK</mark>yyy") != std::string::npos);
  CHECK(cut.size() < 400);
}

TEST_CASE("an excerpt shows what a fix changes but no hidden line") {
  const std::string text = "{\n  \"type\": \"gpu\",\n  \"token\": \"hunter2\"\n}\n";
  const auto at = static_cast<std::uint32_t>(text.find("gpu"));
  const Fix fix{true, {{{at, at + 3}, "GPU"}}};
  SourceExcerpt source(text);
  CHECK(source.fixed(fix) ==
        "<code><del>-   &quot;type&quot;: &quot;gpu&quot;,</del></code>"
        "<code><ins>+   &quot;type&quot;: &quot;GPU&quot;,</ins></code>");
  const auto token = static_cast<std::uint32_t>(text.find("\"token\""));
  source.hide({token, token + 7});
  CHECK(source.marked({token, token + 7}).find("hunter2") == std::string::npos);
  const Fix removal{true, {{{at, token}, ""}}};
  CHECK(source.fixed(removal).empty());
}

TEST_CASE("a page says what made it, which bayplan, and the day of its prices, and none of it makes markup") {
  ReportDocument document("place");
  document.answer("a.yaml", "YES", true);
  document.command_line = "bayplan place '</p><script>alert(1)</script>.yaml'";
  document.prices = "Prices: Linux on demand, us-east-1, 2026-07-20";
  std::ostringstream out;
  write_html(out, document);
  CHECK(between(out.str(), "<p class=\"command\"><code>", "</code></p>") ==
        "bayplan place &#39;&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;.yaml&#39;");
  CHECK(between(out.str(), "<footer><p>bayplan ", "</p></footer>").ends_with(" &middot; " + document.prices));
}

TEST_CASE("a page says the answer in a word, a line of 90 characters, and the rest") {
  const auto is_divided = [](std::string_view headline, const std::string& verdict, const std::string& line,
                             const std::string& detail) {
    const auto answer = divide_headline(headline);
    CHECK(answer.verdict == verdict);
    CHECK(answer.line == line);
    CHECK(answer.detail == detail);
  };
  is_divided("NO big#1 cannot be placed", "NO", "big#1 cannot be placed", "");
  is_divided("NOTHING to do", "", "NOTHING to do", "");
  is_divided("", "", "", "");
  const std::string clause(70, 'a'), other(50, 'b');
  const std::string words = "first words of a clause; and others that stand behind it";
  is_divided(words + ". " + words, "", words, words);
  // The last clause that fits, not one inside of parentheses, nor one that is too short to answer.
  is_divided("one thing of it; another thing (not here; nor here) and so on, which goes on beyond 90 characters in all",
             "", "one thing of it",
             "another thing (not here; nor here) and so on, which goes on beyond 90 characters in all");
  is_divided("so; it is a sentence with a comma, which is where it is divided since nothing else of it ends there", "",
             "so; it is a sentence with a comma", "which is where it is divided since nothing else of it ends there");
  const std::string remark = "0 of 2 instances have room for a task of this service that needs a lot (free 4, block 3)";
  is_divided("YES 16 " + remark, "YES", "16 0 of 2 instances have room for a task of this service that needs a lot",
             "(free 4, block 3)");
  // A long name is shortened; the rest then has all of it.
  const std::string name(255, 'n');
  const auto answer = divide_headline("NO " + name + " not placed: 0 of 2 instances have 8 free GPUs");
  CHECK(answer.line == std::string(29, 'n') + "…" + std::string(16, 'n') + " not placed");
  CHECK(answer.detail == name + " not placed: 0 of 2 instances have 8 free GPUs");
  // Without any end, the last word that fits.
  std::string many;
  for (int i = 0; i < 40; ++i) many += "word ";
  CHECK(divide_headline(many).line.size() <= kLongestLine);
  CHECK(divide_headline(many).line.ends_with("word"));
}

}  // namespace html_test
