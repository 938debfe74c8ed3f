#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"
#include "report_schema.hpp"

namespace fleet_command_test {

namespace {

using namespace bayplan;
using Json = nlohmann::json;

std::string definition(const std::string& family, int cpu, int memory, int gpus) {
  const auto gpu = gpus == 0
                       ? std::string()
                       : R"(, "resourceRequirements": [{"type": "GPU", "value": ")" + std::to_string(gpus) + "\"}]";
  return R"({"family": ")" + family + R"(", "containerDefinitions": [{"name": "main", "image": "x:1", "cpu": )" +
         std::to_string(cpu) + R"(, "memory": )" + std::to_string(memory) + gpu + "}]}";
}

const char* const kForty = R"(
taskDefinitions: [one.json, two.json, web.json]
tasks:
  - {taskDefinition: one, count: 24}
  - {taskDefinition: two, count: 8}
  - {taskDefinition: web, count: 8}
)";

const char* const kCluster = R"(
region: us-east-2
cluster:
  containerInstances:
    - {instanceType: g4dn.xlarge, count: 2, availabilityZone: us-east-2a}
taskDefinitions: [one.json]
services: [{serviceName: infer, taskDefinition: one, desiredCount: 5}]
throughput: {one: {unit: images/s, g4dn.xlarge: {1: 100}, g4dn.12xlarge: {1: 100, 4: 150}}}
)";

const std::map<std::string, std::string> kFiles{
    {"one.json", definition("one", 2048, 7168, 1)},
    {"two.json", definition("two", 8192, 32768, 2)},
    {"web.json", definition("web", 1024, 2048, 0)},
    {"infer.json", definition("infer", 1024, 6144, 1)},
    {"huge.json", definition("huge", 1024, 6144, 16)},
    {"forty.yaml", kForty},
    {"cluster.yaml", kCluster},
};

struct Ran {
  int code;
  std::string out;
  std::string err;
};

Ran fleet(std::vector<std::string> arguments, const std::map<std::string, std::string>& texts = {},
          bool (*interrupted)() = nullptr) {
  MemoryFiles files;
  files.content = kFiles;
  for (const auto& [name, text] : texts) files.content[name] = text;
  arguments.insert(arguments.begin(), "fleet");
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  cli::Streams io{in, out, err, files};
  io.interrupted = interrupted;
  const int code = cli::run(arguments, io);
  return {code, out.str(), err.str()};
}

Json report(std::vector<std::string> arguments, int code = 0, const std::map<std::string, std::string>& texts = {},
            bool (*interrupted)() = nullptr) {
  arguments.insert(arguments.end(), {"--output", "json"});
  const auto ran = fleet(arguments, texts, interrupted);
  INFO(ran.err);
  REQUIRE(ran.code == code);
  check_against_schema(ran.out, "fleet-report");
  return Json::parse(ran.out);
}

