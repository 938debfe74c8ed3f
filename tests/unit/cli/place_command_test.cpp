#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"
#include "report_schema.hpp"
#include "scenario/describe.hpp"

namespace place_command_test {

namespace {

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;
using Json = nlohmann::json;

const std::string kTrain = R"({"family": "train", "containerDefinitions": [{"name": "trainer", "image": "train:1",
  "cpu": 4096, "memory": 30000, "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";
const std::string kWeb =
    R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "cpu": 256,
  "memory": 256}]})";
const std::string kBroken =
    R"({"family": "my app", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";

Ran run_place(const std::vector<std::string>& arguments, std::map<std::string, std::string> texts = {}) {
  texts.insert({{"train.json", kTrain}, {"web.json", kWeb}, {"broken.json", kBroken}});
  MemoryFiles files;
  files.content = std::move(texts);
  std::vector<std::string> line{"place"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_with(files, line);
}

}  // namespace

TEST_CASE("place command - exit codes") {
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=2"}).code == 0);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=3"}).code == 1);
  CHECK(run_place({"--instances", "p3.2xlarge=2"}).code == 2);
  CHECK(run_place({"--task", "train.json=3"}).code == 2);
  CHECK(run_place({"missing.yaml"}).code == 2);
  CHECK(run_place({"--instances", "p3.3xlarge=2", "--task", "train.json=3"}).code == 2);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=max"}).code == 0);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=3", "--runs", "5"}).code == 1);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=2", "--runs", "5"}).code == 0);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=2", "--runs", "0"}).code == 2);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=2", "--runs", "100001"}).code == 2);
  CHECK(run_place({"--instances", "p3.2xlarge=2", "--task", "train.json=1", "--strategy", "binpack:gpu"}).code == 2);
}

TEST_CASE("place command - definitions that ECS would reject are not placed") {
  const auto refused = run_place({"--instances", "c5.large=1", "--task", "broken.json=1"});
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  CHECK(says(refused.err, "broken.json:1:12 error BAY"));
  CHECK(says(refused.err, "or add --no-lint"));
  CHECK(run_place({"--instances", "c5.large=1", "--task", "broken.json=1", "--no-lint"}).code == 0);
}

TEST_CASE("place command - an inline definition is linted at its place in the scenario") {
  const std::string scenario = R"({
  "cluster": {"containerInstances": [{"instanceType": "c5.large"}]},
  "taskDefinitions": [
    {"family": "my app", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]}
  ],
  "tasks": [{"taskDefinition": "my app", "count": 1}]
})";
  const auto refused = run_place({"s.json"}, {{"s.json", scenario}});
  INFO(refused.err);
  CHECK(refused.code == 2);
  CHECK(says(refused.err, "s.json:4:16 error BAY"));
}

TEST_CASE("place command - JSON that its schema allows, the same bytes for the same seed") {
  const std::vector<std::string> arguments{"--instances", "p3.2xlarge=2@us-east-1a,us-east-1b",
                                           "--instances", "c5.large=3",
                                           "--task",      "web.json=20",
                                           "--task",      "train.json=4",
                                           "--format",    "json"};
  const auto ran = run_place(arguments);
  CHECK(ran.code == 1);
  CHECK(run_place(arguments).out == ran.out);
  auto other = arguments;
  other.insert(other.end(), {"--seed", "2"});
  CHECK(run_place(other).out != ran.out);

  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  CHECK(report["failures"].size() == 2);
  CHECK(report["failures"][1]["sameAs"] == "train#3");
  auto short_form = arguments;
  short_form.push_back("--no-placements");
  CHECK_FALSE(Json::parse(run_place(short_form).out).contains("placements"));
}

TEST_CASE("place command - strategies of both spellings do the same") {
  const std::vector<std::string> base{"--instances", "c5.large=2", "--task", "web.json=3"};
  auto own = base;
  own.insert(own.end(), {"--strategy", "spread:instanceId", "--strategy", "binpack:memory"});
  auto aws = base;
  aws.insert(aws.end(), {"--placement-strategy", "type=spread,field=instanceId", "--placement-strategy",
                         "type=binpack,field=memory"});
  CHECK(run_place(own).out == run_place(aws).out);
  own.insert(own.end(), {"--placement-strategy", "type=random"});
  CHECK(run_place(own).code == 2);
}

