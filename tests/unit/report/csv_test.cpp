#include "report/document/csv.hpp"

#include <sstream>

#include "catch.hpp"
#include "placement/build.hpp"
#include "report/place/place_report.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

std::string cell(std::string_view text) {
  std::ostringstream out;
  report::CsvWriter(out).text(text).end_row();
  const auto row = out.str();
  return row.substr(0, row.size() - 2);
}

std::string csv_of(const Scenario& scenario) {
  const auto outcome = place(scenario);
  std::ostringstream out;
  report::write_place_csv(out, report::make_place_report(scenario, outcome));
  return out.str();
}

}  // namespace

TEST_CASE("cells of a CSV file have quotes where they need them") {
  CHECK(cell("train#1") == "train#1");
  CHECK(cell("a,b") == "\"a,b\"");
  CHECK(cell("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(cell(" a") == "\" a\"");
  CHECK(cell("a ") == "\"a \"");
  CHECK(cell("").empty());
  CHECK(cell("مهمة 🚢") == "مهمة 🚢");
  CHECK(cell("two\nlines\x1b[31m") == "two\uFFFDlines\uFFFD[31m");
}

TEST_CASE("no text of a CSV file is a formula") {
  for (const std::string text : {"=1+1", "+1", "-1", "@SUM(A1)"}) CHECK(cell(text) == "'" + text);
  CHECK(cell("=HYPERLINK(\"http://x\",\"y\")") == "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
  CHECK(cell("\t=1") == "\" =1\"");
  CHECK(cell("a=1") == "a=1");
}

TEST_CASE("numbers of a CSV file are as short as they may be") {
  std::ostringstream out;
  report::CsvWriter csv(out);
  csv.header({"a", "b"});
  csv.number(std::int64_t{-5}).number(0.1).number(std::optional<std::int64_t>()).number(std::optional(2.0));
  csv.usd(MicroUsd{3'912'000}).usd(std::nullopt).known(0).known(7).flag(true).nothing().end_row();
  CHECK(out.str() == "a,b\r\n-5,0.1,,2,3.912,,,7,true,\r\n");
}

TEST_CASE("a table of placements has a row a task in the order of turns") {
  auto big = instance("p3.16xlarge", 65536, 490000, {8, 16384}, "us-east-2a");
  const auto csv =
      csv_of(scenario_with({big}, {run_task("t", with_gpus(needs(1, 1), {4, 2}), 2), run_task("u", needs(1, 1), 1)}));
  CHECK(csv ==
        "task,taskDefinition,group,state,containerInstance,instanceType,availabilityZone,gpuIds,tied,reason,closest,"
        "why\r\n"
        "t#1,t:1,family:t,placed,p3.16xlarge#1,p3.16xlarge,us-east-2a,p3.16xlarge#1/gpu0 p3.16xlarge#1/gpu1 "
        "p3.16xlarge#1/gpu2 p3.16xlarge#1/gpu3 p3.16xlarge#1/gpu4 p3.16xlarge#1/gpu5,false,,,\r\n"
        "t#2,t:1,family:t,unplaced,,,,,,RESOURCE:GPU,p3.16xlarge#1,\"0 of 1 instances have 6 free GPUs (free 2 in "
        "total, largest block 2)\"\r\n"
        "u#1,u:1,family:u,placed,p3.16xlarge#1,p3.16xlarge,us-east-2a,,false,,,\r\n");
}

TEST_CASE("a table of nothing has its heading") {
  CHECK(csv_of(scenario_with({}, {})).find("\r\n") == csv_of(scenario_with({}, {})).size() - 2);
}
