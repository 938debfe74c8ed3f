#include <map>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/engine/engine.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/load_scenario.hpp"

namespace worked_cases_test {

// Cases whose outcome is published, from the scenario as a user writes it to the answer. Each says where it comes from:
//   Stated    the source gives the outcome
//   Derived   the source gives the rule and the figures; the outcome is arithmetic
//   Observed  somebody saw it; it may be otherwise elsewhere
// DG = docs.aws.amazon.com/AmazonECS/latest/developerguide, API = docs.aws.amazon.com/AmazonECS/latest/APIReference,
// AG = github.com/aws/amazon-ecs-agent, CR = github.com/aws/containers-roadmap (issues or pull requests).
// Scale-in (37, 43), deployments (58 to 65) and scaling (29, 70 to 77, 80, 82) take time: timeline/cases_test.cpp.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;

namespace {

enum class Kind { kStated, kDerived, kObserved };

struct WorkedCase {
  int number = 0;
  Kind kind = Kind::kStated;
  const char* source = "";
  std::string instances;  ///< Items of containerInstances.
  std::string tasks;      ///< Task definitions, services and tasks.
  std::string placed;     ///< "t#1 a#1, t#2 a#1"; a number where the places do not matter.
  std::string reason;     ///< Of the first failure, empty = everything is placed.
};

std::string name_of(Kind kind) {
  return kind == Kind::kStated ? "Stated" : kind == Kind::kDerived ? "Derived" : "Observed";
}

/// A definition of one container.
std::string definition(const std::string& container, const std::string& more = "") {
  return "taskDefinitions: [{family: t, " + more + "containerDefinitions: [{name: c, image: i, " + container + "}]}]\n";
}
std::string run(int count, const std::string& more = "") {
  return fmt::format("tasks: [{{taskDefinition: t, count: {}{}}}]\n", count, more);
}
std::string gpus(int count) {
  return fmt::format("memory: 1, resourceRequirements: [{{type: GPU, value: '{}'}}]", count);
}
std::string member_of(const std::string& expression) {
  return ", placementConstraints: [{type: memberOf, expression: \"" + expression + "\"}]";
}
std::string instance(const std::string& type, int cpu, int memory, const std::string& more = "") {
  return fmt::format("{{instanceType: {}, registeredResources: {{CPU: {}, MEMORY: {}}}{}}}", type, cpu, memory, more);
}
std::string static_ports(int count) {
  std::string ports;
  for (int i = 0; i < count; ++i) ports += fmt::format("{{containerPort: {0}, hostPort: {0}}}, ", 10'000 + i);
  return "memory: 1, portMappings: [" + ports + "]";
}
std::string mps(int memory) {
  return fmt::format("{{type: GPU, sharingStrategy: {{nvidiaMps: {{memory: {}}}}}}}", memory);
}

const std::string kAwsvpc = "networkMode: awsvpc, ";
const std::string kPack = ", placementStrategy: [{type: binpack, field: memory}]";
const std::string kDistinct = ", placementConstraints: [{type: distinctInstance}]";
const std::string kSpreadZones = ", placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]";
const std::string kSmall = definition("memory: 1");
const std::string kNoMember = "MemberOf placement constraint unsatisfied.";
const std::string kNotDistinct = "DistinctInstance placement constraint unsatisfied.";

std::vector<WorkedCase> resources() {
  const auto tiny = instance("a", 1024, 1024);
  return {
      {1, Kind::kStated, "DG/memory-management.html", instance("m4.large", 2048, 7985),
       definition("memory: 8192") + run(1), "0", "RESOURCE:MEMORY"},
      {4, Kind::kStated, "DG/service-event-messages-list.html", tiny + ", " + tiny,
       definition("memory: 1000") + run(3, kPack), "t#1 a#1, t#2 a#2", "RESOURCE:MEMORY"},
      {5, Kind::kStated, "DG/service-event-messages-list.html", tiny + ", " + tiny,
       definition("cpu: 1000, memory: 1") + run(3, kPack), "t#1 a#1, t#2 a#2", "RESOURCE:CPU"},
      {8, Kind::kDerived, "API_ContainerDefinition.html (memoryReservation)", tiny,
       definition("memoryReservation: 128, memory: 300") + run(9), "8", "RESOURCE:MEMORY"},
      {10, Kind::kDerived, "API_Resource.html, AG agent/engine/host_resource_manager.go", tiny,
       "taskDefinitions:\n"
       "  - {family: t, containerDefinitions: [{name: c, image: i, memory: 1, portMappings: [{containerPort: 53, "
       "hostPort: 53, protocol: tcp}]}]}\n"
       "  - {family: u, containerDefinitions: [{name: c, image: i, memory: 1, portMappings: [{containerPort: 53, "
       "hostPort: 53, protocol: udp}]}]}\n"
       "tasks: [{taskDefinition: t, count: 1}, {taskDefinition: u, count: 1}]\n",
       "t#1 a#1, u#1 a#1", ""},
      {11, Kind::kObserved, "CR 331; DG/task_definition_parameters.html (100 reserved ports)", tiny,
       definition(static_ports(400)) + run(1), "0", "RESOURCE:PORTS"},
      {13, Kind::kDerived, "github.com/aws/amazon-ecs-cli/issues/178", "{instanceType: t2.micro}",
       definition("memory: 1024") + run(1), "0", "RESOURCE:MEMORY"},
  };
}

std::vector<WorkedCase> interfaces() {
  const auto awsvpc = definition("memory: 1", kAwsvpc);
  const auto gpu = definition(gpus(1), kAwsvpc);
  const char* limits = "DG/container-instance-eni.html, DG/eni-trunking-supported-instance-types.html";
  return {
      {14, Kind::kStated, limits, "{instanceType: c5.large}", awsvpc + run(3), "2", "RESOURCE:ENI"},
      {16, Kind::kDerived, limits, "{instanceType: p3.16xlarge}", gpu + run(8), "7", "RESOURCE:ENI"},
      {16, Kind::kDerived, limits, "{instanceType: p3.16xlarge, awsvpcTrunking: true}", gpu + run(9), "8",
       "RESOURCE:GPU"},
      {17, Kind::kDerived, limits, "{instanceType: g5.48xlarge}", gpu + run(8), "6", "RESOURCE:ENI"},
      {19, Kind::kDerived, limits, "{instanceType: t3a.small}", awsvpc + run(2), "1", "RESOURCE:ENI"},
      {19, Kind::kDerived, limits, "{instanceType: t3.small, awsvpcTrunking: true}", awsvpc + run(3), "2",
       "RESOURCE:ENI"},
      {20, Kind::kStated, "DG/api_failures_messages.html", "{instanceType: c5.large, availabilityZone: us-east-1b}",
       awsvpc + "subnets: {subnet-a: us-east-1a}\n" +
           run(1, ", networkConfiguration: {awsvpcConfiguration: {subnets: [subnet-a]}}"),
       "0", "LOCATION"},
      {22, Kind::kObserved, "AG 1395, AG 4159",
       instance("a", 1024, 1024, ", attributes: {com.amazonaws.ecs.capability.logging-driver.json-file: ''}"),
       definition("memory: 1, logConfiguration: {logDriver: journald}") + run(1), "0", "ATTRIBUTE"},
  };
}

std::vector<WorkedCase> gpu_cases() {
  const std::string sharing =
      "{instanceType: g5.xlarge, gpuSharing: true, gpuMemory: 22563, registeredResources: {GPU: 2}}";
  const auto two = [](const std::string& first, const std::string& second) {
    return "taskDefinitions: [{family: t, containerDefinitions: [{name: c, image: i, memory: 1, resourceRequirements: "
           "[" +
           first + "]}, {name: d, image: i, memory: 1, resourceRequirements: [" + second + "]}]}]\n";
  };
  const std::string one = "{type: GPU, value: '1'}";
  const char* guide = "DG/ecs-gpu.html";
  const char* shares = "API_NvidiaMpsAllocation.html; AG 5061 (22563 MiB)";
  return {
      {23, Kind::kDerived, guide, "{instanceType: p3.16xlarge}", definition(gpus(2)) + run(5), "4", "RESOURCE:GPU"},
      {25, Kind::kStated, guide, "{instanceType: p3.8xlarge}, {instanceType: p3.16xlarge}",
       definition(gpus(10)) + run(1), "0", "RESOURCE:GPU"},
      {26, Kind::kDerived, guide, "{instanceType: g4dn.12xlarge}", two(one, "{type: GPU, value: '2'}") + run(2), "1",
       "RESOURCE:GPU"},
      {28, Kind::kObserved, "AG 4786", "{instanceType: g6f.xlarge, registeredResources: {GPU: 0}}",
       definition(gpus(1)) + run(1), "0", "RESOURCE:GPU"},
      {31, Kind::kDerived, shares, sharing, definition("memory: 1, resourceRequirements: [" + mps(8000) + "]") + run(5),
       "4", "RESOURCE:GPU"},
      {32, Kind::kDerived, shares, sharing, two(mps(12000), mps(12000)) + run(1), "0", "RESOURCE:GPU"},
      {34, Kind::kStated, "AG 1928", "{instanceType: p3.2xlarge}", two(one, one) + run(1), "0", "RESOURCE:GPU"},
  };
}

std::vector<WorkedCase> strategies() {
  const std::string zones = instance("a", 1024, 1024, ", availabilityZone: us-east-1a") + ", " +
                            instance("b", 1024, 1024, ", availabilityZone: us-east-1b") + ", " +
                            instance("c", 1024, 1024, ", availabilityZone: us-east-1c");
  const std::string full_zone = instance("a", 1024, 1024, ", availabilityZone: us-east-1a") + ", " +
                                instance("b", 1024, 100, ", availabilityZone: us-east-1b");
  const std::string in_order_of_size =
      "taskDefinitions:\n"
      "  - {family: s, containerDefinitions: [{name: c, image: i, memory: 128}]}\n"
      "  - {family: m, containerDefinitions: [{name: c, image: i, memory: 512}]}\n"
      "  - {family: l, containerDefinitions: [{name: c, image: i, memory: 768}]}\n"
      "  - {family: x, containerDefinitions: [{name: c, image: i, memory: 2048}]}\n"
      "  - {family: z, containerDefinitions: [{name: c, image: i, memory: 7000}]}\n"
      "tasks: [{taskDefinition: s, count: 2" +
      kPack + "}, {taskDefinition: m, count: 1" + kPack + "}, {taskDefinition: l, count: 4" + kPack +
      "}, {taskDefinition: x, count: 1" + kPack + "}, {taskDefinition: z, count: 2" + kPack + "}]\n";
  const auto m5 = instance("m5.large", 2048, 7680);
  return {
      {35, Kind::kStated, "API_PlacementStrategy.html",
       instance("a", 1024, 4000) + ", " + instance("b", 1024, 1500) + ", " + instance("c", 1024, 900),
       definition("memory: 1000") + run(1, kPack), "t#1 b#1", ""},
      {38, Kind::kStated, "oneuptime.com/blog/post/2026-02-12-configure-ecs-task-placement-strategies", zones,
       kSmall + run(6, kSpreadZones), "t#1 a#1, t#2 b#1, t#3 c#1, t#4 a#1, t#5 b#1, t#6 c#1", ""},
      {40, Kind::kStated, "DG/task-placement-strategies.html", full_zone,
       definition("memory: 100") + run(4, kSpreadZones), "t#1 a#1, t#2 b#1, t#3 a#1, t#4 a#1", ""},
      // Default placement took four to six (Observed); bin packing needs three.
      {44, Kind::kDerived, "CR 105", m5 + ", " + m5 + ", " + m5, in_order_of_size + "settings: {order: largestFirst}\n",
       "10", ""},
  };
}

std::vector<WorkedCase> constraints() {
  const auto a = instance("a", 1024, 1024);
  const auto agents = instance("a", 1024, 1024, ", agentVersion: 1.9.0") + ", " +
                      instance("b", 1024, 1024, ", agentVersion: 1.14.5") + ", " +
                      instance("c", 1024, 1024, ", agentVersion: 1.14.10");
  const auto distinct_member = [](const std::string& expression) {
    return ", placementConstraints: [{type: distinctInstance}, {type: memberOf, expression: \"" + expression + "\"}]";
  };
  const std::string zones = instance("a", 1024, 1024, ", availabilityZone: us-east-1c") + ", " +
                            instance("b", 1024, 1024, ", availabilityZone: us-east-1b");
  const std::string dates = instance("a", 1024, 1024, ", registeredAt: 2018-02-14T00:00:00Z") + ", " +
                            instance("b", 1024, 1024, ", registeredAt: 2018-02-12T23:59:59Z");
  const std::string ids =
      "{instanceType: a, ec2InstanceId: i-00000000, registeredResources: {CPU: 1, MEMORY: 9}}, "
      "{instanceType: a, ec2InstanceId: i-abcd1234, registeredResources: {CPU: 1, MEMORY: 9}}";
  const char* language = "DG/cluster-query-language.html";
  return {
      {46, Kind::kObserved, "CR 1201", a + ", " + a,
       kSmall + "services: [{serviceName: s, taskDefinition: t, desiredCount: 3" + kDistinct + "}]\n",
       "s#1 a#1, s#2 a#2", kNotDistinct},
      {47, Kind::kStated, "CR 1103, github.com/dethmix/self-healing-zookeeper/issues/3", a,
       kSmall + "services:\n  - {serviceName: s, taskDefinition: t, desiredCount: 1" + kDistinct +
           "}\n  - {serviceName: u, taskDefinition: t, desiredCount: 1" + kDistinct +
           "}\n  - {serviceName: v, taskDefinition: t, desiredCount: 1" + kDistinct + "}\n",
       "s#1 a#1, u#1 a#1, v#1 a#1", ""},
      {50, Kind::kObserved, "CR 486", a, kSmall + run(1, member_of("attribute:retiring != true")), "0", kNoMember},
      {52, Kind::kStated, language, agents, kSmall + run(3, distinct_member("agentVersion < 1.14.5")), "t#1 a#1",
       kNotDistinct},
      {53, Kind::kStated, language, dates, kSmall + run(1, member_of("registeredAt < 2018-02-13")), "t#1 b#1", ""},
      {53, Kind::kStated, language, a + ", " + a,
       kSmall + "tasks: [{taskDefinition: t, count: 1" + kPack + "}, {taskDefinition: t, count: 1" +
           member_of("runningTasksCount == 1") + "}]\n",
       "t#1 a#1, t#2 a#1", ""},
      {53, Kind::kStated, language, zones,
       kSmall + run(1, member_of("attribute:ecs.availability-zone in [us-east-1a, us-east-1b]")), "t#1 b#1", ""},
      {53, Kind::kStated, language, ids, kSmall + run(1, member_of("ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']")),
       "t#1 i-abcd1234", ""},
      {55, Kind::kStated, "DG/task-groups.html", a, kSmall + run(1, member_of("task:group == databases")), "0",
       kNoMember},
  };
}

std::vector<WorkedCase> capacity_providers() {
  const std::string two = instance("a", 1024, 1024, ", capacityProviderName: p") + ", " +
                          instance("b", 1024, 1024, ", capacityProviderName: q");
  const auto strategy = [](const std::string& items) { return ", capacityProviderStrategy: [" + items + "]"; };
  const char* page = "API_CapacityProviderStrategyItem.html";
  return {
      {67, Kind::kStated, page, two,
       kSmall + run(10, strategy("{capacityProvider: p, weight: 1}, {capacityProvider: q, weight: 1}")),
       "t#1 a#1, t#2 b#1, t#3 a#1, t#4 b#1, t#5 a#1, t#6 b#1, t#7 a#1, t#8 b#1, t#9 a#1, t#10 b#1", ""},
      // Base first; then, of every five, four on q for one on p.
      {67, Kind::kDerived, page, two,
       kSmall + run(7, strategy("{capacityProvider: p, base: 2, weight: 1}, {capacityProvider: q, weight: 4}")),
       "t#1 a#1, t#2 a#1, t#3 b#1, t#4 b#1, t#5 b#1, t#6 a#1, t#7 b#1", ""},
      {79, Kind::kStated, "CR 76", instance("a", 1024, 500), definition("memory: 100") + run(10), "5",
       "RESOURCE:MEMORY"},
  };
}

std::string placed_words(const Scenario& scenario, const Outcome& outcome) {
  std::string words;
  for (const auto& placement : outcome.placements) {
    if (!words.empty()) words += ", ";
    words += task_id(scenario, placement.attempt) + " " + scenario.instances[placement.instance].id;
  }
  return words;
}

LoadedScenario load(const std::string& scenario, catalog::Catalog& catalog) {
  MemoryFiles files;
  files.content["s.yaml"] = scenario;
  return load_scenario({.scenario = "s.yaml"}, files, catalog);
}

std::string scenario_text(const WorkedCase& each) {
  return "cluster: {containerInstances: [" + each.instances + "]}\n" + each.tasks;
}

}  // namespace

TEST_CASE("worked cases come out as published") {
  auto catalog = catalog::Catalog::load();
  for (const auto& cases :
       {resources(), interfaces(), gpu_cases(), strategies(), constraints(), capacity_providers()}) {
    for (const auto& each : cases) {
      INFO("case " << each.number << ", " << name_of(each.kind) << ": " << each.source);
      const auto loaded = load(scenario_text(each), catalog);
      for (const auto& error : loaded.errors) FAIL_CHECK(error.line << ":" << error.column << " " << error.message);
      if (!loaded.scenario) continue;
      const auto& scenario = *loaded.scenario;
      const auto outcome = place(scenario);
      const bool by_count = each.placed.find('#') == std::string::npos;
      CHECK((by_count ? std::to_string(outcome.placements.size()) : placed_words(scenario, outcome)) == each.placed);
      const auto reason =
          outcome.failures.empty() ? "" : failure_reason(scenario, explained(outcome, outcome.failures.front()));
      CHECK(reason == each.reason);
      CHECK(verify(scenario, outcome) == std::vector<std::string>{});
    }
  }
}

TEST_CASE("worked case 2 - ECS_RESERVED_MEMORY comes off what is registered") {
  auto catalog = catalog::Catalog::load();
  const auto memory = [&](const std::string& more) {
    const auto loaded =
        load("cluster: {containerInstances: [{instanceType: m4.large" + more + "}]}\n" + kSmall + run(1), catalog);
    REQUIRE(loaded.scenario);
    return loaded.scenario->profiles[0].memory;
  };
  CHECK(memory("") - memory(", reservedMemory: 256") == 256);  // 7985 and 7729 in DG/memory-management.html
}

TEST_CASE("worked case 7 - what remains is what is registered less what is reserved") {
  auto catalog = catalog::Catalog::load();  // botocore ecs examples-1.json, describe-container-instances
  const auto loaded = load(
      "cluster: {containerInstances: [{instanceType: t2.medium, registeredResources: {CPU: 2048, MEMORY: 3768}, "
      "reservedPorts: [22, 2375, 2376, 51678]}]}\n" +
          definition("cpu: 100, memory: 100, portMappings: [{containerPort: 80, hostPort: 80}]") + run(1),
      catalog);
  REQUIRE(loaded.scenario);
  const auto outcome = place(*loaded.scenario);
  CHECK(outcome.instances[0].cpu == 1948);
  CHECK(outcome.instances[0].memory == 3668);
  CHECK(outcome.instances[0].tcp_ports == std::vector<std::uint16_t>{22, 80, 2375, 2376, 51678});
}

TEST_CASE("worked case 41 - the first task of a new revision goes to the zone without one") {
  // Observed (AG 685). Where the second goes is a tie by the rule; only the first is asserted.
  auto given = build::scenario_with(
      {build::instance("a", 100, 100, {}, "A"), build::instance("b", 100, 100, {}, "B"),
       build::instance("c", 100, 100, {}, "C")},
      {build::service("s", build::needs(1, 1), 2, {build::spread("attribute:ecs.availability-zone")})});
  given.in_use.resize(3);
  given.in_use[0].tasks = given.in_use[1].tasks = 1;
  given.running = {{"old1", 0, "service:s", "s:1", false, {}}, {"old2", 1, "service:s", "s:1", false, {}}};
  CHECK(place(given).placements[0].instance == 2);
}

TEST_CASE("worked case 46 - the event of a service whose tasks must stand apart") {
  auto catalog = catalog::Catalog::load();  // Observed (CR 1201)
  const auto loaded = load("cluster: {containerInstances: [" + instance("a", 1024, 1024) + "]}\n" + kSmall +
                               "services: [{serviceName: s, taskDefinition: t, desiredCount: 2" + kDistinct + "}]\n",
                           catalog);
  REQUIRE(loaded.scenario);
  const auto outcome = place(*loaded.scenario);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(failure_message(*loaded.scenario, outcome.failures[0]).find("encountered error \"" + kNotDistinct + "\".") !=
        std::string::npos);
}

TEST_CASE("worked case 49 - every instance says why") {
  auto catalog = catalog::Catalog::load();  // Stated (AG pull request 3044)
  const std::string os = ", attributes: {ecs.os-family: LINUX}";
  const std::string both =
      ", placementConstraints: [{type: memberOf, expression: \"attribute:ecs.os-type == linux\"}, {type: memberOf, "
      "expression: \"attribute:ecs.os-family == WINDOWS_SERVER_2019_FULL\"}]";
  const auto loaded =
      load("cluster: {containerInstances: [" + instance("a", 1024, 1024, os) + ", " +
               instance("b", 1024, 1024, os + ", agentConnected: false") + "]}\n" + kSmall + run(1, both),
           catalog);
  REQUIRE(loaded.scenario);
  const auto outcome = place(*loaded.scenario);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(api_failures(*loaded.scenario, outcome.failures[0]) == std::vector<ApiFailure>{{0, kNoMember}, {1, "AGENT"}});
}

TEST_CASE("worked cases 56 and 68 - calls that ECS refuses are not simulated") {
  auto catalog = catalog::Catalog::load();
  const auto refusal = [&](const std::string& tasks) {
    const auto loaded =
        load("cluster: {containerInstances: [" + instance("a", 1024, 1024, ", capacityProviderName: p") + ", " +
                 instance("b", 1024, 1024, ", capacityProviderName: q") + "]}\n" + kSmall + tasks,
             catalog);
    REQUIRE(loaded.errors.size() == 1);
    return loaded.errors[0].message;
  };
  // Observed: github.com/hashicorp/terraform/issues/11471
  CHECK(refusal(run(1, ", placementConstraints: [{type: distinctInstance, expression: ''}]")) ==
        "distinctInstance does not support an expression (BAY1106)");
  // Stated: API_CapacityProviderStrategyItem.html (weight)
  CHECK(refusal(run(1, ", capacityProviderStrategy: [{capacityProvider: p, weight: 0}, {capacityProvider: q}]")) ==
        "none of the 2 capacity providers has a weight above 0 (BAY1114)");
  // Observed: CR 692
  CHECK(refusal("services: [{serviceName: d, taskDefinition: t, schedulingStrategy: DAEMON, "
                "capacityProviderStrategy: [{capacityProvider: p, weight: 1}]}]\n") ==
        "a DAEMON service does not support a capacity provider strategy");
}

TEST_CASE("a service that runs already counts its tasks toward base and weights") {
  auto p = build::instance("a", 1000, 1000);
  p.capacity_provider_name = "p";
  auto q = build::instance("b", 1000, 1000);
  q.capacity_provider_name = "q";
  auto service = build::service("s", build::needs(1, 1), 3);
  service.capacity_providers = {{"p", 1, 1}, {"q", 0, 1}};
  auto given = build::scenario_with({p, q}, {service});
  CHECK(placed_words(given, place(given)) == "s#1 a#1, s#2 a#1, s#3 b#1");
  given.in_use.resize(2);
  given.in_use[0].tasks = 3;
  given.running.assign(3, {"r", 0, "service:s", "s:1", false, {}});
  CHECK(placed_words(given, place(given)) == "s#1 b#1, s#2 b#1, s#3 a#1");
}

}  // namespace worked_cases_test
