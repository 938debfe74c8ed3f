#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

namespace dry_run_command_test {

namespace {

using namespace bayplan;
using Json = nlohmann::json;

const std::string kWeb =
    R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";
const std::string kAwsvpc =
    R"({"family": "net", "networkMode": "awsvpc", "containerDefinitions": [{"name": "app", "image": "nginx:1.27",
    "memory": 256}]})";
const std::string kWebOne =
    R"({"family": "web", "revision": 1, "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";
const std::string kCluster = R"(clusterName: prod
containerInstances:
  - {instanceType: c5.large, availabilityZone: us-east-1a}
  - {instanceType: c5.xlarge, availabilityZone: us-east-1b}
  - {instanceType: c5.large, availabilityZone: us-east-1b, status: INACTIVE}
)";

struct Ran : cli::Ran {
  Json json() const { return Json::parse(out); }
};

Ran dry_run(std::vector<std::string> arguments) {
  MemoryFiles files;
  files.content = {{"web.json", kWeb}, {"net.json", kAwsvpc}, {"web-1.json", kWebOne}, {"prod.yaml", kCluster}};
  arguments.insert(arguments.begin(), "dry-run");
  return {cli::run_with(files, arguments)};
}

Ran on_prod(std::vector<std::string> line, const std::string& format = "json") {
  std::vector<std::string> arguments{"--cluster", "prod.yaml", "--definition", "web.json", "--definition", "net.json",
                                     "--output",  format,      "--",           "aws",      "ecs"};
  arguments.insert(arguments.end(), line.begin(), line.end());
  return dry_run(arguments);
}

Ran register_web(std::vector<std::string> options) {
  for (const char* word :
       {"--output", "json", "--", "aws", "ecs", "register-task-definition", "--cli-input-json", "file://web.json"}) {
    options.emplace_back(word);
  }
  return dry_run(options);
}

bool assumes(const Ran& ran, const std::string& id) {
  const Json assumptions = ran.json()["assumptions"];
  return std::any_of(assumptions.begin(), assumptions.end(), [&](const Json& one) { return one["id"] == id; });
}

}  // namespace

TEST_CASE("dry-run run-task - an override that is broken where its name stands") {
  const auto ran = on_prod({"run-task", "--task-definition", "web", "--overrides",
                            R"({"containerOverrides": [{"name"A : "app", "memory": 1000}]})"},
                           "text");
  CHECK(ran.code == 1);
  CHECK(cli::says(ran.out, "rejects RunTask: unescaped quote in a string"));
}

TEST_CASE("dry-run register-task-definition counts on from the revisions that are known") {
  const auto revision = [](const Ran& ran) { return ran.json()["response"]["taskDefinition"]["revision"]; };
  const auto alone = register_web({});
  CHECK(revision(alone) == 1);
  CHECK(assumes(alone, "revision-unknown"));
  const auto second = register_web({"--definition", "web-1.json"});
  CHECK(second.code == 0);
  CHECK(revision(second) == 2);
  CHECK_FALSE(assumes(second, "revision-unknown"));
  CHECK(revision(register_web({"--cluster", "prod.yaml", "--definition", "web-1.json"})) == 2);
  CHECK(revision(register_web({"--cluster", "prod.yaml", "--definition", "net.json"})) == 1);
}

TEST_CASE("dry-run register-task-definition reads what it is given") {
  const auto no_cluster = register_web({"--cluster", "nofile"});
  CHECK(no_cluster.code == 2);
  CHECK(nlohmann::json::parse(no_cluster.out)["schema"] == "bayplan/error-report/1");
  CHECK(no_cluster.err.find("nofile") != std::string::npos);
  CHECK(register_web({"--definition", "nofile.json"}).code == 2);
  CHECK(register_web({"--cluster", "prod.yaml"}).code == 0);
  CHECK(register_web({"--seed", "-1"}).code == 2);
  CHECK(register_web({"--instances", "c5.nothing=1@us-east-1a"}).code == 2);
  CHECK(register_web({"--param", "Size=2"}).err.find("--param Size: ") != std::string::npos);
}