TEST_CASE("place command - what is not simulated is refused with its place") {
  const auto ran = run_place({"s.yaml"}, {{"s.yaml",
                                           "cluster: {containerInstances: [{instanceType: c5.large}]}\n"
                                           "taskDefinitions: [web.json]\n"
                                           "tasks: [{taskDefinition: web, count: 2, launchType: FARGATE}]\n"}});
  CHECK(ran.code == 2);
  CHECK(says(ran.err, "s.yaml:3:"));
  CHECK(says(ran.err, "launchType FARGATE"));
}

TEST_CASE("place command - placement flags as the AWS CLI takes them, several values after one") {
  const auto chain = run_place({"--instances", "p3.2xlarge=2@us-east-1a,us-east-1b", "--task", "web.json=2",
                                "--placement-strategy", "type=spread,field=attribute:ecs.availability-zone",
                                "type=binpack,field=memory", "--placement-constraints", "type=distinctInstance",
                                "type=memberOf,expression=attribute:ecs.instance-type in ['p3.2xlarge', 'x']"});
  CHECK(chain.err == "");
  CHECK(chain.code == 0);
  const auto json = run_place({"--instances", "p3.2xlarge=2", "--task", "web.json=3", "--placement-strategy",
                               R"([{"type": "spread", "field": "instanceId"}, {"type": "random"}])",
                               "--placement-constraints", R"({"type": "distinctInstance"})"});
  CHECK(json.err == "");
  CHECK(json.code == 1);
  const auto wrong = run_place(
      {"--instances", "p3.2xlarge=2", "--task", "web.json=3", "--placement-strategy", R"([{"type": "spred"}])"});
  CHECK(wrong.code == 2);
  CHECK(says(wrong.err, "did you mean 'spread'?"));
}

TEST_CASE("place command - a seed below 0 and an unknown region are refused") {
  const auto seed = run_place({"--instances", "p3.2xlarge=2", "--task", "web.json=1", "--seed", "-1"});
  CHECK(seed.code == 2);
  CHECK(says(seed.err, "--seed must be a number from 0"));
  const auto region = run_place({"--instances", "p3.2xlarge=2", "--task", "web.json=1", "--region", "us-est-2"});
  CHECK(region.code == 2);
  CHECK(says(region.err, "did you mean 'us-east-2'?"));
}

TEST_CASE("place command - a JSON cluster may be larger than a definition, and --max-input moves both") {
  std::string cluster = R"({"containerInstances": [{"instanceType": "p3.2xlarge", "count": 2}]})";
  cluster.insert(1, std::string((16u << 20) + 1, ' '));
  const std::vector<std::string> line{"--cluster", "cluster.json", "--task", "web.json=1"};
  CHECK(run_place(line, {{"cluster.json", cluster}}).code == 0);
  auto limited = line;
  limited.insert(limited.end(), {"--max-input", "1000"});
  CHECK(run_place(limited, {{"cluster.json", cluster}}).code == 2);
}

TEST_CASE("place command - services that ECS rejects are reported at their place, and nothing is simulated") {
  const std::string scenario = R"(cluster:
  containerInstances: [{instanceType: c5.large, count: 2}]
taskDefinitions: [web.json]
services:
  - serviceName: web
    taskDefinition: web
    desiredCount: 1
    deploymentConfiguration: {minimumHealthyPercent: 100, maximumPercent: 100}
    placementStrategy: [{type: random, field: cpu}]
tasks:
  - {taskDefinition: web, count: 20}
)";
  const auto ran = run_place({"s.yaml"}, {{"s.yaml", scenario}});
  INFO(ran.err);
  CHECK(says(ran.err, "s.yaml:8:75 error BAY1118 deployment-percent: "));
  CHECK(says(ran.err, "s.yaml:9:47 error BAY1102 strategy-random-field: "));
  CHECK_FALSE(says(ran.err, "BAY1119"));  // a scenario's count may exceed ten
  CHECK(says(ran.err, "nothing simulated: ECS would reject these services or tasks"));
  CHECK(ran.out.empty());
  CHECK(ran.code == 2);
  const auto simulated = run_place({"s.yaml", "--no-lint"}, {{"s.yaml", scenario}});
  CHECK(simulated.err.empty());
  CHECK_FALSE(simulated.out.empty());
}

