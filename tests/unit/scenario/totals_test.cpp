// Counts cost their writer nothing: what they come to has a limit.
#include "placement/model/totals.hpp"
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;

namespace {

const std::string kWeb = R"({"family": "web", "containerDefinitions": [{"name": "c", "image": "i:1", "memory": 64}]})";

std::vector<std::string> errors_of(const LoadedScenario& loaded) {
  std::vector<std::string> lines;
  for (const auto& error : loaded.errors) {
    lines.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message);
  }
  return lines;
}

std::vector<std::string> errors_in(const std::string& name, const std::string& text, ScenarioRequest request = {}) {
  auto catalog = catalog::Catalog::load();
  request.scenario = name;
  return errors_of(load_scenario(
      request, MemoryFiles(std::map<std::string, std::string>{{name, text}, {"web.json", kWeb}}), catalog));
}

using Lines = std::vector<std::string>;

const std::string kHead = "cluster: {containerInstances: [{instanceType: m5.large}]}\ntaskDefinitions: [web.json]\n";

}  // namespace

TEST_CASE("totals - the count that makes too many tasks is told, services after tasks") {
  const auto errors = [](const std::string& rest) { return errors_in("s.yaml", kHead + rest); };
  const std::string tasks = "tasks:\n- {taskDefinition: web, count: 2000000}\n- {taskDefinition: web, count: ";
  CHECK(errors(tasks + "1000000}\n").empty());
  CHECK(errors(tasks + "1000001}\n- {taskDefinition: web, count: 7}\n") ==
        Lines{"5:32: this makes more than 3000000 tasks, too many for one scenario"});
  const std::string services = "services:\n- {serviceName: a, taskDefinition: web, desiredCount: 1}\n";
  CHECK(errors(services + tasks + "999999}\n").empty());
  CHECK(errors(services + tasks + "1000000}\n") ==
        Lines{"4:55: this makes more than 3000000 tasks, too many for one scenario"});
}

TEST_CASE("totals - of a JSON text that is thinned out while it is read the count keeps its place") {
  const std::string request = R"({"taskDefinition": "web", "count": 1500000})";
  const auto text = [&](const std::string& before) {
    return R"({"cluster": {"containerInstances": [{"instanceType": "m5.large"}]}, "taskDefinitions": ["web.json"],)"
           "\n\"tasks\": [\n" +
           before + request + ",\n" + request + ",\n" + R"({"taskDefinition": "web"},)" + "\n" + request + "]}";
  };
  const Lines told{"5:1: this makes more than 3000000 tasks, too many for one scenario"};
  CHECK(errors_in("s.json", text("")) == told);
  const Lines lower{"6:1: this makes more than 3000000 tasks, too many for one scenario"};
  CHECK(errors_in("s.json", text("// a comment, which has the text mended first\n")) == lower);
}

TEST_CASE("totals - daemons run on each instance") {
  const std::string cluster =
      "cluster: {containerInstances: [{instanceType: m5.large, count: 1000}]}\ntaskDefinitions: [web.json]\n";
  const std::string daemon = "services:\n- {serviceName: d, taskDefinition: web, schedulingStrategy: DAEMON}\n";
  CHECK(errors_in("s.yaml", cluster + daemon + "tasks: [{taskDefinition: web, count: 2999000}]\n").empty());
  CHECK(errors_in("s.yaml", cluster + daemon + "tasks: [{taskDefinition: web, count: 2999001}]\n") ==
        Lines{"4:17: this makes more than 3000000 tasks, too many for one scenario"});
}

TEST_CASE("totals - the command line counts, too") {
  const std::string text = kHead + "tasks: [{taskDefinition: web, count: 2999999}]\n";
  CHECK(errors_in("s.yaml", text, {.tasks = {"web=1"}}).empty());
  CHECK(errors_in("s.yaml", text, {.tasks = {"web=1", "web=1"}}) ==
        Lines{"0:0: --task 'web=1': this makes more than 3000000 tasks, too many for one scenario"});
  CHECK(errors_in("s.yaml", text, {.instances = {"m5.large=1000000", "c5.large=1"}}) ==
        Lines{"0:0: --instances 'c5.large=1': this makes more than 1000000 instances, too many for one scenario"});
}

TEST_CASE("totals - the count that makes too many instances is told, in the cluster and later") {
  const auto errors = [](const std::string& counts, const std::string& rest) {
    return errors_in("s.yaml", "cluster:\n  containerInstances:\n" + counts +
                                   "taskDefinitions: [web.json]\ntasks: [{taskDefinition: web}]\n" + rest);
  };
  const std::string half = "  - {instanceType: m5.large, count: 500000}\n";
  CHECK(errors(half + half + "  - {instanceType: m5.large}\n", "") ==
        Lines{"5:5: this makes more than 1000000 instances, too many for one scenario"});
  CHECK(errors(half, "events:\n- {at: 1m, addInstances: {instanceType: m5.large, count: 500001}}\n") ==
        Lines{"7:58: this makes more than 1000000 instances, too many for one scenario"});
  const std::string group = ", autoScalingGroup: {instanceTypes: [m5.large], minSize: 100000, maxSize: 100000}}\n";
  std::string groups = "capacityProviders:\n";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) groups += std::string("- {name: ") + name + group;
  CHECK(errors(half, groups) == Lines{"12:68: this makes more than 1000000 instances, too many for one scenario"});
}
