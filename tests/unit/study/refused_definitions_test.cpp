// Definitions that are written into a scenario, linted as files of their own.
#include "study/dry_run/refused_definitions.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"
#include "text/location.hpp"

using namespace bayplan;

namespace {

struct Loaded {
  catalog::Catalog catalog = catalog::Catalog::load();
  scenario::LoadedScenario result;
};

std::unique_ptr<Loaded> load(const std::string& name, const std::string& text) {
  auto loaded = std::make_unique<Loaded>();
  loaded->result = scenario::load_scenario(
      {.scenario = name}, MemoryFiles(std::map<std::string, std::string>{{name, text}}), loaded->catalog);
  for (const auto& error : loaded->result.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded->result.scenario);
  return loaded;
}

/// "code line:column" of every error of the definitions.
std::vector<std::string> refused(const Loaded& loaded) {
  const lint::Tools tools;
  std::vector<std::string> told;
  for (const auto& report : study::refused_definitions(*loaded.result.scenario, tools)) {
    for (const auto& finding : report.findings) {
      const auto at = text::LineIndex(report.document->source()).location(finding.span.begin);
      told.push_back(std::string(finding.code) + " " + std::to_string(at.line) + ":" + std::to_string(at.column));
    }
  }
  return told;
}

const std::string kEnd = "cluster: {containerInstances: [{instanceType: m5.large}]}\ntasks: [{taskDefinition: web}]\n";

}  // namespace

TEST_CASE("inline definitions of a scenario are told at their places") {
  const auto loaded = load("s.yaml",
                           "taskDefinitions:\n"
                           "  - family: web\n"
                           "    containerDefinitions: [{name: c, image: 'i:1', memory: 64}]\n"
                           "  - family: bad name\n"
                           "    containerDefinitions:\n"
                           "      - {name: c, image: 'i:1', memory: 64}\n"
                           "      - {name: c, image: 'i:1', memory: 64}\n" +
                               kEnd);
  CHECK(refused(*loaded) == std::vector<std::string>{"BAY102 4:13", "BAY106 7:16"});
}

TEST_CASE("an inline definition may use anchors that stand outside of it, and comments in JSON") {
  const auto yaml = load("s.yaml",
                         "subnets: {&zone us-east-1a: us-east-1a}\n"
                         "taskDefinitions:\n"
                         "  - {family: web, containerDefinitions: &containers [{name: c, image: 'i:1', memory: 64}]}\n"
                         "  - {family: job, containerDefinitions: *containers}\n" +
                             kEnd);
  CHECK(refused(*yaml).empty());
  const auto json = load("s.json", R"({"cluster": {"containerInstances": [{"instanceType": "m5.large"}]},
"taskDefinitions": [
  {"family": "web", /* the site */ "containerDefinitions": [{"name": "c", "image": "i:1", "memory": 64},]},
  {"family": "a b", "containerDefinitions": [{"name": "c", "image": "i:1", "memory": 64}]}],
"tasks": [{"taskDefinition": "web"}]})");
  CHECK(refused(*json) == std::vector<std::string>{"BAY102 4:14"});
}

TEST_CASE("thousands of inline definitions are linted without another copy of their text") {
  std::string text = "{\"taskDefinitions\": [";
  for (int i = 0; i < 3'000; ++i) {
    text += (i > 0 ? ",\n" : "") + std::string(R"({"family": "web)") + (i > 0 ? std::to_string(i) : "") +
            R"(", "containerDefinitions": [{"name": "c", "image": "i:1", "memory": 64}]})";
  }
  text +=
      R"(], "cluster": {"containerInstances": [{"instanceType": "m5.large"}]}, "tasks": [{"taskDefinition": "web"}]})";
  const auto loaded = load("s.json", text);
  const lint::Tools tools;
  const auto& scenario = *loaded->result.scenario;
  const auto reports = study::lint_definitions(scenario, {}, tools);
  REQUIRE(reports.size() == 3'000);
  for (const auto& report : reports) {
    REQUIRE(report.document->shared_source() == scenario.document->shared_source());
    REQUIRE(report.document->node_count() < 20);
    REQUIRE(report.kind == rules::FileKind::kTaskDefinition);
  }
}