TEST_CASE("place command - constraints count with those of the definition") {
  const auto scenario_with = [](int count) {
    std::string constraints;
    for (int i = 0; i < count; ++i) constraints += "{type: memberOf, expression: attribute:ecs.os-type == linux}, ";
    return R"(cluster:
  containerInstances: [{instanceType: c5.large, count: 2}]
taskDefinitions:
  - family: api
    placementConstraints: [{type: memberOf, expression: attribute:ecs.os-type == linux}]
    containerDefinitions: [{name: app, image: "nginx:1.27", memory: 256}]
tasks:
  - {taskDefinition: api, count: 1, placementConstraints: [)" +
           constraints + "{type: distinctInstance}]}\n";
  };
  CHECK_FALSE(says(run_place({"s.yaml"}, {{"s.yaml", scenario_with(8)}}).err, "BAY1105"));
  const auto ran = run_place({"s.yaml"}, {{"s.yaml", scenario_with(9)}});
  INFO(ran.err);
  CHECK(says(ran.err, "s.yaml:8:59 warning BAY1105"));
  CHECK(says(ran.err, "10 placement constraints here and 1 in the task definition (s.yaml:5)"));
}

TEST_CASE("place command - what cannot be ranked is told by the scenario alone") {
  const std::string scenario = R"(cluster:
  containerInstances: [{instanceType: c5.large}]
taskDefinitions: [web.json]
tasks:
  - {taskDefinition: web, count: 1, placementStrategy: [{type: binpack, field: gpu}]}
)";
  const auto ran = run_place({"s.yaml"}, {{"s.yaml", scenario}});
  INFO(ran.err);
  CHECK(ran.code == 2);
  CHECK(says(ran.err, "s.yaml:5:80: binpack has no field \"gpu\": ECS documents only cpu and memory (BAY1101)"));
  CHECK_FALSE(says(ran.err, "error BAY1101"));
}

TEST_CASE("place command - a live cluster shows what runs on it") {
  const std::map<std::string, std::string> files{
      {"prod/i.json",
       describe::page("containerInstances", std::vector<describe::Instance>{{.cpu_left = -5,
                                                                             .memory_left = 210000,
                                                                             .gpus = {"G0", "G1"},
                                                                             .gpus_free = {"G1"},
                                                                             .more = R"(, "runningTasksCount": 1)"}})},
      {"prod/t.json",
       describe::page("tasks", std::vector<describe::Task>{{.cpu = 32773, .memory = 30000, .gpus = {"G0"}}})},
      {"prod/d.json",
       describe::definition("web", R"("memory": 1000, "resourceRequirements": [{"type": "GPU", "value": "1"}])")}};
  const auto state = run_place({"--cluster", "prod"}, files);
  CHECK(state.code == 0);
  CHECK(says(state.out, "YES nothing to place: 1 task runs on 1 of 1 instance\n"));
  CHECK(says(state.out, " 1 free "));
  CHECK(says(state.out, "  1 running\n"));
  const auto ran = run_place({"--cluster", "prod", "--task", "train.json=1", "--format", "json"}, files);
  CHECK(ran.code == 1);
  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  CHECK(report["runningTasks"] == Json::parse(R"([{"task": "t1", "taskDefinition": "web:1", "group": "service:web",
    "containerInstance": "i-a", "gpuIds": ["G0"]}])"));
  CHECK(report["containerInstances"][0]["tasks"] == 1);
  CHECK(report["containerInstances"][0]["remaining"]["CPU"] == -5);
  CHECK(report["containerInstances"][0]["gpus"][0]["tasks"] == Json::parse(R"(["t1"])"));
  CHECK(report["containerInstances"][0]["gpus"][1]["id"] == "G1");
  CHECK(report["clusterFindings"][0]["id"] == "remaining-negative");
  CHECK_FALSE(
      Json::parse(
          run_place({"--cluster", "prod", "--task", "train.json=1", "--format", "json", "--no-placements"}, files).out)
          .contains("runningTasks"));
  CHECK(run_place({"--cluster", "nowhere"}, files).code == 2);
  auto partial = files;
  partial.erase("prod/d.json");
  const auto refused = run_place({"--cluster", "prod"}, partial);
  CHECK(refused.code == 2);
  CHECK(says(refused.err, "prod/t.json:1:1: task t1 uses task definition web:1, which is not described"));
  CHECK(run_place({"--cluster", "prod", "--allow-partial"}, partial).code == 0);
}

