#include "cli/io/guarded_files.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "ran.hpp"

namespace bayplan::cli {
namespace {

constexpr const char* kWeb = R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1",
  "memory": 256, "essential": true}]})";

MemoryFiles project() {
  return MemoryFiles(
      {{"s.yaml",
        "region: eu-west-1\n"
        "cluster: cluster.yaml\n"
        "taskDefinitions: [web.json]\n"
        "tasks: [{taskDefinition: web}]\n"},
       {"cluster.yaml", "containerInstances: [{instanceType: m5.large, availabilityZone: eu-west-1a}]\n"},
       {"web.json", kWeb}});
}

std::string refused(const std::string& file) {
  return "bayplan: " + file +
         ": cannot write: the report would overwrite this input\n  Name another file in --output.\n";
}

TEST_CASE("guarded files - a report takes the place of no input that another input names") {
  auto files = project();
  const auto before = files.content;
  for (const std::string file : {"web.json", "cluster.yaml"}) {
    CAPTURE(file);
    const auto ran = run_with(files, {"place", "s.yaml", "--output", "json=" + file});
    CHECK(ran.code == kUnusable);
    CHECK(ran.err == refused(file));
    CHECK(files.content == before);
  }
  CHECK(run_with(files, {"place", "s.yaml", "--output", "json=report.json"}).code == kClean);
  CHECK(files.content.contains("report.json"));
}

TEST_CASE("guarded files - of a folder that is linted definitions stay, and the report of the last run may go") {
  auto files = project();
  for (const char* round : {"first", "second"}) {
    CAPTURE(round);
    CHECK(run_with(files, {"lint", ".", "-q", "--output", "json=report.json"}).err == "");
    CHECK(run_with(files, {"lint", ".", "-q", "--create-baseline", "baseline.json"}).err == "");
  }
  CHECK(run_with(files, {"lint", ".", "--output", "json=web.json"}).err == refused("web.json"));
  CHECK(run_with(files, {"lint", ".", "-q", "--create-baseline", "web.json"}).err == refused("web.json"));
  CHECK(files.content.at("web.json") == kWeb);
}

TEST_CASE("guarded files - a config is an input of lint, and --fix changes what it reads") {
  auto files = project();
  files.content["c.yaml"] = "ignore: []\n";
  CHECK(run_with(files, {"lint", "web.json", "--config", "c.yaml", "--output", "json=c.yaml"}).err ==
        refused("c.yaml"));
  files.content["list.json"] = R"([{"name": "web", "image": "nginx:1", "memory": "256", "essential": true}])";
  CHECK(run_with(files, {"lint", "list.json", "-q", "--fix"}).err == "");
  CHECK(says(files.content.at("list.json"), R"("memory": 256)"));
  CHECK(run_with(files, {"lint", ".", "--fix", "--output", "json=list.json"}).err == refused("list.json"));
}

TEST_CASE("guarded files - two outputs to one place are told, however it is spelled") {
  auto files = project();
  GuardedFiles guarded(files);
  const auto first = guarded.create("report.json");
  REQUIRE(first);
  const auto second = guarded.create("report.json");
  REQUIRE_FALSE(second);
  CHECK(second.error().message == "another output already goes to this file");
  CHECK(run_with(files, {"lint", "web.json", "--create-baseline", "r.json", "--output", "json=r.json"}).err ==
        "bayplan: wrote r.json\nbayplan: r.json: cannot write: another output already goes to this file\n");
}

TEST_CASE("guarded files - what is read while a report is in the making is no less an input") {
  auto files = project();
  GuardedFiles guarded(files);
  const auto report = guarded.create("web.json");
  REQUIRE(report);
  (*report)->append("report");
  REQUIRE(guarded.read("web.json", 10'000));
  CHECK_FALSE((*report)->commit());
  CHECK(files.content.at("web.json") == kWeb);
  guarded.let_go("web.json");
  CHECK((*report)->commit());
  CHECK(files.content.at("web.json") == "report");
}

}  // namespace
}  // namespace bayplan::cli
