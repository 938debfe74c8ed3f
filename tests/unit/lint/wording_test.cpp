#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

lint::FileReport report_of(std::string text, std::string name) {
  return lint::lint_document(std::move(text), std::move(name), lint::Options(), lint::Tools());
}

const std::string kOnlyFamily = R"({"family": "web", "networkMode": ")";
const std::string kContainers = R"(", "containerDefinitions": [{"name": "a", "image": "nginx:1.27", "memory": 100}]})";

}  // namespace

TEST_CASE("wording - a help is written in the form of its file") {
  const auto json = report_of(R"({"family": "web", "containerDefinitions": [{"name": "a", "memory": 100}]})", "a.json");
  const auto yaml = report_of("family: web\ncontainerDefinitions:\n  - {name: a, memory: 100}\n", "a.yaml");
  REQUIRE(json.findings.size() == 1);
  REQUIRE(yaml.findings.size() == 1);
  CHECK(json.findings[0].help == "add \"image\": \"repository:tag\"");
  CHECK(yaml.findings[0].help == "add image: \"repository:tag\"");
}

TEST_CASE("wording - of a very long value the beginning and the end are told") {
  std::string value;
  for (int i = 0; i < 10000; ++i) value += "é";
  const auto report = report_of(kOnlyFamily + value + kContainers, "a.json");
  REQUIRE(report.findings.size() == 1);
  const std::string& message = report.findings[0].message;
  CHECK(message.size() < 1010);
  CHECK(message.starts_with("\"éé"));
  CHECK(message.find("é...é") != std::string::npos);
  CHECK(message.ends_with("é\" is not a value of networkMode"));
}
