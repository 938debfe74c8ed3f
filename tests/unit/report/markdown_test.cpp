
#include <sstream>

#include "base/strings.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "report/place/place_report.hpp"
#include "study/why/remedies.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using report::cut_to_comment;
using report::Medium;
using report::ReportDocument;
using report::Table;

namespace {

std::string page_of(const Scenario& scenario) {
  const auto outcome = place(scenario);
  std::ostringstream out;
  auto made = report::make_place_report(scenario, outcome);
  made.remedies = study::find_place_remedies(scenario, outcome, nullptr);
  report::write_document(out, report::place_document(made), Medium::kComment);
  return out.str();
}

std::string lines(std::string_view line, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text.append(line).append("\n");
  return text;
}

bool has(const std::string& page, std::string_view part) {
  return page.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a page that fits into a comment stays as it is") {
  CHECK(cut_to_comment("a\nb\n") == "a\nb\n");
  const auto full = std::string(65'535, 'x') + "\n";
  CHECK(cut_to_comment(full) == full);
  CHECK(cut_to_comment("").empty());
}

TEST_CASE("a page that is too long ends with a whole line and says so") {
  const auto cut = cut_to_comment(lines("0123456789", 10'000));
  CHECK(cut.size() <= 65'536);
  CHECK(has(cut, "0123456789\n\n**Truncated**: "));
  const auto kept = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '9'));
  CHECK(kept >= 5'900);
  CHECK(cut.ends_with(" of 10000 lines are omitted because comments have a size limit.\n"));
  CHECK(cut_to_comment(std::string(70'000, 'x')) ==
        "\n**Truncated**: 0 of 0 lines are omitted because comments have a size limit.\n");
}

TEST_CASE("what is open is closed where a page is cut") {
  const auto folded =
      cut_to_comment("<details><summary>x</summary>\n\n" + lines("0123456789", 10'000) + "</details>\n");
  CHECK(has(folded, "\n</details>\n\n**Truncated**"));
  const auto fenced = cut_to_comment("```\n" + lines("0123456789", 10'000) + "```\n");
  CHECK(has(fenced, "0123456789\n```\n\n**Truncated**"));
  const auto closed = cut_to_comment("<details>\n</details>\n" + lines("0123456789", 10'000));
  CHECK_FALSE(has(closed, "</details>\n\n**Truncated**"));
}

TEST_CASE("a table of a page counts what it leaves out") {
  ReportDocument page("fit");
  Table table({"name", report::number_column("n")});
  table.add({"a|b", "1"});
  table.add({"c", "2"});
  table.add({"d", "3"});
  page.table(std::move(table), {.comment = 2});
  page.table(Table({"name"}), {.comment = 2});
  std::ostringstream out;
  report::write_document(out, page, Medium::kComment);
  CHECK(out.str() == "| name | n |\n| --- | ---: |\n| a&#124;b | 1 |\n| c | 2 |\n\nand 1 more\n");
}

TEST_CASE("no line of code ends it") {
  ReportDocument page("fit");
  page.add(report::block::Code{"one\n```\n\n<b>\n"});
  std::ostringstream out;
  report::write_document(out, page, Medium::kComment);
  CHECK(out.str() == "    one\n    ```\n\n    <b>\n");
}

TEST_CASE("a placing as Markdown answers first and folds the rest") {
  auto big = instance("p3.16xlarge", 65536, 490000, {8, 16384}, "us-east-2a");
  big.hourly_price = 24'480'000;
  const auto page = page_of(scenario_with({big, big}, {run_task("t4", with_gpus(needs(8192, 20000), {4}), 1),
                                                       run_task("t8", with_gpus(needs(16384, 44000), {8}), 2)}));
  CHECK(
      page.starts_with("### bayplan place: NO  t8&#35;2 not placed: 0 of 2 instances have 8 free GPUs (free 4 in "
                       "total, largest block 4)\n\n2 instances: $48.96/h, about $35,741/month at 730 h (us-east-1), "
                       "CPU 18%, MEM 6%, GPU 12 of 16 in use"));
  CHECK(has(page, "| t8 | 8 GPU, 16 vCPU, 44000 MiB | 1 | 1 |\n| t4 |"));
  CHECK(has(page, "- `t8#2` not placed: 0 of 2 instances have 8 free GPUs"));
  CHECK(
      has(page,
          "**Fix:** add 1 p3.16xlarge in us-east-2a (+$24.48/h, +$17,870/month): `--add p3.16xlarge=1@us-east-2a`\n"));
  CHECK(has(page, "<details><summary>2 instances</summary>\n\n| instance |"));
  CHECK(has(page, "| p3.16xlarge&#35;1 | p3.16xlarge | us-east-2a | 4 of 8 | 12% | 4% | t4&#35;1 |\n"));
}

TEST_CASE("hostile names make no markup in a page") {
  auto given = scenario_with({instance("c5.large", 2048, 3700)},
                             {run_task("</summary><script>`|@team #1\n# x", needs(1, 9999), 2)});
  given.instances[0].id = "<b>|`";
  const auto page = page_of(given);
  CHECK_FALSE(has(page, "<script>"));
  CHECK_FALSE(has(page, "<b>"));
  CHECK_FALSE(has(page, "@team"));
  CHECK_FALSE(has(page, "\n# x"));
}

TEST_CASE("a page of a million failures and many instances fits into a comment") {
  std::vector<Workload> workloads;
  for (int i = 0; i < 300; ++i)
    workloads.push_back(run_task(std::string(300, 'n') + std::to_string(i), needs(1, 9999), 9));
  const auto page =
      page_of(scenario_with(std::vector<InstanceProfile>(300, instance("c5.large", 2048, 3700)), std::move(workloads)));
  CHECK(page.size() <= 65'536);
  CHECK(has(page, "and 260 more"));
  CHECK(has(page, "- and 280 more"));
}
