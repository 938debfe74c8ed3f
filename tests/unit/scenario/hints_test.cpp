// What may have been meant is looked for among all that there is: for a hundred errors, not for a hundred thousand.
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"

namespace hints_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;

namespace {

std::vector<Error> errors_of(const std::string& text) {
  auto catalog = catalog::Catalog::load();
  return load_scenario({.scenario = "s.yaml"}, MemoryFiles(std::map<std::string, std::string>{{"s.yaml", text}}),
                       catalog)
      .errors;
}

std::string definition(const std::string& members) {
  return "- {" + members + ", containerDefinitions: [{name: c, image: 'i:1', memory: 64}]}\n";
}

const std::string kCluster = "cluster: {containerInstances: [{instanceType: m5.large}]}\n";

}  // namespace

TEST_CASE("hints - after a hundred errors nothing is looked for any more, and each is told") {
  std::string text = "cluster:\n  containerInstances:\n";
  for (int i = 0; i < 150; ++i) text += "  - {instanceType: m5.larg}\n";
  const auto errors =
      errors_of(text + "taskDefinitions:\n" + definition("family: web") + "tasks: [{taskDefinition: web}]\n");
  REQUIRE(errors.size() == 150);
  CHECK(errors[99].help == "did you mean 'm5.large'?");
  CHECK(errors[100].help == "describe it under instanceTypes, or set registeredResources CPU and MEMORY");
  std::string tasks = "tasks:\n";
  for (int i = 0; i < 150; ++i) tasks += "- {taskDefinition: webb" + std::to_string(i) + "}\n";
  const auto unknown = errors_of(kCluster + "taskDefinitions:\n" + definition("family: webb") + tasks);
  REQUIRE(unknown.size() == 150);
  CHECK(unknown[99].help == "did you mean 'webb'?");
  CHECK(unknown[100].help.empty());
}

TEST_CASE("hints - of many revisions the newest are named") {
  std::string definitions = "taskDefinitions:\n";
  for (int i = 9; i > 0; --i) definitions += definition("family: web, revision: " + std::to_string(i));
  const std::string task = "tasks: [{taskDefinition: 'web:11'}]\n";
  CHECK(errors_of(kCluster + definitions + task).at(0).help ==
        "there is web:2, web:3, web:4, web:5, web:6, web:7, web:8 and web:9, and older ones");
  definitions = "taskDefinitions:\n" + definition("family: web, revision: 7") + definition("family: web");
  CHECK(errors_of(kCluster + definitions + task).at(0).help == "there is web:7 and web:8");
  CHECK(errors_of(kCluster + definitions + "tasks: [{taskDefinition: 'web:007'}]\n").size() == 1);
  CHECK(errors_of(kCluster + definitions + "tasks: [{taskDefinition: 'web:7'}, {taskDefinition: web}]\n").empty());
}

TEST_CASE("hints - a few names are all told, of many none but the nearest") {
  const auto help = [](int services, const std::string& event) {
    std::string text = kCluster + "taskDefinitions:\n" + definition("family: web") + "services:\n";
    for (int i = 1; i <= services; ++i) {
      text += "- {serviceName: s" + std::to_string(i) + "0000, taskDefinition: web, desiredCount: 1}\n";
    }
    return errors_of(text + "events:\n- {at: 1m, " + event + "}\n").at(0).help;
  };
  const std::string unknown = "updateService: {service: front, desiredCount: 1}";
  CHECK(help(2, unknown) == "services are s10000 and s20000");
  CHECK(help(11, unknown).empty());
  CHECK(help(11, "updateService: {service: s110001, desiredCount: 1}") == "did you mean 's110000'?");
  CHECK(help(1, "loseAvailabilityZone: us-east-1a") == "none states its zone");
}

}  // namespace hints_test