TEST_CASE("place command - what ECS has registered is not held against the rules again") {
  const std::string refused =
      R"("cpu": 10, "memory": 100, "essential": false)";  // no essential container: BAY150 and its kin
  const std::map<std::string, std::string> files{
      {"prod/i.json", describe::page("containerInstances", std::vector<describe::Instance>{{}})},
      {"prod/d.json", describe::definition("first", R"("memory": 9)") + describe::definition("only", refused)}};
  CHECK(run_place({"--cluster", "prod", "--task", "only=1"}, files).code == 0);
  std::string needs = "cluster: prod\ntasks: [{taskDefinition: gpu}]\nneeds: {gpu: {gpuMemory: 99GiB}}\n";
  auto with_gpu = files;
  with_gpu["s.yaml"] = needs;
  with_gpu["prod/d.json"] +=
      describe::definition("gpu", R"("memory": 9, "resourceRequirements": [{"type": "GPU", "value": "1"}])");
  with_gpu["prod/i.json"] =
      describe::page("containerInstances", std::vector<describe::Instance>{{.gpus = {"G0"}, .gpus_free = {"G0"}}});
  const auto ran = run_place({"s.yaml"}, with_gpu);
  CHECK(says(ran.err, "prod/d.json:3:"));
}

TEST_CASE("place command - max says how many fit and what ends it, apart from the failures") {
  const auto ran = run_place(
      {"--instances", "p3.8xlarge=2", "--task", "train.json=max", "--task", "web.json=max", "--format", "json"});
  CHECK(ran.code == 0);
  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  CHECK(report["failures"].empty());
  REQUIRE(report["limits"].size() == 2);
  CHECK(report["limits"][0]["fit"] == 8);
  CHECK(report["limits"][0]["endedBy"]["task"] == "train#9");
  CHECK(report["limits"][0]["endedBy"]["reason"] == "RESOURCE:GPU");
  CHECK(report["limits"][1]["endedBy"]["reason"] == "RESOURCE:CPU");
  CHECK(report["summary"]["placed"] == 8 + report["limits"][1]["fit"].get<int>());
  CHECK(report["summary"]["unplaced"] == 0);
  const auto text = run_place({"--instances", "p3.8xlarge=2", "--task", "train.json=max"});
  CHECK(text.out.starts_with("YES train: 8 fit; the 9th fails: RESOURCE:GPU (0 of 2 instances have 1 free GPU"));
  const auto none = run_place({"--instances", "c5.large=2", "--task", "train.json=max", "-q"});
  CHECK(none.out.starts_with("NO  train: none fits: RESOURCE:CPU"));
}

TEST_CASE("place command - a task that takes nothing has no max") {
  const auto ran = run_place({"--instances", "c5.large=1", "--task", "nothing.json=max", "--no-lint"},
                             {{"nothing.json", R"({"family": "nothing", "containerDefinitions": [{"name": "a"}]})"}});
  CHECK(ran.code == 2);
  CHECK(says(ran.err, "'max' of nothing is unlimited"));
}