/// "24 g4dn.xlarge, 4 g4dn.12xlarge"
std::string fleet_of(const Json& part) {
  std::string text;
  for (const auto& one : part["fleet"]) {
    text += (text.empty() ? "" : ", ") + std::to_string(one["count"].get<int>()) + " " +
            one["instanceType"].get<std::string>();
    if (!one["availabilityZone"].is_null()) text += "@" + one["availabilityZone"].get<std::string>();
  }
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("fleet - forty tasks over two kinds of instances") {
  const auto found = report({"forty.yaml", "--types", "g4dn.xlarge,g4dn.12xlarge"});
  CHECK(fleet_of(found["ideal"]) == "24 g4dn.xlarge, 4 g4dn.12xlarge");
  CHECK(found["ideal"]["hourlyCost"] == 28.272);
  CHECK(found["lowerBound"] == 28.272);
  CHECK(found["gap"] == 0.0);
  CHECK(found["optimal"] == true);
  CHECK(found["stoppedBy"] == "proof");
  CHECK(found["certificate"]["verified"] == true);
  CHECK(found["certificate"]["scope"] == Json::parse(R"(["CPU", "MEMORY", "GPU"])"));
  CHECK(found["recommended"]["hourlyCost"].get<double>() >= 28.272);
  CHECK(found["utilization"]["GPU"].get<double>() > 0.9);
  CHECK(found["bindingResource"] == "GPU");
  CHECK(found["vcpuQuota"]["G and VT"] == 288);
  CHECK(found["marginalPrice"]["one:1"].get<double>() == Approx(0.526).margin(1e-6));
  CHECK(found["marginalPrice"]["two:1"].get<double>() == Approx(1.956).margin(1e-6));
  const auto& alternative = found["alternatives"][0];
  CHECK(alternative["kind"] == "single-type");
  CHECK(fleet_of(alternative) == "10 g4dn.12xlarge");
  CHECK(alternative["hourlyCost"] == 39.12);
  CHECK(found["notAlone"] == Json::parse(R"(["g4dn.xlarge"])"));
}

TEST_CASE("fleet - every task is assigned once, and the instances are those of the ideal fleet") {
  const auto ideal = report({"forty.yaml", "--types", "g4dn.*"})["ideal"];
  std::map<std::string, int> tasks;
  std::map<std::string, int> instances;
  for (const auto& one : ideal["assignments"]) {
    const auto id = one["instance"].get<std::string>();
    ++instances[id.substr(0, id.find('#'))];
    for (const auto& [name, count] : one["tasks"].items()) tasks[name] += count.get<int>();
  }
  CHECK(tasks == std::map<std::string, int>{{"one:1", 24}, {"two:1", 8}, {"web:1", 8}});
  std::map<std::string, int> bought;
  for (const auto& one : ideal["fleet"]) bought[one["instanceType"]] += one["count"].get<int>();
  CHECK(instances == bought);
}

TEST_CASE("fleet - a hundred tasks of one GPU") {
  const auto found = report({"--task", "infer.json=100", "--types", "g4dn.12xlarge"});
  CHECK(fleet_of(found["recommended"]) == "25 g4dn.12xlarge");
  CHECK(found["recommended"]["hourlyCost"] == 97.8);
  CHECK(found["recommended"]["orders"] == 20);
  CHECK(found["optimal"] == true);
  CHECK(found["vcpuQuota"]["G and VT"] == 1200);
}

TEST_CASE("fleet - with a zone lost every task still finds a place") {
  const auto found =
      report({"--task", "infer.json=100", "--types", "g4dn.12xlarge", "--zones", "3", "--survive-zone-loss"});
  CHECK(fleet_of(found["recommended"]) ==
        "13 g4dn.12xlarge@us-east-1a, 13 g4dn.12xlarge@us-east-1b, 12 g4dn.12xlarge@us-east-1c");
  CHECK(found["recommended"]["hourlyCost"] == 148.656);
  CHECK(found["fleetLowerBound"] == 148.656);
  CHECK(found["lowerBound"] == 97.8);
  CHECK(found["zoneLosses"].size() == 3);
  for (const auto& loss : found["zoneLosses"]) CHECK(loss["withoutPlace"] == 0);
  CHECK(found["assumptions"][0]["id"] == "run-task-calls");  // 100 tasks
  CHECK(found["assumptions"][1]["id"] == "zones-named");
}

TEST_CASE("fleet - zones by name, and what the loss of one leaves") {
  const auto found = report({"--task", "infer.json=8", "--types", "g4dn.12xlarge", "--zones", "us-east-1c,us-east-1d"});
  CHECK(fleet_of(found["recommended"]) == "1 g4dn.12xlarge@us-east-1c, 1 g4dn.12xlarge@us-east-1d");
  CHECK(found["zoneLosses"][0]["withoutPlace"] == 4);
}

TEST_CASE("fleet - beside a cluster only what is missing is bought") {
  const auto found = report({"cluster.yaml", "--types", "g4dn.xlarge", "--add-only"});
  CHECK(fleet_of(found["recommended"]) == "3 g4dn.xlarge@us-east-2a");
  CHECK(found["recommended"]["hourlyCost"] == 1.578);
  CHECK(fleet_of(report({"cluster.yaml", "--types", "g4dn.xlarge"})["recommended"]) == "5 g4dn.xlarge@us-east-2a");
}

TEST_CASE("fleet - what tasks get done for the money") {
  const auto family = report({"cluster.yaml", "--types", "g4dn.xlarge"})["throughput"][0];
  CHECK(family["placed"] == 500.0);
  CHECK(family["placedTasks"] == 5);
  const auto& rows = family["instances"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["instanceType"] == "g4dn.xlarge");
  CHECK(rows[0]["ratePerUsd"].get<double>() == Approx(100 / 0.526));
  CHECK(rows[1]["tasks"] == 4);
  CHECK(rows[1]["rate"] == 400.0);
  CHECK(rows[2]["tasks"] == 1);
}

TEST_CASE("fleet - a service that cannot deploy is told, and planned for") {
  const std::map<std::string, std::string> texts{
      {"rolling.yaml",
       "taskDefinitions: [one.json]\nservices: [{serviceName: infer, taskDefinition: one, "
       "desiredCount: 4, deploymentConfiguration: {minimumHealthyPercent: 100}}]\n"}};
  const auto stuck = report({"rolling.yaml", "--types", "g4dn.xlarge"}, 0, texts);
  CHECK(fleet_of(stuck["recommended"]) == "4 g4dn.xlarge");
  REQUIRE(stuck["deployable"].size() == 1);
  CHECK(stuck["deployable"][0]["ok"] == false);
  CHECK(stuck["deployable"][0]["needs"] == Json::parse(R"({"g4dn.xlarge": 1})"));
  CHECK(contains(stuck["answer"], "CANNOT DEPLOY infer: plan with --deployable."));
  const auto rolls = report({"rolling.yaml", "--types", "g4dn.xlarge", "--deployable"}, 0, texts);
  CHECK(fleet_of(rolls["recommended"]) == "5 g4dn.xlarge");
  CHECK(rolls["deployable"][0]["ok"] == true);
  CHECK_FALSE(contains(rolls["answer"], "CANNOT DEPLOY"));
  const auto limited =
      report({"rolling.yaml", "--types", "g4dn.xlarge", "--deployable", "--limit", "g4dn.xlarge=4"}, 1, texts);
  CHECK(limited["deployable"][0]["ok"] == false);
}

TEST_CASE("fleet - headroom, owned instances and limits") {
  CHECK(fleet_of(report({"--task", "infer.json=100", "--types", "g4dn.12xlarge", "--headroom",
                         "10%"})["recommended"]) == "28 g4dn.12xlarge");
  const auto owned = report({"--task", "infer.json=4", "--types", "g4dn.xlarge", "--owned", "g4dn.xlarge=3"});
  CHECK(owned["recommended"]["hourlyCost"] == 0.526);
  const auto over = report({"--task", "infer.json=4", "--types", "g4dn.xlarge", "--limit", "g4dn.xlarge=3"}, 1);
  CHECK(over["leftOver"]["infer:1"] == 1);
  CHECK(over["recommended"].is_null());
  CHECK(over["ideal"].is_null());
}

TEST_CASE("fleet - a task that fits nothing is named and the rest is planned") {
  const auto found = report({"--task", "infer.json=4", "--task", "huge.json=2", "--types", "g4dn.12xlarge"}, 1);
  CHECK(fleet_of(found["recommended"]) == "1 g4dn.12xlarge");
  REQUIRE(found["unplaceable"].size() == 1);
  CHECK(found["unplaceable"][0]["name"] == "huge");
  CHECK(found["unplaceable"][0]["count"] == 2);
  CHECK(found["unplaceable"][0]["types"][0]["text"] == "RESOURCE:GPU (12 short)");
  const auto text = fleet({"--task", "infer.json=4", "--task", "huge.json=2", "--types", "g4dn.12xlarge"});
  CHECK(text.code == 1);
  CHECK(contains(text.out, "NO  huge does not fit any allowed instance type; for the rest:"));
}

TEST_CASE("fleet - whoever stops it gets the best so far") {
  const auto found = report({"forty.yaml", "--types", "g4dn.*"}, 0, {}, [] { return true; });
  CHECK(found["stoppedBy"] == "time");
  CHECK(contains(found["answer"], "Interrupted: the best fleet so far, not reproducible."));
}

TEST_CASE("fleet - StartTask lines put each standalone task somewhere") {
  const auto ran = fleet({"--task", "infer.json=5", "--types", "g4dn.12xlarge", "--start-task"});
  CHECK(contains(ran.out, "aws ecs start-task --task-definition infer --container-instances g4dn.12xlarge#1"));
  // Names are words of the shell that somebody pastes the lines into.
  const auto hostile =
      fleet({"hostile.yaml", "--types", "m5.large", "--start-task"},
            {{"hostile.yaml",
              "cluster: {clusterName: 'prod; touch x', containerInstances: []}\n"
              "taskDefinitions: [{family: web, containerDefinitions: [{name: a, image: b, memory: 64}]}]\n"
              "tasks: [{taskDefinition: web, group: \"it's `id`\"}]\n"}});
  CHECK(contains(hostile.out, "--cluster 'prod; touch x' --task-definition web --group 'it'\\''s `id`' "));
  const auto service = fleet({"cluster.yaml", "--types", "g4dn.xlarge", "--start-task"});
  CHECK(contains(service.out, "the ideal fleet holds no standalone task"));
}

TEST_CASE("fleet - wrong usage") {
  const auto says = [](const std::vector<std::string>& arguments, const std::string& words) {
    const auto ran = fleet(arguments);
    INFO(ran.err);
    return ran.code == 2 && contains(ran.err, words);
  };
  CHECK(says({}, "nothing to plan for"));
  CHECK(says({"forty.yaml", "cluster.yaml"}, "fleet takes one scenario, not 2"));
  CHECK(says({"--task", "infer.json=max"}, "a fleet is for a number of tasks"));
  CHECK(says({"forty.yaml", "--orders", "0"}, "--orders must be"));
  CHECK(says({"forty.yaml", "--effort", "0"}, "--effort must be"));
  CHECK(says({"forty.yaml", "--headroom", "much"}, "--headroom must be"));
  CHECK(says({"forty.yaml", "--zones", "7"}, "--zones must be"));
  CHECK(says({"--task", "infer.json=4", "--zones", "us-east-2"}, "'us-east-2' is a region, not a zone"));
  CHECK(says({"--task", "infer.json=4", "--zones", "mars-1a,mars-1b"}, "unknown zone 'mars-1a'"));
  CHECK(says({"--task", "infer.json=4", "--zones", "us-east-2a,eu-west-1a"}, "the zones are in 2 regions"));
  CHECK(says({"forty.yaml", "--zones", "us-east-1a,,us-east-1b"}, "--zones must be"));
  CHECK(says({"forty.yaml", "--survive-zone-loss"}, "--survive-zone-loss requires at least two zones"));
  CHECK(says({"--task", "infer.json=1", "--add-only"}, "--add-only requires an existing cluster"));
  CHECK(says({"forty.yaml", "--types", "g99.*"}, "g99"));
}

namespace {

const char* const kLoad = R"(
region: us-east-1
taskDefinitions: [web.json]
services: [{serviceName: web, taskDefinition: web, desiredCount: 8}]
load: [0.25, 0.25, 1, 1, 1]
commitments: [{type: COMPUTE_SP, discount: 28%, hourlyCommitment: 0.2}]
)";

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("fleet - what one pays over a load follows from the hours") {
  const auto found = report({"load.yaml", "--types", "m5.*"}, 0, {{"load.yaml", kLoad}});
  const auto& payment = found["payment"];
  CHECK(payment["levelOfHour"] == Json({0, 0, 1, 1, 1}));
  double hours = 0;
  double cost = 0;
  double bound = 0;
  for (const auto& level : payment["levels"]) {
    // 0.2 USD at 28 % off cover 0.2 / 0.72 USD of usage.
    const double fleet = level["onDemandHourlyCost"];
    CHECK(level["hourlyCost"].get<double>() == Approx(0.2 + std::max(0.0, fleet - 0.2 / 0.72)));
    CHECK(level["lowerBound"] <= level["onDemandHourlyCost"]);
    CHECK(level["evidence"] == "simulated");
    hours += level["hours"].get<double>();
    cost += level["hours"].get<double>() * level["hourlyCost"].get<double>();
    bound += level["hours"].get<double>() * (0.2 + std::max(0.0, level["lowerBound"].get<double>() - 0.2 / 0.72));
  }
  CHECK(hours == 5);
  CHECK(payment["hourlyCost"].get<double>() == Approx(cost / 5));
  CHECK(payment["lowerBound"].get<double>() == Approx(bound / 5));
  CHECK(payment["yearlyCost"].get<double>() == Approx(cost / 5 * 8760));
}

TEST_CASE("fleet - the page of a load has a stacked bar for each hour") {
  const auto ran = fleet({"load.yaml", "--types", "m5.*", "--output", "html"}, {{"load.yaml", kLoad}});
  REQUIRE(ran.code == 0);
  const auto chart = ran.out.substr(ran.out.find("<figure class=\"payment\">"));
  const auto svg = chart.substr(0, chart.find("<ul"));
  CHECK(times(svg, "<g><title>hour ") == 5);
  CHECK(times(svg, "class=\"committed\"") == 5);
  CHECK(times(svg, "class=\"unused\"") == 2);     // 0.096 USD of usage by night, less than 0.278
  CHECK(times(svg, "class=\"on-demand\"") == 3);  // by day
}

TEST_CASE("fleet - a load does not go with what it cannot plan") {
  for (const auto* flag : {"--add-only", "--deployable"}) {
    const auto ran = fleet({"load.yaml", flag}, {{"load.yaml", kLoad}});
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, std::string(flag) + " does not support a load curve"));
  }
}

TEST_CASE("fleet - throughput that says nothing has its place") {
  const std::map<std::string, std::string> texts{
      {"wrong.yaml",
       "taskDefinitions: [one.json]\ntasks: [{taskDefinition: one}]\nthroughput: {one: {p33.large: {1: 2}, "
       "g4dn.xlarge: {one: 2, 1: 1.7e308, 2: -1}}}\n"}};
  const auto ran = fleet({"wrong.yaml"}, texts);
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "wrong.yaml:3:"));
  CHECK(contains(ran.err, "p33.large"));
  CHECK(contains(ran.err, "'one' is not a number of GPUs per task"));
  CHECK(contains(ran.err, "the rate '1.7e308' is too large"));
  CHECK(contains(ran.err, "'-1' is not a rate above 0"));
}

}  // namespace fleet_command_test