TEST_CASE("dry-run says which options have no effect") {
  CHECK(assumes(register_web({"--seed", "3"}), "option-without-effect"));
  CHECK(assumes(register_web({"--instances", "c5.large=1@us-east-1a"}), "option-without-effect"));
  CHECK_FALSE(assumes(register_web({"--cluster", "prod.yaml"}), "option-without-effect"));
}

TEST_CASE("dry-run prints its phases") {
  const auto ran = register_web({"--stats"});
  CHECK(ran.code == 0);
  for (const char* phase : {"catalog ", "read ", "try ", "report ", "total "}) {
    CHECK(ran.err.find(phase) != std::string::npos);
  }
  CHECK(register_web({}).err.empty());
}

TEST_CASE("dry-run answers run-task in the shape of the response") {
  const auto ran =
      on_prod({"run-task", "--cluster", "prod", "--task-definition", "net", "--placement-strategy",
               "type=binpack,field=memory", "--network-configuration", "awsvpcConfiguration={subnets=[subnet-1]}",
               "--overrides", R"({"cpu": "512", "containerOverrides": [{"name": "app", "command": ["x"]}]})"});
  CHECK(ran.code == 0);
  const Json response = ran.json()["response"];
  REQUIRE(response["tasks"].size() == 1);
  CHECK(response["failures"].empty());
  const Json task = response["tasks"][0];
  CHECK(task["containerInstanceArn"] == "c5.large#1");
  CHECK(task["lastStatus"] == "PROVISIONING");  // a network interface is made first
  CHECK(task["cpu"] == "512");
  CHECK(task["overrides"]["containerOverrides"][0]["command"][0] == "x");
}

TEST_CASE("dry-run goes to the cluster that the call names") {
  CHECK(on_prod({"run-task", "--cluster", "test", "--task-definition", "web"}).code == 2);
  CHECK(on_prod({"run-task", "--cluster", "arn:aws:ecs:us-east-1:1:cluster/prod", "--task-definition", "web"}).code ==
        0);
  const auto silent = on_prod({"run-task", "--task-definition", "web"});
  CHECK(silent.code == 0);
  CHECK(silent.out.find("\"cluster-not-named\"") != std::string::npos);
}

TEST_CASE("dry-run refuses what ECS refuses, and says whose words it uses") {
  const auto both = on_prod({"run-task", "--cluster", "prod", "--task-definition", "web", "--launch-type", "EC2",
                             "--capacity-provider-strategy", "capacityProvider=gpu,weight=1"});
  CHECK(both.code == 1);
  const Json error = both.json()["error"];
  CHECK(error["rule"] == "BAY1112");
  CHECK(error["inOwnWords"] == false);
  CHECK(error["message"] == "Specifying both a launch type and capacity provider strategy is not supported.");
  const auto many = on_prod({"run-task", "--cluster", "prod", "--task-definition", "web", "--count", "11"});
  CHECK(many.json()["error"]["rule"] == "BAY1119");
  CHECK(many.json()["error"]["inOwnWords"] == true);
  CHECK(on_prod({"run-task", "--cluster", "prod", "--task-definition", "nothing"}).code == 2);
}

TEST_CASE("dry-run lets the AWS CLI refuse before ECS") {
  const auto ran = dry_run({"--output", "json", "--", "aws", "ecs", "register-task-definition", "--family", "web",
                            "--container-definitions",
                            "name=app,image=nginx,memory=128,portMappings={containerPort=80}", "name=app,image=nginx"});
  CHECK(ran.code == 1);
  CHECK(ran.json()["error"]["by"] == "aws-cli");
}

