#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"

// RunTask requests that say the same but for their count are calls of one workload, and leave the tree while a JSON
// text is read.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;

namespace {

LoadedScenario load(catalog::Catalog& catalog, const std::string& name, const std::string& tasks) {
  const std::string text =
      R"({"cluster": {"containerInstances": [{"instanceType": "m5.large"}]},)"
      "\n"
      R"( "taskDefinitions": [{"family": "web", "containerDefinitions": [{"name": "c", "image": "i:1", "memory": 64}]}],)"
      "\n"
      R"( "tasks": [)" +
      tasks + "]}\n";
  return load_scenario({.scenario = name}, MemoryFiles(std::map<std::string, std::string>{{name, text}}), catalog);
}

std::string printed(const std::vector<Error>& errors) {
  std::string lines;
  for (const auto& error : errors) {
    lines += std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message + "\n";
  }
  return lines;
}

/// "0x1 1x2": workload x count
std::string calls_of(const LoadedScenario& loaded) {
  INFO(printed(loaded.errors));
  REQUIRE(loaded.scenario);
  std::string text;
  for (const auto& call : loaded.scenario->calls) {
    if (!text.empty()) text += ' ';
    text += std::to_string(call.workload) + "x" + std::to_string(call.count);
  }
  return text;
}

const std::string kTasks = R"(
    {"taskDefinition": "web", "placementStrategy": [{"type": "random"}]},
    {"count": 3, "placementStrategy": [{"type": "random"}], "taskDefinition": "web"},
    {"taskDefinition": "web", "count": 1, "placementStrategy": [{"type": "random"}]},
    {"taskDefinition": "web", "group": "g"},
    {"taskDefinition": "web", "placementStrategy": [{"type": "random"}], "count": 2},
    {"taskDefinition": "web", "group": "g"})";

}  // namespace

TEST_CASE("task requests that say the same are calls of one workload") {
  auto catalog = catalog::Catalog::load();
  // The order of keys is the writer's: the second request counts as another one.
  const auto json = load(catalog, "s.json", kTasks);
  CHECK(calls_of(json) == "0x1 1x3 0x1 2x1 0x2 2x1");
  CHECK(*json.scenario->workloads[0].count == 4);
  CHECK(*json.scenario->workloads[2].count == 2);
  CHECK(json.scenario->workloads[2].origin.line == 7);
  CHECK(json.scenario->document->root().find("tasks").size() == 3);
}

TEST_CASE("task requests are the same from YAML and from a text that has to be mended") {
  auto catalog = catalog::Catalog::load();
  const auto yaml = load(catalog, "s.yaml", kTasks);
  CHECK(calls_of(yaml) == "0x1 1x3 0x1 2x1 0x2 2x1");
  const auto mended = load(catalog, "s.json", kTasks + ", // the last\n");
  CHECK(calls_of(mended) == "0x1 1x3 0x1 2x1 0x2 2x1");
  CHECK(mended.scenario->document->root().find("tasks").size() == 3);
}

TEST_CASE("task requests with a wrong count are told where they stand") {
  auto catalog = catalog::Catalog::load();
  const auto loaded = load(catalog, "s.json", R"({"taskDefinition": "web"},
    {"taskDefinition": "web", "count": 0},
    {"taskDefinition": "web", "count": 3000001},
    {"taskDefinition": "web", "count": "2"},
    {"taskDefinition": "nobody"},
    {"taskDefinition": "nobody"})");
  CHECK_FALSE(loaded.scenario);
  CHECK(printed(loaded.errors) ==
        "4:40: count must be between 1 and 3000000, got 0\n"
        "5:40: count must be between 1 and 3000000, got 3000001\n"
        "6:40: count must be an integer, got a string\n");
}

TEST_CASE("task requests that cannot be resolved are all told, each once") {
  auto catalog = catalog::Catalog::load();
  const auto loaded = load(catalog, "s.json", R"({"taskDefinition": "nobody"},
    {"taskDefinition": "web"}, {"taskDefinition": "nobody"}, {"taskDefinition": "nothing"})");
  CHECK_FALSE(loaded.scenario);
  REQUIRE(loaded.errors.size() == 2);
  CHECK(loaded.errors[0].line == 3);
  CHECK(loaded.errors[1].line == 4);
}
