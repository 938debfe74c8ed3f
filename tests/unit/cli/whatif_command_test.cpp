#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"
#include "report_schema.hpp"

namespace whatif_command_test {

namespace {

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;
using Json = nlohmann::json;

std::string definition(const std::string& family, const std::string& container) {
  return R"({"family": ")" + family + R"(", "containerDefinitions": [{"name": "main", "image": "x:1", )" + container +
         "}]}";
}

const char* const kZones = R"(
region: us-east-2
cluster:
  containerInstances:
    - {instanceType: g4dn.12xlarge, count: 6, availabilityZones: [us-east-2a, us-east-2b, us-east-2c]}
taskDefinitions: [infer.json, web.json]
services:
  - {serviceName: infer, taskDefinition: infer, desiredCount: 18}
  - {serviceName: web, taskDefinition: web, desiredCount: 12}
)";

const char* const kNight = R"(
region: us-east-2
cluster:
  containerInstances:
    - {instanceType: g4dn.12xlarge, count: 6, availabilityZones: [us-east-2a, us-east-2b, us-east-2c]}
taskDefinitions: [infer.json, t4.json]
tasks: [{taskDefinition: infer, count: 12}]
variants:
  even: {strategy: ["spread:attribute:ecs.availability-zone", "spread:instanceId"]}
  pack: {strategy: ["spread:attribute:ecs.availability-zone", "binpack:memory"]}
  rnd: {strategy: random}
)";

const std::map<std::string, std::string> kFiles{
    {"infer.json", definition("infer", R"("memory": 12288, "cpu": 2048,
       "resourceRequirements": [{"type": "GPU", "value": "1"}])")},
    {"web.json", definition("web", R"("memory": 1024, "cpu": 512)")},
    {"t4.json", definition("t4", R"("memory": 65536, "resourceRequirements": [{"type": "GPU", "value": "4"}])")},
    {"t8.json", definition("t8", R"("memory": 96000, "resourceRequirements": [{"type": "GPU", "value": "8"}])")},
    {"zones.yaml", kZones},
    {"night.yaml", kNight},
};

Ran what_if(std::vector<std::string> arguments, const std::map<std::string, std::string>& texts = {}) {
  MemoryFiles files;
  files.content = kFiles;
  for (const auto& [name, text] : texts) files.content[name] = text;
  arguments.insert(arguments.begin(), "whatif");
  return run_with(files, arguments);
}

/// The report as JSON; its shape is checked on the way.
Json ask(std::vector<std::string> arguments, int code, const std::map<std::string, std::string>& texts = {}) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const auto ran = what_if(arguments, texts);
  CHECK(ran.err == "");
  CHECK(ran.code == code);
  check_against_schema(ran.out, "whatif-report");
  return Json::parse(ran.out);
}

const Json& variant(const Json& report, const std::string& name) {
  for (const auto& one : report["variants"]) {
    if (one["name"] == name) return one;
  }
  FAIL("no variant " << name);
  return report;
}

}  // namespace