TEST_CASE("dry-run start-task looks at the named instances only") {
  const auto ran = on_prod({"start-task", "--cluster", "prod", "--task-definition", "web", "--container-instances",
                            "c5.xlarge#1", "c5.large#2", "nowhere", "c5.xlarge#1"});
  CHECK(ran.code == 1);
  const Json response = ran.json()["response"];
  REQUIRE(response["tasks"].size() == 2);
  CHECK(response["tasks"][1]["containerInstanceArn"] == "c5.xlarge#1");
  CHECK(response["failures"] == Json::parse(R"([{"arn": "c5.large#2", "reason": "INACTIVE"},
                                               {"arn": "nowhere", "reason": "MISSING"}])"));
  const auto full = on_prod({"start-task", "--cluster", "prod", "--task-definition", "web", "--container-instances",
                             "c5.large#1", "--overrides", "memory=8000"});
  CHECK(full.json()["response"]["failures"] == Json::parse(R"([{"arn": "c5.large#1", "reason": "RESOURCE:MEMORY"}])"));
}

TEST_CASE("dry-run create-service answers with the events that follow") {
  const auto fits = on_prod({"create-service", "--cluster", "prod", "--service-name", "s", "--task-definition", "web",
                             "--desired-count", "2"});
  CHECK(fits.code == 0);
  const Json service = fits.json()["response"]["service"];
  CHECK(service["desiredCount"] == 2);
  CHECK(service["deployments"][0]["taskDefinition"] == "web:1");
  CHECK(service["deploymentConfiguration"]["maximumPercent"] == 200);
  CHECK(service["events"][0]["message"] == "service s has reached a steady state.");
  const auto full = on_prod({"create-service", "--cluster", "prod", "--service-name", "s", "--task-definition", "web",
                             "--desired-count", "3", "--placement-constraints", "type=distinctInstance"});
  CHECK(full.code == 1);
  const std::string event = full.json()["response"]["service"]["events"][0]["message"];
  CHECK(event.find("was unable to place a task because no container instance met all of its requirements") !=
        std::string::npos);
  const auto silent =
      on_prod({"create-service", "--cluster", "prod", "--service-name", "s", "--task-definition", "web"});
  CHECK(silent.code == 1);
  CHECK(silent.json()["error"]["message"].get<std::string>().find("desiredCount") != std::string::npos);
}

TEST_CASE("dry-run prints the response alone for scripts") {
  const auto ran = on_prod({"run-task", "--cluster", "prod", "--task-definition", "web"}, "aws");
  CHECK(ran.code == 0);
  CHECK(ran.json().contains("tasks"));
  const auto refused = on_prod({"run-task", "--cluster", "prod", "--task-definition", "web", "--count", "0"}, "aws");
  CHECK(refused.code == 1);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("An error occurred (InvalidParameterException) when calling the RunTask operation: ") !=
        std::string::npos);
}

TEST_CASE("dry-run wants the line behind two dashes") {
  CHECK(dry_run({"aws", "ecs", "run-task"}).err.find("must follow --") != std::string::npos);
  CHECK(dry_run({}).code == 2);
  CHECK(dry_run({"--", "aws", "ecs", "run-task", "--task-definition", "web"})
            .err.find("no cluster to simulate the call on") != std::string::npos);
}

TEST_CASE("dry-run tells what no simulation is needed for") {
  const auto unknown = on_prod({"run-task", "--cluster", "prod", "--task-definition", "web", "--overrides",
                                R"({"containerOverrides": [{"name": "nope"}]})"});
  CHECK(unknown.code == 1);
  CHECK(unknown.json()["error"]["message"] ==
        "Override for container named nope is not a container in the TaskDefinition.");
  CHECK(on_prod({"create-service", "--cluster", "prod", "--service-name", "s", "--desired-count", "1"}).code == 2);
  CHECK(on_prod({"start-task", "--cluster", "prod", "--task-definition", "web", "--container-instances"}).code == 1);
  CHECK(on_prod({"run-task", "--cluster", "prod", "--task-definition", "web", "--region", "moon-1"}).code == 2);
}

TEST_CASE("dry-run lists the GPUs of a container once, however often it asks for some") {
  MemoryFiles files;
  files.content = {
      {"two.json", R"({"family": "two", "containerDefinitions": [{"name": "a", "image": "a:1", "memory": 64,
    "resourceRequirements": [{"type": "GPU", "value": "1"}, {"type": "GPU", "value": "2"}]}]})"}};
  const auto ran =
      cli::run_with(files, {"dry-run", "--instances", "p3.8xlarge=1", "--definition", "two.json", "--output", "aws",
                            "--", "aws", "ecs", "run-task", "--task-definition", "two"});
  REQUIRE(ran.code == 0);
  CHECK(ran.out.find("gpuIds") == ran.out.rfind("gpuIds"));
  CHECK(Json::parse(ran.out)["tasks"][0]["containers"][0]["gpuIds"].size() == 3);
}

}  // namespace dry_run_command_test