TEST_CASE("place command - runs tell in how many tie orders all is placed, and show the worst") {
  const std::string four = R"({"family": "four", "containerDefinitions": [{"name": "trainer", "image": "train:1",
    "cpu": 4096, "memory": 30000, "resourceRequirements": [{"type": "GPU", "value": "4"}]}]})";
  const std::vector<std::string> line{"--instances", "p3.8xlarge=1",     "--instances", "p3.2xlarge=1",
                                      "--task",      "train.json=1",     "--task",      "four.json=1",
                                      "--strategy",  "spread:instanceId"};
  auto arguments = line;
  arguments.insert(arguments.end(), {"--runs", "200", "--format", "json"});
  const auto ran = run_place(arguments, {{"four.json", four}});
  CHECK(ran.code == 1);
  CHECK(run_place(arguments, {{"four.json", four}}).out == ran.out);
  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  const auto& runs = report["runs"];
  CHECK(runs["count"] == 200);
  CHECK(runs["placedAll"] > 70);
  CHECK(runs["placedAll"] < 130);
  CHECK(runs["names"][0]["unplaced"]["max"] == 0);
  CHECK(runs["names"][1]["unplaced"] == Json({{"min", 0}, {"median", 1}, {"max", 1}}));
  CHECK(report["seed"] == runs["worstSeed"]);
  CHECK(report["failures"].size() == 1);
  auto again = line;
  again.insert(again.end(),
               {"--runs", "1", "--format", "json", "--seed", std::to_string(runs["worstSeed"].get<int>())});
  CHECK(Json::parse(run_place(again, {{"four.json", four}}).out)["placements"] == report["placements"]);
}

TEST_CASE("place command - one run says that a tie decided") {
  const std::string four = R"({"family": "four", "containerDefinitions": [{"name": "trainer", "image": "train:1",
    "cpu": 4096, "memory": 30000, "resourceRequirements": [{"type": "GPU", "value": "4"}]}]})";
  const auto place = [&](const char* first, const char* second, std::vector<std::string> more) {
    std::vector<std::string> line{"--instances",  first,    "--instances", second,       "--task",
                                  "train.json=1", "--task", "four.json=1", "--strategy", "spread:instanceId"};
    line.insert(line.end(), more.begin(), more.end());
    return run_place(line, {{"four.json", four}});
  };
  const auto unlucky = place("p3.8xlarge=1", "p3.2xlarge=1", {});
  CHECK(unlucky.code == 1);
  CHECK(says(unlucky.out, "NO  fits in 12 of 21 tie orders; shown here: four#1 not placed"));
  const auto lucky = place("p3.2xlarge=1", "p3.8xlarge=1", {});
  CHECK(lucky.code == 1);
  CHECK(says(lucky.out, "NO  fits in 9 of 21 tie orders; the worst leaves 1 of 2 tasks not placed"));
  const auto first = place("p3.2xlarge=1", "p3.8xlarge=1", {"--ties", "first"});
  CHECK(first.code == 0);
  CHECK(says(first.out, "YES 2 of 2 tasks placed"));
  CHECK(place("p3.2xlarge=1", "p3.8xlarge=1", {"--ties", "first", "--runs", "3"}).code == 2);
  const auto json = place("p3.2xlarge=1", "p3.8xlarge=1", {"--format", "json"});
  check_against_schema(json.out, "place-report");
  CHECK(Json::parse(json.out)["otherTieOrders"]["count"] == 20);
  CHECK(Json::parse(json.out)["tieOrders"] == Json({{"tried", 21}, {"fit", 9}}));
  // Nothing is tied, and nothing is said.
  CHECK_FALSE(says(place("p3.8xlarge=1", "p3.2xlarge=1", {"--strategy", "binpack:memory"}).out, "tie"));
}

TEST_CASE("place command - a request of all or nothing is given up as a whole") {
  const std::string scenario =
      "cluster: {containerInstances: [{instanceType: p3.8xlarge, count: 2}]}\n"
      "taskDefinitions: [train.json]\n"
      "tasks:\n"
      "  - {taskDefinition: train, count: 9, group: gang, allOrNothing: true}\n"
      "  - {taskDefinition: train, count: 8, group: gang, allOrNothing: true}\n";
  const auto ran = run_place({"s.yaml", "--format", "json"}, {{"s.yaml", scenario}});
  CHECK(ran.code == 1);
  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  CHECK(report["placements"].size() == 8);
  CHECK(report["placements"][0]["task"] == "train#10");
  CHECK(report["failures"].size() == 9);
  CHECK(report["failures"][0]["wouldFit"] == 8);
  CHECK(report["failures"][8]["sameAs"] == "train#1");
  const auto text = run_place({"s.yaml"}, {{"s.yaml", scenario}});
  CHECK(text.out.starts_with(
      "NO  train#1-9 not placed (all or nothing, 8 would fit): 0 of 2 instances have 1\n    free GPU\n"));
}

