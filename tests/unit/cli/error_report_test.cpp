// What a program reads where a command has no answer.
#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "ran.hpp"

namespace bayplan::cli {
namespace {

using nlohmann::json;

MemoryFiles broken() {
  return MemoryFiles({{"s.yaml",
                       "region: eu-west-1\n"
                       "cluster: {containerInstances: [{instanceType: m5.large}]}\n"
                       "taskDefinitions: [web.json]\n"
                       "tasks: [{taskDefinition: web}, {taskDefinition: wbe}]\n"},
                      {"web.json", R"({"family": "web", "containerDefinitions": [{"name": "web", "memory": 8}]})"}});
}

TEST_CASE("error report - a command without an answer says why in JSON, too") {
  auto files = broken();
  const auto ran = run_with(files, {"place", "s.yaml", "--output", "json"});
  CHECK(ran.code == kUnusable);
  const auto report = json::parse(ran.out);
  CHECK(report["schema"] == "bayplan/error-report/1");
  CHECK(report["command"] == "place");
  const auto& error = report["errors"].back();
  CHECK(error["file"] == "s.yaml");
  CHECK(error["line"] == 4);
  CHECK(error["column"].is_number());
  CHECK(says(error["message"], "no task definition 'wbe'"));
  CHECK(says(error["help"], "web"));
}

TEST_CASE("error report - definitions that ECS would reject stand in it as findings") {
  auto files = broken();
  files.content["s.yaml"].replace(files.content["s.yaml"].find(", {"), std::string(", {taskDefinition: wbe}").size(),
                                  "");
  const auto report = json::parse(run_with(files, {"why", "web", "s.yaml", "--output", "json"}).out);
  REQUIRE(report["errors"].size() >= 2);
  CHECK(report["errors"][0]["file"] == "web.json");
  CHECK(report["errors"][0]["line"] == 1);
  CHECK(says(report["errors"][0]["message"], "BAY"));
  CHECK(report["errors"].back()["file"].is_null());
  CHECK(says(report["errors"].back()["help"], "--no-lint"));
}

TEST_CASE("error report - goes to a file that is not there yet, and leaves one that is") {
  auto files = broken();
  CHECK(run_with(files, {"place", "s.yaml", "--output", "json=new.json", "--output", "html=new.html"}).code ==
        kUnusable);
  CHECK(says(files.content.at("new.json"), "bayplan/error-report/1"));
  CHECK_FALSE(files.content.contains("new.html"));
  const std::string before = files.content.at("web.json");
  CHECK(run_with(files, {"place", "s.yaml", "--output", "json=web.json"}).code == kUnusable);
  CHECK(files.content.at("web.json") == before);
}

TEST_CASE("error report - lint has its own report, and usage that is not understood one of errors") {
  auto files = broken();
  CHECK(json::parse(run_with(files, {"lint", "nofile.json", "--output", "json"}).out)["schema"] ==
        "bayplan/lint-report/1");
  const auto refused = json::parse(run_with(files, {"place", "s.yaml", "--output", "json", "--no-such-option"}).out);
  CHECK(refused["schema"] == "bayplan/error-report/1");
  CHECK(says(refused["errors"][0]["message"], "--no-such-option"));
  for (const char* mode : {"--diff", "--init", "--show-files", "--show-config"}) {
    CAPTURE(mode);
    const auto ran = run_with(files, {"lint", "web.json", mode, "--output", "sarif"});
    CHECK(ran.code == kUnusable);
    CHECK(says(ran.err, "not a report"));
  }
}

}  // namespace
}  // namespace bayplan::cli
