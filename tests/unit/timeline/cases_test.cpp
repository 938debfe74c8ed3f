#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "placement/explain/ecs_words.hpp"
#include "scenario/load_scenario.hpp"
#include "timeline/simulate.hpp"

namespace cases_test {

// Cases whose outcome is published, over time: from the scenario as a user writes it to what happens. Numbers and kinds
// are those of placement/worked_cases_test.cpp:
//   Stated    the source gives the outcome
//   Derived   the source gives the rule and the figures; the outcome is arithmetic
//   Observed  somebody saw it; it may be otherwise elsewhere
// DG = docs.aws.amazon.com/AmazonECS/latest/developerguide, CR = github.com/aws/containers-roadmap (issues).
// A call that ECS refuses (68) is refused before time begins: placement/worked_cases_test.cpp.

using namespace bayplan;
using namespace bayplan::timeline;

namespace {

enum class Kind { kStated, kDerived, kObserved };
using Shown = std::vector<EventKind>;

struct TimeCase {
  int number = 0;
  Kind kind = Kind::kStated;
  const char* source = "";
  std::string scenario;
  Shown shown;           ///< Kinds of events that count.
  std::string expected;  ///< "60 TASK_STOPPING s#5 scaledIn, ..."
};

std::string name_of(Kind kind) {
  return kind == Kind::kStated ? "Stated" : kind == Kind::kDerived ? "Derived" : "Observed";
}

/// The scenario's parts as YAML.
std::string cluster(const std::string& instances) {
  return "cluster: {containerInstances: [" + instances + "]}\n";
}
std::string instance(const std::string& type, int memory, const std::string& more = "") {
  return fmt::format("{{instanceType: {}, registeredResources: {{CPU: 4096, MEMORY: {}}}{}}}", type, memory, more);
}
std::string zone(const std::string& letter) {
  return ", availabilityZone: us-east-1" + letter;
}
/// t:1 and t:2 are alike.
std::string definitions(const std::string& container) {
  const auto one = "{family: t, containerDefinitions: [{name: c, image: i, " + container + "}]}";
  return "taskDefinitions: [" + one + ", " + one + "]\n";
}
std::string service(int count, const std::string& more = "") {
  return fmt::format("services: [{{serviceName: s, taskDefinition: 't:1', desiredCount: {}{}}}]\n", count, more);
}
std::string percents(int minimum, int maximum) {
  return fmt::format(", deploymentConfiguration: {{minimumHealthyPercent: {}, maximumPercent: {}}}", minimum, maximum);
}
std::string run(int count, const std::string& more = "") {
  return fmt::format("tasks: [{{taskDefinition: 't:1', count: {}{}}}]\n", count, more);
}
const std::string kOnP = ", capacityProviderStrategy: [{capacityProvider: p, weight: 1}]";
/// Termination protection as the console sets it: what runs a task stays.
std::string provider(const std::string& sizes, const std::string& scaling = "") {
  return "capacityProviders: [{name: p, managedTerminationProtection: ENABLED, managedScaling: {status: ENABLED" +
         scaling + "}, autoScalingGroup: {instanceTypes: [m5.large], " + sizes + "}}]\n";
}
const std::string kDeploy = "events: [{at: 10m, updateService: {service: s, taskDefinition: 't:2'}}]\n";
const std::string kPack = ", placementStrategy: [{type: binpack, field: memory}]";

/// A task that fills an m5.large.
const std::string kWhole = definitions("cpu: 2048, memory: 1000");

placement::Scenario load(const std::string& text) {
  static auto catalog = catalog::Catalog::load();  // scenarios view it
  MemoryFiles files;
  files.content["s.yaml"] = text;
  auto loaded = scenario::load_scenario({.scenario = "s.yaml"}, files, catalog);
  for (const auto& error : loaded.errors) FAIL_CHECK(error.line << ":" << error.column << " " << error.message);
  REQUIRE(loaded.scenario);
  return std::move(*loaded.scenario);
}

std::string task_name(const placement::Scenario& scenario, const Task& task) {
  return scenario.workloads[*task.workload].name + "#" + std::to_string(task.number);
}

/// "p 4", "s#1 a#1", "a#1", or nothing.
std::string subject(const placement::Scenario& scenario, const History& history, const Event& event) {
  const auto where = event.instance == kNoIndex ? "" : " " + history.instances[*event.instance].id;
  switch (event.kind) {
    case EventKind::kDesiredCapacitySet:
      return fmt::format(" {} {}", placement::named_subject(scenario.timetable.events[event.subject].event),
                         event.value);
    case EventKind::kScaleOut:
    case EventKind::kScaleIn:
      return fmt::format(" {} {}", scenario.timetable.groups[event.subject].capacity_provider, event.value);
    case EventKind::kInstanceLaunched:
    case EventKind::kInstanceActive:
    case EventKind::kInstanceDraining:
    case EventKind::kInstanceTerminated:
      return " " + history.instances[event.subject].id;
    case EventKind::kTaskPlaced:
      return " " + task_name(scenario, history.tasks[event.subject]) + where;
    case EventKind::kTaskWaiting:
    case EventKind::kTaskProvisioning:
    case EventKind::kTaskFailed:
    case EventKind::kTaskRunning:
    case EventKind::kTaskHealthy:
    case EventKind::kTaskStopping:
    case EventKind::kTaskStopped:
      return " " + task_name(scenario, history.tasks[event.subject]);
    default:
      return "";
  }
}

std::string log(const placement::Scenario& scenario, const History& history, const Shown& shown) {
  std::string words;
  for (const auto& event : history.events) {
    if (std::find(shown.begin(), shown.end(), event.kind) == shown.end()) continue;
    if (!words.empty()) words += ", ";
    words += fmt::format("{} {}{}", event.at, name_of(event.kind), subject(scenario, history, event));
    if (event.stop != StopCause::kNone) words += fmt::format(" {}", name_of(event.stop));
  }
  return words;
}

const Shown kStops = {EventKind::kTaskStopping};
const Shown kMoves = {EventKind::kTaskPlaced, EventKind::kTaskStopping, EventKind::kTaskStopped,
                      EventKind::kDeploymentCompleted, EventKind::kDeploymentStuck};
const Shown kScaling = {EventKind::kScaleOut, EventKind::kScaleIn, EventKind::kInstanceActive};

std::vector<TimeCase> scale_in() {
  const std::string fewer = "events: [{at: 10m, updateService: {service: s, desiredCount: 4}}]\n";
  return {
      // b and c hold two each; between them ECS may take either.
      {37,
       Kind::kStated,
       "DG/task-placement-strategies.html",
       cluster(instance("a", 100, zone("a")) + ", " + instance("b", 1000, zone("b")) + ", " +
               instance("c", 1000, zone("c"))) +
           definitions("memory: 100") + service(5) + fewer,
       {EventKind::kTaskPlaced, EventKind::kTaskStopping},
       "0 TASK_PLACED s#1 a#1, 0 TASK_PLACED s#2 b#1, 0 TASK_PLACED s#3 c#1, 0 TASK_PLACED s#4 b#1, "
       "0 TASK_PLACED s#5 c#1, 600 TASK_STOPPING s#5 scaledIn"},
      // After the stop 3000 MiB would be left on a#1, 1000 on b#1: a#1, although the task on b#1 came later.
      {43,
       Kind::kStated,
       "DG/task-placement-strategies.html",
       cluster(instance("a", 4000)) + definitions("memory: 1000") + service(2, kPack) +
           "events:\n  - {at: 1m, addInstances: " + instance("b", 1000) +
           "}\n  - {at: 2m, updateService: {service: s, desiredCount: 3}}\n"
           "  - {at: 10m, updateService: {service: s, desiredCount: 2}}\n",
       {EventKind::kTaskPlaced, EventKind::kTaskStopping},
       "0 TASK_PLACED s#1 a#1, 0 TASK_PLACED s#2 a#1, 120 TASK_PLACED s#3 b#1, 600 TASK_STOPPING s#2 scaledIn"},
  };
}

std::vector<TimeCase> deployments() {
  const auto host = cluster(instance("a", 1500));
  const auto port = definitions("memory: 100, portMappings: [{containerPort: 80, hostPort: 80}]");
  const auto large = definitions("memory: 1000");
  const auto small = definitions("memory: 100");
  const char* guide = "DG/deployment-type-ecs.html";
  const char* drain = "DG/container-instance-draining.html";
  const std::string drain_a = "events: [{at: 10m, drain: 'a#1'}]\n";
  const auto two = cluster(instance("a", 1500) + ", " + instance("b", 1500));
  return {
      {58, Kind::kStated, guide, host + small + service(2, percents(75, 100)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 0 TASK_PLACED s#2 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, "
       "600 SERVICE_DEPLOYMENT_STUCK"},
      {58, Kind::kDerived, guide, host + small + service(2, percents(50, 100)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 0 TASK_PLACED s#2 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, "
       "600 TASK_STOPPING s#2 replaced, 600 TASK_PLACED s#3 a#1, 630 TASK_STOPPED s#2 replaced, "
       "640 TASK_STOPPING s#1 replaced, 640 TASK_PLACED s#4 a#1, 670 TASK_STOPPED s#1 replaced, "
       "680 SERVICE_DEPLOYMENT_COMPLETED"},
      // Four start at once; each old one stops when a new one is healthy: never fewer than four.
      {59,
       Kind::kStated,
       guide,
       host + small + service(4, percents(100, 200)) + kDeploy,
       {EventKind::kTaskPlaced, EventKind::kTaskStopping},
       "0 TASK_PLACED s#1 a#1, 0 TASK_PLACED s#2 a#1, 0 TASK_PLACED s#3 a#1, 0 TASK_PLACED s#4 a#1, "
       "600 TASK_PLACED s#5 a#1, 600 TASK_PLACED s#6 a#1, 600 TASK_PLACED s#7 a#1, 600 TASK_PLACED s#8 a#1, "
       "640 TASK_STOPPING s#4 replaced, 640 TASK_STOPPING s#3 replaced, 640 TASK_STOPPING s#2 replaced, "
       "640 TASK_STOPPING s#1 replaced"},
      {61, Kind::kStated, drain, two + small + service(1, percents(100, 100)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, 600 SERVICE_DEPLOYMENT_STUCK"},
      {61, Kind::kStated, drain, two + small + service(1, percents(100, 100)) + drain_a, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED"},
      {61, Kind::kDerived, drain, two + small + service(1, percents(100, 200)) + drain_a, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, 600 TASK_PLACED s#2 b#1, "
       "640 TASK_STOPPING s#1 draining, 670 TASK_STOPPED s#1 draining"},
      {61, Kind::kStated, drain, two + small + run(1, kPack + ", duration: 1h") + drain_a, kMoves,
       "0 TASK_PLACED t#1 a#1, 3600 TASK_STOPPED t#1 ended"},
      {62, Kind::kObserved, "github.com/CircleCI-Archived/circle-ecs/issues/1",
       host + port + service(1, percents(100, 200)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, 600 SERVICE_DEPLOYMENT_STUCK"},
      {62, Kind::kObserved, "github.com/CircleCI-Archived/circle-ecs/issues/1; Shippable/support#2852",
       host + port + service(1, percents(0, 200)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, 600 TASK_STOPPING s#1 replaced, "
       "630 TASK_STOPPED s#1 replaced, 630 TASK_PLACED s#2 a#1, 670 SERVICE_DEPLOYMENT_COMPLETED"},
      {64,
       Kind::kDerived,
       "API_DeploymentCircuitBreaker.html: three failed tasks of one",
       host + small +
           service(1,
                   ", duration: 5s, deploymentConfiguration: {deploymentCircuitBreaker: {enable: true, "
                   "rollback: false}}"),
       {EventKind::kTaskPlaced, EventKind::kTaskStopped, EventKind::kDeploymentFailed},
       "0 TASK_PLACED s#1 a#1, 5 TASK_STOPPED s#1 ended, 15 TASK_PLACED s#2 a#1, 20 TASK_STOPPED s#2 ended, "
       "30 TASK_PLACED s#3 a#1, 35 TASK_STOPPED s#3 ended, 35 SERVICE_DEPLOYMENT_FAILED"},
      // Three tasks without a place are one try; the tries come at growing intervals.
      {64,
       Kind::kDerived,
       "DG/service-throttle-logic.html: a lack of resources lengthens the time between attempts",
       host + definitions("memory: 9000") +
           service(3, ", deploymentConfiguration: {deploymentCircuitBreaker: {enable: true, rollback: false}}") +
           "events: [{at: 10m, updateService: {service: s, desiredCount: 3}}]\n",
       {EventKind::kDeploymentFailed},
       "2520 SERVICE_DEPLOYMENT_FAILED"},
      {65, Kind::kObserved, "a public runbook", host + large + service(1, percents(100, 200)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, 600 SERVICE_DEPLOYMENT_STUCK"},
      {65, Kind::kObserved, "a public runbook", host + large + service(1, percents(0, 100)) + kDeploy, kMoves,
       "0 TASK_PLACED s#1 a#1, 40 SERVICE_DEPLOYMENT_COMPLETED, 600 TASK_STOPPING s#1 replaced, "
       "630 TASK_STOPPED s#1 replaced, 630 TASK_PLACED s#2 a#1, 670 SERVICE_DEPLOYMENT_COMPLETED"},
  };
}

std::vector<TimeCase> providers() {
  const std::string one = cluster(instance("a", 1500));
  const std::string of_p = "{instanceType: m5.large, capacityProviderName: p, count: ";
  const auto in_group = [&](int count) { return cluster(of_p + std::to_string(count) + "}"); };
  const std::string two = cluster(instance("a", 1000, ", capacityProviderName: p") + ", " +
                                  instance("b", 1000, ", capacityProviderName: q"));
  const char* guide = "DG/cluster-auto-scaling.html";
  return {
      {29,
       Kind::kObserved,
       "a public GPU serving guide: no error, PROVISIONING to the end",
       in_group(1) + definitions("memory: 1, resourceRequirements: [{type: GPU, value: '1'}]") + run(1, kOnP) +
           provider("minSize: 1, maxSize: 9"),
       {EventKind::kTaskProvisioning, EventKind::kScaleOut, EventKind::kTaskFailed},
       "0 TASK_PROVISIONING t#1, 1800 TASK_FAILED t#1 provisioningTimeout"},
      {67,
       Kind::kStated,
       "API_CapacityProviderStrategyItem.html",
       two + definitions("memory: 10") +
           run(10,
               ", duration: 1h, capacityProviderStrategy: [{capacityProvider: p, weight: 1}, {capacityProvider: q, "
               "weight: 1}]"),
       {EventKind::kTaskPlaced},
       "0 TASK_PLACED t#1 a#1, 0 TASK_PLACED t#2 b#1, 0 TASK_PLACED t#3 a#1, 0 TASK_PLACED t#4 b#1, "
       "0 TASK_PLACED t#5 a#1, 0 TASK_PLACED t#6 b#1, 0 TASK_PLACED t#7 a#1, 0 TASK_PLACED t#8 b#1, "
       "0 TASK_PLACED t#9 a#1, 0 TASK_PLACED t#10 b#1"},
      // One is needed, two start; the second goes after fifteen minutes without use.
      {70, Kind::kObserved, "CR 1716, CR 961", kWhole + run(1, kOnP) + provider("minSize: 0, maxSize: 9"), kScaling,
       "60 CAPACITY_PROVIDER_SCALE_OUT p 2, 240 INSTANCE_ACTIVE m5.large#1, 240 INSTANCE_ACTIVE m5.large#2, "
       "1080 CAPACITY_PROVIDER_SCALE_IN p 1"},
      // 100 % is above a target of 90, and nothing is needed: no oscillation between 0 and 2.
      {71, Kind::kObserved, "CR 653 (a fault of 2019)",
       one + kWhole + run(1, ", startAt: 2h, duration: 1m") +
           provider("minSize: 0, maxSize: 9", ", targetCapacity: 90"),
       kScaling, ""},
      {73,
       Kind::kDerived,
       "CR 689",
       in_group(3) + kWhole + run(4, kOnP) + provider("minSize: 3, maxSize: 9"),
       {EventKind::kScaleOut},
       "60 CAPACITY_PROVIDER_SCALE_OUT p 4"},
      // The guide of 2023 also says "100 minus the empty instances": 98. M / N it is.
      {74,
       Kind::kDerived,
       guide,
       in_group(10) + kWhole + run(8, kOnP) + provider("minSize: 0, maxSize: 10"),
       {EventKind::kScaleOut, EventKind::kScaleIn},
       "900 CAPACITY_PROVIDER_SCALE_IN p 8"},
      {76,
       Kind::kDerived,
       guide,
       in_group(3) + kWhole + run(4, kOnP) + provider("minSize: 3, maxSize: 90", ", minimumScalingStepSize: 3"),
       {EventKind::kScaleOut},
       "60 CAPACITY_PROVIDER_SCALE_OUT p 6"},
      {77,
       Kind::kDerived,
       guide,
       in_group(1) + kWhole + run(21, kOnP + ", duration: 10m") +
           provider("minSize: 1, maxSize: 90", ", maximumScalingStepSize: 10"),
       {EventKind::kScaleOut},
       "60 CAPACITY_PROVIDER_SCALE_OUT p 11, 360 CAPACITY_PROVIDER_SCALE_OUT p 21"},
      {79,
       Kind::kStated,
       "CR 76",
       cluster(instance("a", 500)) + definitions("memory: 100") + run(10, ", duration: 1h"),
       {EventKind::kTaskPlaced, EventKind::kTaskFailed},
       "0 TASK_PLACED t#1 a#1, 0 TASK_PLACED t#2 a#1, 0 TASK_PLACED t#3 a#1, 0 TASK_PLACED t#4 a#1, "
       "0 TASK_PLACED t#5 a#1, 0 TASK_FAILED t#6, 0 TASK_FAILED t#7, 0 TASK_FAILED t#8, 0 TASK_FAILED t#9, "
       "0 TASK_FAILED t#10"},
      {80,
       Kind::kObserved,
       "github.com/aws/aws-sdk-ruby/issues/3047; DG/service-quotas.html (500)",
       kWhole + run(501, kOnP + ", duration: 1h") + provider("minSize: 0, maxSize: 600"),
       {EventKind::kTaskFailed},
       "0 TASK_FAILED t#501 provisioningLimit"},
      {82,
       Kind::kStated,
       guide,
       in_group(1) + kWhole + service(2) + provider("minSize: 1, maxSize: 9"),
       {EventKind::kTaskPlaced, EventKind::kTaskWaiting, EventKind::kTaskProvisioning, EventKind::kScaleOut},
       "0 TASK_PLACED s#1 m5.large#1, 0 TASK_WAITING s#2"},
  };
}

/// Instances of m5.large, one task each: a group of 4 in zones a, a, b, b with bootTime 1m.
std::string resized(int desired, const std::string& members, const std::string& rest) {
  return "cluster: {containerInstances: [{instanceType: m5.large, count: 2, availabilityZone: us-east-1a, "
         "capacityProviderName: p}, {instanceType: m5.large, count: 2, availabilityZone: us-east-1b, "
         "capacityProviderName: p}]}\n" +
         kWhole +
         fmt::format(
             "capacityProviders: [{{name: p, {}autoScalingGroup: {{instanceTypes: [m5.large], minSize: 1, "
             "maxSize: 6, availabilityZones: [us-east-1a, us-east-1b], bootTime: 1m}}}}]\n"
             "events: [{{at: 10m, setDesiredCapacity: {{capacityProvider: p, desiredCapacity: {}}}}}]\n",
             members, desired) +
         rest;
}

std::vector<TimeCase> protected_tasks() {
  const char* guide = "DG/task-scale-in-protection.html";
  // Four tasks on one instance: scale-in stops the latest first.
  const std::string four = cluster(instance("a", 8000)) + definitions("memory: 100") + service(4);
  const std::string protect = "  - {at: 5m, updateTaskProtection: {tasks: 's#[34]', protectionEnabled: true, ";
  const std::string update = "  - {at: 10m, updateService: {service: s, ";
  return {
      {211, Kind::kStated, guide,
       four + "events:\n" + protect + "expiresInMinutes: 60}}\n" + update + "desiredCount: 2}}\n", kStops,
       "600 TASK_STOPPING s#2 scaledIn, 600 TASK_STOPPING s#1 scaledIn"},
      // More are protected than desired: the surplus stops when the protection expires, at 5m and 60m.
      {212, Kind::kStated, guide,
       four + "events:\n" + protect + "expiresInMinutes: 60}}\n" + update + "desiredCount: 1}}\n", kStops,
       "600 TASK_STOPPING s#2 scaledIn, 600 TASK_STOPPING s#1 scaledIn, 3900 TASK_STOPPING s#4 scaledIn"},
      {213, Kind::kStated, "API_UpdateTaskProtection (protectionEnabled false)",
       four + "events:\n" + protect + "expiresInMinutes: 60}}\n" + update + "desiredCount: 1}}\n" +
           "  - {at: 20m, updateTaskProtection: {tasks: '*', protectionEnabled: false}}\n",
       kStops, "600 TASK_STOPPING s#2 scaledIn, 600 TASK_STOPPING s#1 scaledIn, 1200 TASK_STOPPING s#4 scaledIn"},
      // A deployment is complete when the last old task has stopped: 3,900 s, and 30 seconds for it to stop.
      {214,
       Kind::kStated,
       guide,
       cluster(instance("a", 8000)) + definitions("memory: 100") + service(2) + "events:\n" +
           "  - {at: 5m, updateTaskProtection: {tasks: 's#1', protectionEnabled: true, expiresInMinutes: 60}}\n" +
           update + "taskDefinition: 't:2'}}\n",
       {EventKind::kTaskStopping, EventKind::kDeploymentCompleted},
       "40 SERVICE_DEPLOYMENT_COMPLETED, 640 TASK_STOPPING s#2 replaced, 3900 TASK_STOPPING s#1 replaced, "
       "3930 SERVICE_DEPLOYMENT_COMPLETED"},
      // While s#1 holds up the deployment, nothing can be protected, nor s#1 for longer.
      {216,
       Kind::kDerived,
       "DG/api_failures_messages.html (DEPLOYMENT_BLOCKED)",
       cluster(instance("a", 8000)) + definitions("memory: 100") + service(2) + "events:\n" +
           "  - {at: 5m, updateTaskProtection: {tasks: 's#1', protectionEnabled: true, expiresInMinutes: 60}}\n" +
           update + "taskDefinition: 't:2'}}\n" +
           "  - {at: 20m, updateTaskProtection: {tasks: '*', protectionEnabled: true}}\n",
       {EventKind::kTaskStopping, EventKind::kDeploymentCompleted, EventKind::kNothingNamed},
       "40 SERVICE_DEPLOYMENT_COMPLETED, 640 TASK_STOPPING s#2 replaced, 1200 NOTHING_NAMED, "
       "3900 TASK_STOPPING s#1 replaced, 3930 SERVICE_DEPLOYMENT_COMPLETED"},
      // Draining is neither: the task moves.
      {215, Kind::kDerived, "DG/container-instance-draining.html names no protection",
       cluster(instance("a", 8000) + ", " + instance("b", 8000)) + definitions("memory: 100") + service(2) +
           "events:\n" +
           "  - {at: 5m, updateTaskProtection: {tasks: '*', protectionEnabled: true}}\n  - {at: 10m, drain: 'a#1'}\n",
       kStops, "640 TASK_STOPPING s#1 draining"},
  };
}

std::vector<TimeCase> desired_capacities() {
  const char* set = "AutoScaling/API_SetDesiredCapacity.html, ec2-auto-scaling-termination-policies.html";
  const Shown shown = {EventKind::kDesiredCapacitySet, EventKind::kInstanceActive, EventKind::kInstanceDraining,
                       EventKind::kInstanceTerminated, EventKind::kTaskPlaced};
  const Shown instances = {EventKind::kDesiredCapacitySet, EventKind::kInstanceDraining,
                           EventKind::kInstanceTerminated};
  const std::string three = ", placementStrategy: [{type: spread, field: instanceId}]";
  return {
      // A task waits for the fifth instance, which the group launches in zone a, the first of equals.
      {201,
       Kind::kDerived,
       set,
       resized(5, "", service(5, three)),
       {EventKind::kDesiredCapacitySet, EventKind::kInstanceActive},
       "600 DESIRED_CAPACITY_SET p 5, 660 INSTANCE_ACTIVE m5.large#5"},
      // One of each zone goes: first a, then b has more. Without managed draining their tasks are lost at once.
      {202, Kind::kDerived, set, resized(2, "managedDraining: DISABLED, ", run(1, ", duration: 1h")), instances,
       "600 DESIRED_CAPACITY_SET p 2, 600 INSTANCE_TERMINATED m5.large#1, 600 INSTANCE_TERMINATED m5.large#3"},
      {203, Kind::kDerived, set, resized(2, "managedDraining: DISABLED, ", service(2, three)), shown,
       "0 TASK_PLACED s#1 m5.large#1, 0 TASK_PLACED s#2 m5.large#2, 600 DESIRED_CAPACITY_SET p 2, "
       "600 INSTANCE_TERMINATED m5.large#1, 600 INSTANCE_TERMINATED m5.large#3, 600 TASK_PLACED s#3 m5.large#4"},
      // With it, which is the default, the task moves first: healthy after 40 seconds; 30 seconds to stop.
      {204, Kind::kDerived, "DG/managed-instance-draining.html", resized(3, "", service(1)), shown,
       "0 TASK_PLACED s#1 m5.large#1, 600 DESIRED_CAPACITY_SET p 3, 600 INSTANCE_DRAINING m5.large#1, "
       "600 TASK_PLACED s#2 m5.large#3, 670 INSTANCE_TERMINATED m5.large#1"},
      // Protected instances stay although the desired capacity is lower, until their tasks end.
      {205, Kind::kDerived, "AutoScaling/ec2-auto-scaling-instance-protection.html",
       resized(1, "managedTerminationProtection: ENABLED, ",
               "tasks: [{taskDefinition: 't:1', count: 2, duration: 20m" + three +
                   "}, {taskDefinition: 't:1', duration: 1h" + three + "}]\n"),
       instances,
       "600 DESIRED_CAPACITY_SET p 1, 600 INSTANCE_TERMINATED m5.large#4, 1200 INSTANCE_TERMINATED m5.large#1, "
       "1200 INSTANCE_TERMINATED m5.large#2"},
  };
}

History simulated(const std::string& text) {
  return simulate(load(text));
}

}  // namespace

TEST_CASE("worked cases over time come out as published") {
  for (const auto& cases : {scale_in(), deployments(), providers(), desired_capacities(), protected_tasks()}) {
    for (const auto& each : cases) {
      INFO("case " << each.number << ", " << name_of(each.kind) << ": " << each.source << "\n" << each.scenario);
      const auto scenario = load(each.scenario);
      const auto history = simulate(scenario);
      CHECK(history.errors.empty());
      CHECK(log(scenario, history, each.shown) == each.expected);
    }
  }
}

TEST_CASE("a task with health checks is healthy when the slowest of its essential containers has passed") {
  // API_DeploymentConfiguration, minimumHealthyPercent; API_HealthCheck: interval is 30 seconds when absent.
  const auto completed = [](const std::string& health_check) {
    const auto scenario = load(cluster(instance("a", 1500)) + definitions("memory: 100" + health_check) + service(1) +
                               "events: [{at: 10m, updateService: {service: s, desiredCount: 1}}]\n");
    const bool is_reported = std::any_of(scenario.assumptions.begin(), scenario.assumptions.end(),
                                         [](const auto& one) { return one.id == "health-check-passes"; });
    return log(scenario, simulate(scenario), {EventKind::kDeploymentCompleted}) + (is_reported ? ", told" : "");
  };
  CHECK(completed("") == "40 SERVICE_DEPLOYMENT_COMPLETED");
  CHECK(completed(", healthCheck: {command: [CMD, x], interval: 75}") == "75 SERVICE_DEPLOYMENT_COMPLETED, told");
  CHECK(completed(", healthCheck: {command: [CMD, x], startPeriod: 90}") == "30 SERVICE_DEPLOYMENT_COMPLETED, told");
  CHECK(completed(", healthCheck: {command: [NONE], interval: 75}") == "40 SERVICE_DEPLOYMENT_COMPLETED");
  CHECK(completed(", healthCheck: {command: [CMD, x], interval: 75}}, {name: d, image: i, memory: 1, essential: false, "
                  "healthCheck: {command: [CMD, x], interval: 200}") == "75 SERVICE_DEPLOYMENT_COMPLETED, told");
}

TEST_CASE("worked cases 62 and 65 - what the service would say") {
  const auto reason = [](const std::string& container) {
    const auto scenario = load(cluster(instance("a", 1500)) + definitions(container) + service(1) + kDeploy);
    const auto history = simulate(scenario);
    REQUIRE(history.failures.size() == 1);
    return placement::failure_message(scenario, history.failures.front());
  };
  CHECK(reason("memory: 100, portMappings: [{containerPort: 80, hostPort: 80}]")
            .find("is already using a port required by your task") != std::string::npos);
  CHECK(reason("memory: 1000").find("has insufficient memory available") != std::string::npos);
}

TEST_CASE("worked case 64 - thresholds of the circuit breaker") {
  // API_DeploymentCircuitBreaker.html; the guide of 2023 had 10 in place of 3.
  const placement::CircuitBreaker breaker;
  CHECK(breaker.threshold(1) == 3);
  CHECK(breaker.threshold(25) == 13);
  CHECK(breaker.threshold(400) == 200);
  CHECK(breaker.threshold(800) == 200);
}

TEST_CASE("worked cases 70, 73 and 74 - the metric") {
  const auto first = [](const std::string& text) { return simulated(text).metrics.at(0); };
  const auto group = [](int count) {
    return cluster(fmt::format("{{instanceType: m5.large, capacityProviderName: p, count: {}}}", count));
  };
  const auto from_zero = first(kWhole + run(1, kOnP) + provider("minSize: 0, maxSize: 9"));
  CHECK(from_zero.running == 0);
  CHECK(from_zero.percent_millionths == 200'000'000);
  const auto four_of_three = first(group(3) + kWhole + run(4, kOnP) + provider("minSize: 3, maxSize: 9"));
  CHECK(four_of_three.needed == 4);
  CHECK(four_of_three.percent_millionths == 133'333'333);
  const auto eight_of_ten = first(group(10) + kWhole + run(8, kOnP) + provider("minSize: 0, maxSize: 10"));
  CHECK(eight_of_ten.percent_millionths == 80'000'000);
}

TEST_CASE("a rolling deployment at 100 and 200 percent never has fewer healthy tasks than desired") {
  // Room for six tasks: four stay healthy while two at a time are replaced.
  const auto history = simulated(cluster(instance("a", 600)) + definitions("memory: 100") + service(4) + kDeploy);
  REQUIRE(history.deployments.size() == 2);
  CHECK(history.deployments[1].state == Deployment::State::kCompleted);
  CHECK(history.deployments[1].ended_at == 600 + 40 + 30 + 40 + 30);  // the last old ones stop
  std::int64_t healthy = 0;
  for (const auto& event : history.events) {
    if (event.kind == EventKind::kTaskHealthy) ++healthy;
    if (event.kind == EventKind::kTaskStopping) --healthy;
    if (event.at >= 600) CHECK(healthy >= 4);
  }
  CHECK(healthy == 4);
}

TEST_CASE("a daemon leaves a draining instance last") {
  const auto scenario = load(cluster(instance("a", 1500) + ", " + instance("b", 1500)) + definitions("memory: 100") +
                             "services:\n  - {serviceName: d, taskDefinition: 't:1', schedulingStrategy: DAEMON}\n"
                             "  - {serviceName: s, taskDefinition: 't:1', desiredCount: 1}\n"
                             "events: [{at: 10m, drain: 'a#1'}]\n");
  // DG/container-instance-draining.html: the service's task is replaced, then nothing but the daemon is left.
  CHECK(log(scenario, simulate(scenario), {EventKind::kTaskPlaced, EventKind::kTaskStopping}) ==
        "0 TASK_PLACED d#1 a#1, 0 TASK_PLACED d#2 b#1, 0 TASK_PLACED s#1 a#1, 600 TASK_PLACED s#2 b#1, "
        "640 TASK_STOPPING s#1 draining, 670 TASK_STOPPING d#1 draining");
}

}  // namespace cases_test
