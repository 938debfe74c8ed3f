#include "cli/io/outputs.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using namespace bayplan::cli;

TEST_CASE("outputs default to the first known format on standard output") {
  const auto outputs = parse_outputs({}, {"text", "json"});
  REQUIRE(outputs.ok());
  REQUIRE(outputs->size() == 1);
  CHECK(outputs->front().format == "text");
  CHECK(outputs->front().file.empty());
}

TEST_CASE("outputs name the nearest format and refuse one place twice") {
  GlobalOptions global;
  global.outputs = {"jsn"};
  const auto unknown = parse_outputs(global, {"text", "json"});
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message == "unknown output format 'jsn'; did you mean 'json'?");
  global.outputs = {"text", "json"};
  CHECK_FALSE(parse_outputs(global, {"text", "json"}).ok());
  global.outputs = {"text", "json=a.json"};
  CHECK(parse_outputs(global, {"text", "json"}).ok());
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    CAPTURE(name);
    global.outputs = {"text", "json=" + std::string(name)};
    CHECK_FALSE(parse_outputs(global, {"text", "json"}).ok());
    global.outputs.erase(global.outputs.begin());
    CHECK(parse_outputs(global, {"text", "json"})->front().file.empty());
  }
  global.outputs = {"json="};
  CHECK_FALSE(parse_outputs(global, {"text", "json"}).ok());
}

TEST_CASE("the file of --output-file takes the place of standard output") {
  using Words = std::vector<std::string>;
  const std::vector<std::string_view> known{"text", "json", "markdown"};
  CHECK(with_output_file({}, "", known).empty());
  CHECK(with_output_file({}, "report", known) == Words{"text=report"});
  CHECK(with_output_file({}, "report.md", known) == Words{"markdown=report.md"});
  CHECK(with_output_file({"text"}, "a.json", known) == Words{"text=a.json"});
  CHECK(with_output_file({"text=b.txt"}, "a.json", known) == Words{"text=b.txt", "json=a.json"});
  GlobalOptions global;
  global.outputs = with_output_file({"text", "json"}, "a", known);
  CHECK_FALSE(parse_outputs(global, known).ok());
}

TEST_CASE("a report that cannot be made leaves the file of --output-file as it was, and a new one says why") {
  MemoryFiles files({{"web.json", R"({"family": "web", "containerDefinitions": []})"}, {"old.json", "old"}});
  CHECK(run_with(files, {"lint", "web.json", "-f", "json", "--output-file", "new.json"}).out.empty());
  CHECK(files.content.at("new.json").starts_with("{"));
  CHECK(run_with(files, {"lint", "missing.json", "--output-file", "why.json", "--config", "none"}).code == kUnusable);
  CHECK(says(files.content.at("why.json"), "none"));
  CHECK(run_with(files, {"lint", "web.json", "--output-file", "old.json", "--config", "none"}).code == kUnusable);
  CHECK(files.content.at("old.json") == "old");
  CHECK(run_with(files, {"lint", "web.json", "--output-file", "web.json"}).code == kUnusable);
  CHECK(says(run_with(files, {"lint", "web.json", "-f", "text", "--bogus", "--output-file", "b.json"}).err, "--bogus"));
}