TEST_CASE("place command - services have their events, and -v shows what RunTask answers") {
  const std::string scenario =
      "cluster: {containerInstances: [{instanceType: p3.8xlarge}, {instanceType: c5.large}]}\n"
      "taskDefinitions: [train.json, web.json]\n"
      "services:\n"
      "  - {serviceName: web, taskDefinition: web, desiredCount: 1}\n"
      "  - {serviceName: infer, taskDefinition: train, desiredCount: 6}\n"
      "tasks: [{taskDefinition: train, count: 1}]\n";
  const auto ran = run_place({"s.yaml", "--format", "json"}, {{"s.yaml", scenario}});
  check_against_schema(ran.out, "place-report");
  const auto events = Json::parse(ran.out)["events"];
  REQUIRE(events.size() == 2);
  CHECK(events[0]["message"] == "service web has reached a steady state.");
  CHECK(events[1]["eventName"] == "SERVICE_TASK_PLACEMENT_FAILURE");
  CHECK(events[1]["reason"] == "RESOURCE:GPU");
  CHECK(says(run_place({"s.yaml", "-v"}, {{"s.yaml", scenario}}).out,
             "    RunTask answers\n       p3.8xlarge#1  RESOURCE:GPU\n       c5.large#1    RESOURCE:CPU\n"));
}

TEST_CASE("place command - what a scaling provider has no room for is PROVISIONING, counted apart") {
  const std::string scenario =
      "cluster: {containerInstances: [{instanceType: p3.2xlarge, capacityProviderName: gpu}]}\n"
      "taskDefinitions: [train.json]\n"
      "capacityProviders: [{name: gpu, managedScaling: {status: ENABLED}}]\n"
      "services: [{serviceName: s, taskDefinition: train, desiredCount: 2, capacityProviderStrategy: "
      "[{capacityProvider: gpu, weight: 1}]}]\n"
      "tasks: [{taskDefinition: train, count: 1}]\n";
  const auto ran = run_place({"s.yaml", "--format", "json"}, {{"s.yaml", scenario}});
  INFO(ran.err);
  CHECK(ran.code == 1);
  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  CHECK(report["summary"]["provisioning"] == 1);
  CHECK(report["summary"]["unplaced"] == 1);
  CHECK(report["failures"][0]["state"] == "PROVISIONING");
  CHECK_FALSE(report["failures"][1].contains("state"));
  CHECK(report["events"].empty());  // neither steady nor unable to place
  const auto text = run_place({"s.yaml"}, {{"s.yaml", scenario}});
  CHECK(text.out.starts_with(
      "NO  1 of 3 tasks not placed, 1 PROVISIONING; train#1: 0 of 1 instances have 1\n    free GPU\n"));
  CHECK(says(text.out, "    state: PROVISIONING, until gpu has started an instance\n"));
}

TEST_CASE("place command - max over many tie orders is a range") {
  const std::string four = R"({"family": "four", "containerDefinitions": [{"name": "trainer", "image": "train:1",
    "cpu": 4096, "memory": 30000, "resourceRequirements": [{"type": "GPU", "value": "4"}]}]})";
  // One GPU task more, on either type, takes the room of a task of four or does not.
  const auto both = run_place({"--instances", "p3.8xlarge=1", "--instances", "p3.2xlarge=1", "--task", "train.json=1",
                               "--task", "four.json=max", "--strategy", "spread:instanceId", "--runs", "50"},
                              {{"four.json", four}});
  CHECK(both.code == 0);
  CHECK(says(both.out, "YES everything placed in all 50 tie orders\n"));
  CHECK(says(both.out, "four fit    0"));
  CHECK(says(both.out, "Shown below: the worst order (--runs 1 --seed "));
  const auto only = run_place({"--instances", "p3.8xlarge=2", "--task", "train.json=max", "--task", "four.json=max",
                               "--strategy", "spread:instanceId", "--runs", "50"},
                              {{"four.json", four}});
  CHECK(only.out.starts_with("YES train: 8 fit, four: 0 fit in 50 tie orders\n"));
}

}  // namespace place_command_test
