#include <algorithm>

#include "describe.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/outcome.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/loaded.hpp"

namespace live_workloads_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using describe::Instance;
using describe::Task;
using test::load_texts;
using test::Loaded;
using test::scenario_of;

namespace {

using Lines = std::vector<std::string>;

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

std::string service(const std::string& name, const std::string& definition, const std::string& more) {
  return R"({"serviceArn": ")" + describe::arn("service", "prod/" + name) + R"(", "serviceName": ")" + name +
         R"(", "taskDefinition": ")" + describe::arn("task-definition", definition) + "\"" + more + "}";
}

/// Two instances, a task of web on the first, a daemon's on the second.
std::unique_ptr<Loaded> load(const std::vector<std::string>& services, bool takes = true, const std::string& more = {},
                             const std::vector<Task>& tasks = {
                                 {.id = "t1"},
                                 {.id = "t2", .instance = "b", .definition = "log:1", .group = "service:log"}}) {
  std::string list;
  for (const auto& one : services) list += (list.empty() ? "" : ",\n") + one;
  std::map<std::string, std::string> files{
      {"prod/instances.json",
       describe::page("containerInstances", std::vector<Instance>{{.id = "a"}, {.id = "b", .zone = "us-east-2b"}})},
      {"prod/tasks.json", describe::page("tasks", tasks)},
      {"prod/services.json", "{\"services\": [" + list + "]}"},
      {"prod/web.json", describe::definition("web", R"("memory": 1000)")},
      {"prod/log.json", describe::definition("log", R"("memory": 100)")},
      {"s.yaml", "cluster: prod\n" + more}};
  return load_texts({.scenario = "s.yaml", .takes_services = takes, .allow_partial = true}, std::move(files));
}

Lines placed(const Scenario& scenario) {
  const auto outcome = place(scenario);
  CHECK(verify(scenario, outcome) == Lines{});
  Lines lines;
  for (const auto& one : outcome.placements)
    lines.push_back(task_id(scenario, one.attempt) + " " + scenario.instances[one.instance].id);
  return lines;
}

Lines errors_of(const Loaded& loaded) {
  Lines lines;
  for (const auto& error : loaded.result.errors)
    lines.push_back(error.file + ":" + std::to_string(error.line) + ": " + error.message + " (" + error.help + ")");
  return lines;
}

const std::string kWeb = service("web", "web:1", R"(, "desiredCount": 3, "runningCount": 1, "launchType": "EC2",
  "placementStrategy": [{"type": "binpack", "field": "memory"}], "deploymentConfiguration":
  {"minimumHealthyPercent": 50, "maximumPercent": 150, "deploymentCircuitBreaker": {"enable": true, "rollback": true,
   "resetOnHealthyTask": false, "thresholdConfiguration": {"type": "COUNT", "value": 7}}},
  "availabilityZoneRebalancing": "ENABLED", "placementConstraints": [{"type": "memberOf",
  "expression": "attribute:ecs.availability-zone == us-east-2a"}])");
const std::string kLog = service("log", "log:1", R"(, "schedulingStrategy": "DAEMON", "runningCount": 1)");

}  // namespace

TEST_CASE("services of a live cluster are the scenario's when a command asks for it") {
  const auto loaded = load({kWeb, kLog});
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.workloads.size() == 2);
  CHECK(scenario.workloads[0].name == "log");
  CHECK(scenario.workloads[0].kind == WorkloadKind::kDaemon);
  const auto& web = scenario.workloads[1];
  CHECK(web.kind == WorkloadKind::kService);
  CHECK(web.count == 2);
  CHECK(web.group == "service:web");
  CHECK(web.strategies == std::vector<Strategy>{{StrategyType::kBinpack, "memory"}});
  CHECK(web.constraints.size() == 1);
  CHECK(web.minimum_healthy_percent == 50);
  CHECK(web.maximum_percent == 150);
  CHECK(web.origin.file == "prod/services.json");
  REQUIRE(scenario.timetable.services.size() == 2);
  CHECK(scenario.timetable.services[0].workload == 0);
  CHECK(scenario.timetable.services[1].workload == 1);
  CHECK(scenario.timetable.services[1].desired_count == 3);
  const auto& plan = scenario.timetable.services[1];
  CHECK(plan.rebalances);
  CHECK(plan.circuit_breaker.enabled);
  CHECK(plan.circuit_breaker.rollback);
  CHECK_FALSE(plan.circuit_breaker.reset_on_healthy_task);
  CHECK(plan.circuit_breaker.threshold(3) == 7);
  CHECK_FALSE(scenario.timetable.services[0].rebalances);
  CHECK_FALSE(scenario.timetable.services[0].circuit_breaker.enabled);
  CHECK(scenario.timetable.tasks.size() == 2);
  const auto is_below = [](const ClusterFinding& one) { return one.id == "service-below-desired"; };
  CHECK(std::none_of(scenario.findings.begin(), scenario.findings.end(), is_below));  // what lacks is placed
  CHECK(placed(scenario) == Lines{"log#1 i-a", "web#1 i-a", "web#2 i-a"});
  const auto plain = load({kWeb, kLog}, false);
  CHECK(scenario_of(*plain).workloads.empty());
  const auto& findings = scenario_of(*plain).findings;
  CHECK(std::any_of(findings.begin(), findings.end(), is_below));
}