TEST_CASE("whatif - a lost zone leaves two tasks of a service without a GPU, and one instance more would do") {
  const auto report = ask({"zones.yaml", "--lose-az", "us-east-2a"}, 1);
  CHECK(report["answer"] == "NO  losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU)");
  CHECK(report["baseline"]["summary"]["unplaced"] == 0);
  const auto& lost = variant(report, "lose-az us-east-2a");
  CHECK(lost["services"][0]["after"] == 16);
  CHECK(lost["services"][0]["reasons"] == Json::parse(R"({"RESOURCE:GPU": 2})"));
  CHECK(lost["services"][1]["after"] == 12);
  CHECK(lost["gone"] == Json::parse(R"(["g4dn.12xlarge#1", "g4dn.12xlarge#4"])"));
  CHECK(lost["summary"]["instances"] == 4);
  CHECK(lost["remedies"] == Json::parse(R"([{"change": "--add g4dn.12xlarge=1@us-east-2b", "hourlyCost": 3.912},
                                            {"change": "--add g4dn.12xlarge=1@us-east-2c", "hourlyCost": 3.912},
                                            {"change": "--scale infer=16", "hourlyCost": 0}])"));
}

TEST_CASE("whatif - every remedy that is told leaves nothing more without a place when it is appended") {
  const auto report = ask({"zones.yaml", "--lose-az", "us-east-2a"}, 1);
  for (const auto& remedy : report["variants"][0]["remedies"]) {
    const auto flag = remedy["change"].get<std::string>();
    const auto blank = flag.find(' ');
    CAPTURE(flag);
    const auto ran = what_if({"zones.yaml", "--lose-az", "us-east-2a", flag.substr(0, blank), flag.substr(blank + 1)});
    CHECK(ran.code == 0);
  }
}

TEST_CASE("whatif - every zone and every instance, the worst first") {
  const auto report = ask({"zones.yaml", "--each-az", "--each-instance"}, 1);
  CHECK(report["answer"] ==
        "NO  the cluster survives no single-zone loss; the worst, us-east-2a: 2 of 18 infer tasks cannot be placed (no "
        "free GPU); the "
        "cluster "
        "survives the loss of any single instance");
  REQUIRE(report["variants"].size() == 9);
  CHECK(report["variants"][0]["each"] == Json::parse(R"({"availabilityZone": "us-east-2a"})"));
  CHECK(report["variants"][3]["each"] == Json::parse(R"({"containerInstance": "g4dn.12xlarge#1"})"));
  CHECK(report["variants"][3]["leavesMore"] == false);
  CHECK(report["variants"][3]["moves"] == 5);
  const auto with_one_more =
      ask({"zones.yaml", "--each-az", "--add", "g4dn.12xlarge=3@us-east-2a,us-east-2b,us-east-2c"}, 0);
  CHECK(says(with_one_more["answer"], "survives the loss of any zone"));
}

TEST_CASE("whatif - what lets any zone be lost") {
  const auto report = ask({"zones.yaml", "--each-az", "--each-instance"}, 1);
  CHECK(report["anyZone"] == Json::parse(R"([{"change": "--add g4dn.12xlarge=2", "hourlyCost": 7.824}])"));
  CHECK(report["anyInstance"].empty());
  CHECK(what_if({"zones.yaml", "--each-az", "--add", "g4dn.12xlarge=2"}).code == 0);
  CHECK(what_if({"zones.yaml", "--each-az", "--add", "g4dn.12xlarge=1"}).code == 1);
  CHECK(says(what_if({"zones.yaml", "--each-az"}).out, "\nFix for any zone loss: --add g4dn.12xlarge=2 (+$7.824/h"));
}

TEST_CASE("whatif - places for other tasks make up for none that is lost") {
  const std::string scenario = R"(
region: us-east-2
cluster: {containerInstances: [{instanceType: g4dn.xlarge, count: 2, availabilityZone: us-east-2a}]}
taskDefinitions: [web.json, t4.json]
services:
  - {serviceName: web, taskDefinition: web, desiredCount: 2, placementConstraints: [{type: distinctInstance}],
     deploymentConfiguration: {minimumHealthyPercent: 100, maximumPercent: 100}}
tasks: [{taskDefinition: t4, count: 1}]
)";
  const auto report = ask({"held.yaml", "--no-lint", "--drain", "g4dn.xlarge#1", "--add", "g4dn.12xlarge=1"}, 1,
                          {{"held.yaml", scenario}});
  const auto& drained = report["variants"][0];
  CHECK(report["baseline"]["summary"]["unplaced"] == 1);
  CHECK(drained["summary"]["unplaced"] == 1);
  CHECK(drained["leavesMore"] == true);
  CHECK(drained["heldDrains"] == Json::parse(R"(["g4dn.xlarge#1"])"));
  for (const auto& remedy : drained["remedies"]) CHECK(says(remedy["change"].get<std::string>(), "--scale web="));
}

TEST_CASE("whatif - fewer tasks in place of a count that was asked for, but never none") {
  const auto scaled = ask({"zones.yaml", "--scale", "infer=26"}, 1);
  CHECK(scaled["variants"][0]["remedies"].back() ==
        Json::parse(R"({"change": "--scale infer=24", "hourlyCost": 0, "inPlaceOf": "--scale infer=26"})"));
  const auto lost =
      ask({"--instances", "g4dn.12xlarge=1@us-east-2a", "--task", "t4.json=1", "--lose-az", "us-east-2a"}, 1);
  CHECK(lost["variants"][0]["remedies"].empty());
}

TEST_CASE("whatif - a type of the zone that is lost is offered in those that are left") {
  const auto lost = ask({"--instances", "c5.2xlarge=2@us-east-2a,us-east-2b", "--instances",
                         "g4dn.12xlarge=1@us-east-2a", "--task", "t4.json=1", "--lose-az", "us-east-2a"},
                        1);
  CHECK(says(lost["answer"], "1 of 1 t4 task cannot be placed (no instance with 4 free GPUs)"));
  CHECK(lost["variants"][0]["remedies"][0]["change"] == "--add g4dn.12xlarge=1@us-east-2b");
}

TEST_CASE("whatif - which instances are given back is told") {
  const auto back = ask({"zones.yaml", "--remove", "g4dn.12xlarge=1"}, 0);
  CHECK(back["variants"][0]["gone"] == Json::parse(R"(["g4dn.12xlarge#6"])"));
  CHECK(says(what_if({"zones.yaml", "--remove", "g4dn.12xlarge=1"}).out, "\nRemoved: g4dn.12xlarge#6\n"));
}

TEST_CASE("whatif - strategies side by side, over many runs") {
  const auto report = ask({"night.yaml", "--task", "t4=max", "--runs", "200", "--seed", "7"}, 0);
  const auto& even = variant(report, "even")["runs"];
  CHECK(even["instancesUsed"]["min"] == 6);
  CHECK(even["largestFreeBlock"]["max"] == 2);
  CHECK(even["room"][0]["more"]["max"] == 0);
  const auto& pack = variant(report, "pack")["runs"];
  CHECK(pack["instancesUsed"]["max"] == 3);
  CHECK(pack["room"][0]["more"]["min"] == 3);
  const auto& random = variant(report, "rnd")["runs"];
  CHECK(random["instancesUsed"]["median"] == 5);
  CHECK(random["largestFreeBlock"]["median"] == 4);
  CHECK(random["room"][0]["more"]["median"] == 1);
  CHECK(random["leftIdle"].get<int>() > 80);
  CHECK(random["leftIdle"].get<int>() < 130);
  CHECK(random["runs"] == 200);
  CHECK(random["firstSeed"] == 7);
  CHECK(ask({"night.yaml", "--variant", "pack"}, 0)["variants"].size() == 1);
}

TEST_CASE("whatif - the report is the same each time") {
  const std::vector<std::string> arguments{"night.yaml", "--task", "t4=max", "--runs", "20"};
  CHECK(what_if(arguments).out == what_if(arguments).out);
}

TEST_CASE("whatif - another type, and what it costs") {
  const std::vector<std::string> arguments{"--instances", "c5.2xlarge=2@us-east-2a,us-east-2b",
                                           "--instances", "p3.2xlarge=2@us-east-2a,us-east-2b",
                                           "--task",      "t8.json=1",
                                           "--region",    "us-east-2",
                                           "--replace",   "p3.2xlarge=p3.16xlarge"};
  const auto ran = what_if(arguments);
  CHECK(ran.code == 0);
  CHECK(says(ran.out,
             "YES replacing p3.2xlarge with p3.16xlarge: everything is placed (before: 1 of 1\n    task not placed); "
             "+$42.84/h, +$31,273/month\n"));
}

TEST_CASE("whatif - what it cannot answer is an error with a way out") {
  const auto error = [](std::vector<std::string> arguments, const std::map<std::string, std::string>& texts = {}) {
    const auto ran = what_if(std::move(arguments), texts);
    CHECK(ran.code == 2);
    CHECK(ran.out == "");
    return ran.err;
  };
  CHECK(says(error({"zones.yaml", "--lose-az", "us-east-2z"}), "us-east-2z"));
  CHECK(says(error({"zones.yaml"}), "no change to simulate"));
  CHECK(says(error({"--lose-az", "us-east-2a"}), "no scenario or cluster to compare with"));
  CHECK(says(error({"zones.yaml", "--each-az", "--runs", "0"}), "--runs must be a number from 1 to 100000"));
  CHECK(says(error({"night.yaml", "--variant", "evn"}), "did you mean 'even'?"));
  CHECK(says(error({"later.yaml", "--each-az"}, {{"later.yaml", std::string(kZones) + R"(
tasks: [{taskDefinition: web, count: 1, duration: 30m}]
)"}}),
             "Add --at DURATION"));
}

}  // namespace whatif_command_test
