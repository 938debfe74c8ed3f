#include "cli/io/outputs.hpp"

#include "catch.hpp"

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