TEST_CASE("a service that the scenario writes itself wins over its description") {
  const auto loaded = load({kWeb}, true,
                           "services: [{serviceName: web, taskDefinition: web, desiredCount: 2}]\n"
                           "tasks: [{taskDefinition: log}]\n");
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.workloads.size() == 2);
  CHECK(scenario.workloads[0].count == 1);
  CHECK(scenario.workloads[0].minimum_healthy_percent == 100);
  CHECK(scenario.timetable.services.size() == 1);
}

TEST_CASE("described services stand before standalone tasks and behind written ones") {
  const auto loaded = load({kWeb, kLog}, true,
                           "services: [{serviceName: own, taskDefinition: web, desiredCount: 1}]\n"
                           "tasks: [{taskDefinition: log, count: 2}]\n");
  Lines names;
  for (const auto& workload : scenario_of(*loaded).workloads) names.push_back(workload.name + " " + workload.group);
  CHECK(names == Lines{"log service:log", "own service:own", "web service:web", "log family:log"});
  CHECK(scenario_of(*loaded).timetable.services.at(0).workload == 1);
  CHECK(scenario_of(*loaded).timetable.services.at(1).workload == 0);
}

TEST_CASE("services that have all they want, run elsewhere or want nothing") {
  const auto loaded = load({service("web", "web:1", R"(, "desiredCount": 1, "runningCount": 1)"),
                            service("fargate", "gone:1", R"(, "desiredCount": 2, "launchType": "FARGATE")"),
                            service("spot", "gone:1", R"(, "desiredCount": 2, "capacityProviderStrategy":
                              [{"capacityProvider": "FARGATE_SPOT", "weight": 1}])"),
                            service("gone", "gone:1", R"(, "desiredCount": 0, "launchType": "EC2")"),
                            service("idle", "web:1", R"(, "desiredCount": 0, "launchType": "EC2")")});
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.workloads.size() == 2);
  CHECK(scenario.workloads[0].count == 0);
  CHECK(scenario.workloads[1].name == "idle");
  CHECK(scenario.workloads[1].count == 0);
  for (const auto& one : scenario.assumptions) CHECK(one.id != "service-definition-not-described");
  CHECK(placed(scenario).empty());
}

TEST_CASE("a service that lacks no task may lack its definition") {
  const auto loaded = load({service("web", "web:9", R"(, "desiredCount": 1, "runningCount": 1)"),
                            service("log", "log:9", R"(, "schedulingStrategy": "DAEMON", "runningCount": 1)")});
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.workloads.empty());
  REQUIRE(scenario.assumptions.size() >= 2);
  CHECK(scenario.assumptions[scenario.assumptions.size() - 2] ==
        Assumption{"service-definition-not-described", "log",
                   "runs log:9, which is not described: its tasks stay where they are, and one that is lost finds no "
                   "other place"});
  CHECK(scenario.assumptions.back().subject == "web");
}

TEST_CASE("a service that lacks tasks and whose definition is not described is an error with its place") {
  CHECK(errors_of(*load({kWeb, service("api", "api:7", R"(, "desiredCount": 2)"),
                         service("other", "", R"(, "desiredCount": 2)")})) ==
        Lines{"prod/services.json:7: service 'api' has fewer tasks than its desiredCount, and runs api:7, which is not "
              "described (aws ecs "
              "describe-task-definition --task-definition api:7)",
              "prod/services.json:8: service 'other' has fewer tasks than its desiredCount, and has no task definition "
              "that is "
              "described (write the service into the scenario)"});
}

TEST_CASE("tasks of a service that are not described are told") {
  const std::string busy = service("web", "web:1", R"(, "desiredCount": 4, "runningCount": 4)");
  const auto loaded = load({busy});
  CHECK(scenario_of(*loaded).workloads.at(0).count == 3);
  CHECK(scenario_of(*loaded).assumptions.back().id == "service-tasks-not-described");
  CHECK(scenario_of(*loaded).assumptions.back().text ==
        "1 of its 4 tasks on instances is described; the others are placed again");
  CHECK(errors_of(*load({busy}, true, {}, {})) ==
        Lines{"prod/services.json:1: service 'web' runs 4 tasks, and no task of the cluster is described (bayplan "
              "collect prints the commands that describe them: aws ecs describe-tasks)"});
}

TEST_CASE("figures of a described service that cannot be are errors") {
  const auto refused = [](const std::string& more) {
    return errors_of(*load({service("web", "web:1", more)})).front();
  };
  CHECK(refused(R"(, "desiredCount": 100000000000)") ==
        "prod/services.json:1: services[0]: desiredCount cannot be '100000000000' (a whole number from 0 to 10000000)");
  CHECK(refused(R"(, "desiredCount": 9223372036854775808)") ==
        "prod/services.json:1: services[0]: desiredCount cannot be '9223372036854775808' (a whole number from 0 to "
        "10000000)");
  CHECK(says(refused(R"(, "desiredCount": -5)"), "desiredCount cannot be '-5'"));
  CHECK(says(refused(R"(, "desiredCount": [1])"), "desiredCount cannot be list"));
  CHECK(says(refused(R"(, "desiredCount": 1, "deploymentConfiguration": {"minimumHealthyPercent": -1})"),
             "minimumHealthyPercent cannot be '-1'"));
  CHECK(says(refused(R"(, "desiredCount": 1, "deploymentConfiguration": {"maximumPercent": 9000000000})"),
             "maximumPercent cannot be '9000000000'"));
}

}  // namespace live_workloads_test
