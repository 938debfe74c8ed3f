#include "scenario/load_scenario.hpp"

#include "placement/engine/not_placeable.hpp"
#include "scenario/loaded.hpp"
#include "support/in_sources.hpp"

namespace load_scenario_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using test::load_texts;
using test::Loaded;
using test::placed_message;
using test::scenario_of;

namespace {

constexpr std::string_view kTrain = R"({"family": "train", "containerDefinitions": [
  {"name": "trainer", "image": "t:1", "cpu": 1024, "memory": 4000, "resourceRequirements": [{"type": "GPU", "value": "1"}]},
  {"name": "log", "image": "l:1", "memoryReservation": 100, "memory": 500}]})";
constexpr std::string_view kWeb = R"({"family": "web", "networkMode": "awsvpc", "containerDefinitions": [
  {"name": "nginx", "image": "n:1", "memory": 512, "portMappings": [{"containerPort": 80}]}],
  "placementConstraints": [{"type": "memberOf", "expression": "attribute:stack exists"}]})";

std::unique_ptr<Loaded> load(const ScenarioRequest& request, std::map<std::string, std::string> files = {}) {
  files.emplace("defs/train.json", kTrain);
  files.emplace("defs/web.json", kWeb);
  return load_texts(request, std::move(files));
}

std::unique_ptr<Loaded> load_yaml(const std::string& scenario) {
  return load({.scenario = "s.yaml"}, {{"s.yaml", scenario}});
}

/// "file:line:column: message (help)"
std::vector<std::string> printed(const std::vector<Error>& errors) {
  std::vector<std::string> lines;
  for (const auto& error : errors) lines.push_back(error.file + ":" + placed_message(error));
  return lines;
}

const std::string kCluster =
    "cluster:\n"
    "  containerInstances:\n"
    "    - {instanceType: p3.2xlarge, availabilityZone: us-east-1a}\n"
    "taskDefinitions: [defs/*.json]\n";

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("scenario expands instances in file order and counts them per type") {
  const auto loaded = load_yaml(
      "region: us-east-2\n"
      "cluster:\n"
      "  clusterName: test\n"
      "  containerInstances:\n"
      "    - {instanceType: c5.2xlarge, count: 3, availabilityZones: [us-east-2a, us-east-2b]}\n"
      "    - {instanceType: p3.2xlarge, availabilityZone: us-east-2a, ec2InstanceId: i-1}\n"
      "    - {instanceType: c5.2xlarge, count: 1}\n"
      "taskDefinitions: [defs/train.json]\n"
      "tasks: [{taskDefinition: train}]\n");
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.cluster_name == "test");
  std::vector<std::string> placed;
  for (const auto& instance : scenario.instances) {
    placed.push_back(instance.id + "@" + scenario.profiles[instance.profile].availability_zone);
  }
  CHECK(placed == std::vector<std::string>{"c5.2xlarge#1@us-east-2a", "c5.2xlarge#2@us-east-2b",
                                           "c5.2xlarge#3@us-east-2a", "i-1@us-east-2a", "c5.2xlarge#4@"});
}

TEST_CASE("scenario gives instances what the catalog says of their type") {
  const auto loaded = load_yaml(kCluster + "tasks: [{taskDefinition: train}]\n");
  const auto& profile = scenario_of(*loaded).profiles.at(0);
  CHECK(profile.cpu == 8192);
  CHECK(profile.memory == loaded->catalog.find("p3.2xlarge")->registered_memory);
  CHECK(profile.gpu_count == 1);
  CHECK(profile.network_interfaces == 3);
  CHECK(profile.reserved_tcp_ports == std::vector<std::uint16_t>{22, 2375, 2376, 51678, 51679});
  CHECK(profile.has_all_capabilities);
  CHECK_FALSE(profile.gpu_sharing);
  CHECK(profile.hourly_price == loaded->catalog.find("p3.2xlarge")->prices.in("us-east-1")->hourly);
  CHECK(profile.attributes == std::map<std::string, std::string, std::less<>>{{"ecs.availability-zone", "us-east-1a"},
                                                                              {"ecs.cpu-architecture", "x86_64"},
                                                                              {"ecs.instance-type", "p3.2xlarge"},
                                                                              {"ecs.os-family", "LINUX"},
                                                                              {"ecs.os-type", "linux"}});
}

TEST_CASE("scenario lets what is stated override the catalog") {
  const auto loaded = load_yaml(
      "cluster:\n"
      "  containerInstances:\n"
      "    - {instanceType: p3.2xlarge, reservedMemory: 256}\n"
      "    - {instanceType: p3.2xlarge, attributes: {stack: gpu, tier: 2, bare: null}, capacityProviderName: gpu,\n"
      "       awsvpcTrunking: true, gpuSharing: true, status: DRAINING, agentConnected: false, agentVersion: 1.90.0,\n"
      "       registeredAt: 2026-11-01T00:00:00Z, subnetId: subnet-1, gpuMemory: 15GiB, reservedPorts: [80, 22, 80],\n"
      "       reservedUdpPorts: [53], registeredResources: {CPU: 100, MEMORY: 61000, GPU: 4}}\n"
      "    - {instanceType: rack, registeredResources: {CPU: 2048, MEMORY: 4000}, attributes: [{name: "
      "ecs.capability.task-eni}]}\n"
      "taskDefinitions: [defs/train.json]\n"
      "subnets: {subnet-1: us-east-1c}\n"
      "tasks: [{taskDefinition: train}]\n");
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.profiles[0].memory == loaded->catalog.find("p3.2xlarge")->registered_memory - 256);
  const auto& profile = scenario.profiles[1];
  CHECK(profile.attributes.at("stack") == "gpu");
  CHECK(profile.attributes.at("tier") == "2");
  CHECK(profile.attributes.at("bare") == "");
  CHECK(profile.attributes.contains("ecs.capability.gpu-sharing-mps"));
  CHECK(profile.capacity_provider_name == "gpu");
  CHECK(profile.network_interfaces == 40);
  CHECK(name_of(profile.status) == "DRAINING");
  CHECK_FALSE(profile.agent_connected);
  CHECK(profile.agent_version == "1.90.0");
  CHECK(profile.registered_at == 1793491200);
  CHECK(profile.availability_zone == "us-east-1c");
  CHECK(profile.gpu_memory == 15360);
  CHECK_FALSE(profile.gpu_memory_estimated);
  CHECK(profile.reserved_tcp_ports == std::vector<std::uint16_t>{22, 80});
  CHECK(profile.reserved_udp_ports == std::vector<std::uint16_t>{53});
  CHECK(profile.cpu == 100);
  CHECK(profile.memory == 61000);
  CHECK(profile.gpu_count == 4);
  CHECK(scenario.profiles[2].type == nullptr);
  CHECK_FALSE(scenario.profiles[2].has_all_capabilities);
  CHECK(scenario.instances[2].id == "rack#1");
}

TEST_CASE("scenario takes own instance types beside the catalog") {
  const auto loaded = load_yaml(
      "instanceTypes:\n"
      "  - {instanceType: rack-a, registeredResources: {CPU: 98304, MEMORY: 393216, GPU: 8}, gpuMemory: 16384,\n"
      "     maxNetworkInterfaces: 15, hourlyPrice: 1.5}\n"
      "cluster: {containerInstances: [{instanceType: rack-a}]}\n"
      "taskDefinitions: [defs/train.json]\n"
      "tasks: [{taskDefinition: train}]\n");
  const auto& profile = scenario_of(*loaded).profiles.at(0);
  CHECK(profile.cpu == 98304);
  CHECK(profile.memory == 393216);
  CHECK(profile.gpu_count == 8);
  CHECK(profile.gpu_memory == 16384);
  CHECK(profile.network_interfaces == 14);
  CHECK(profile.hourly_price == 1'500'000);
}

TEST_CASE("scenario orders daemons, services and tasks and resolves what they name") {
  const auto loaded = load_yaml(
      kCluster +
      "services:\n"
      "  - {serviceName: site, taskDefinition: web, desiredCount: 3,\n"
      "     placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}, {type: binpack, field: "
      "memory}],\n"
      "     placementConstraints: [{type: distinctInstance}]}\n"
      "  - {serviceName: agent, taskDefinition: 'train:1', schedulingStrategy: DAEMON}\n"
      "tasks:\n"
      "  - {taskDefinition: train, count: 20, group: training, allOrNothing: true, startAt: 0s}\n"
      "  - {taskDefinition: train, overrides: {cpu: '512', containerOverrides: [{name: trainer, memory: 200}]}}\n");
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.workloads.size() == 4);
  const auto& [agent, site, training, plain] =
      std::tie(scenario.workloads[0], scenario.workloads[1], scenario.workloads[2], scenario.workloads[3]);
  CHECK(agent.name == "agent");
  CHECK((agent.kind == WorkloadKind::kDaemon));
  CHECK(scenario.task_definitions[agent.task_definition].name == "train:1");
  CHECK(site.group == "service:site");
  CHECK(site.count == 3);
  CHECK(site.strategies == std::vector<Strategy>{{StrategyType::kSpread, "attribute:ecs.availability-zone"},
                                                 {StrategyType::kBinpack, "memory"}});
  REQUIRE(site.constraints.size() == 2);
  CHECK(site.constraints[0].source == "attribute:stack exists");
  CHECK((site.constraints[1].type == ConstraintType::kDistinctInstance));
  CHECK(training.group == "training");
  CHECK(training.count == 20);
  CHECK(training.all_or_nothing);
  CHECK(training.requirement.memory == 4100);
  CHECK(plain.group == "family:train");
  CHECK(plain.count == 1);
  CHECK(plain.requirement.cpu == 512);
  CHECK(plain.requirement.memory == 300);
  CHECK(plain.requirement.gpu_count == 1);
  CHECK(scenario.not_simulated.empty());
  CHECK_FALSE(scenario.timetable.has_time);  // startAt: 0s is where all scenarios begin
}

TEST_CASE("scenario keeps run-task requests that differ in their count alone as calls of one workload") {
  const auto loaded = load_yaml(kCluster +
                                "services: [{serviceName: api, taskDefinition: train, desiredCount: 1}]\n"
                                "tasks:\n"
                                "  - {taskDefinition: train, count: 2}\n"
                                "  - {taskDefinition: train, group: batch}\n"
                                "  - {count: 3, taskDefinition: \"train\"}\n");
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.workloads.size() == 3);
  CHECK(scenario.workloads[1].count == 5);
  CHECK(scenario.workloads[2].group == "batch");
  REQUIRE(scenario.calls.size() == 3);
  CHECK(scenario.calls[0].count == 2);
  CHECK(scenario.calls[1].workload == 2);
  CHECK(scenario.calls[2].workload == 1);
  CHECK(scenario.calls[2].count == 3);
}

TEST_CASE("scenario derives the zones of an awsvpc task from its subnets") {
  const auto zones = [](const std::string& network) {
    const auto loaded = load_yaml(kCluster +
                                  "subnets: {subnet-a: us-east-1a, subnet-b: us-east-1b}\n"
                                  "tasks: [{taskDefinition: web" +
                                  network + "}]\n");
    return scenario_of(*loaded).workloads.at(0).availability_zones;
  };
  const auto in = [](const std::string& subnets) {
    return ", networkConfiguration: {awsvpcConfiguration: {subnets: [" + subnets + "]}}";
  };
  using Zones = std::optional<std::vector<std::string>>;
  CHECK(zones(in("subnet-b, subnet-a")) == Zones{{"us-east-1a", "us-east-1b"}});
  CHECK(zones(in("subnet-b")) == Zones{{"us-east-1b"}});
  CHECK(zones(in("subnet-b, subnet-x")) == Zones{});
  CHECK(zones("") == Zones{});
}

TEST_CASE("scenario states the free addresses of a subnet") {
  const auto loaded = load_yaml(kCluster +
                                "subnets:\n"
                                "  subnet-a: us-east-1a\n"
                                "  subnet-b: {availabilityZone: us-east-1b, availableIpAddressCount: 3}\n"
                                "tasks: [{taskDefinition: web, networkConfiguration: {awsvpcConfiguration: {subnets: "
                                "[subnet-b, subnet-x]}}}]\n");
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.subnets.at("subnet-a").available_addresses == std::nullopt);
  CHECK(scenario.subnets.at("subnet-b").availability_zone == "us-east-1b");
  CHECK(scenario.subnets.at("subnet-b").available_addresses == 3);
  CHECK(scenario.workloads.at(0).subnets == std::vector<std::string>{"subnet-b", "subnet-x"});
}

TEST_CASE("scenario counts revisions per family and finds the newest") {
  const std::string base = R"("containerDefinitions": [{"name": "a", "image": "a", "memory": )";
  const auto loaded =
      load({.scenario = "s.yaml"},
           {{"s.yaml", kCluster + "tasks: [{taskDefinition: app}, {taskDefinition: 'app:1'},\n"
                                  "  {taskDefinition: 'arn:aws:ecs:us-east-1:123456789012:task-definition/app:2'}]\n"},
            {"defs/a.json", R"({"family": "app", )" + base + "10}]}"},
            {"defs/b.json", R"({"family": "app", )" + base + "20}]}"}});
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.workloads[0].requirement.memory == 20);
  CHECK(scenario.workloads[1].requirement.memory == 10);
  CHECK(scenario.workloads[2].requirement.memory == 20);
}

TEST_CASE("scenario needs no file at all") {
  const auto loaded =
      load({.instances = {"p3.2xlarge=3@us-east-1a,us-east-1b", "c5.large"},
            .tasks = {"defs/train.json=2", "defs/web.json=max"},
            .strategies = {"spread:instanceId", "binpack:cpu"},
            .constraints = {"type=memberOf,expression=\"attribute:ecs.instance-type in [p3.2xlarge, p3.8xlarge]\""}});
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.instances.size() == 4);
  CHECK(scenario.instances[2].id == "p3.2xlarge#3");
  CHECK(scenario.profiles[scenario.instances[1].profile].availability_zone == "us-east-1b");
  CHECK(scenario.instances[3].id == "c5.large#1");
  REQUIRE(scenario.workloads.size() == 2);
  CHECK(scenario.workloads[0].count == 2);
  CHECK(scenario.workloads[0].strategies.size() == 2);
  CHECK(scenario.workloads[0].constraints.at(0).source == "attribute:ecs.instance-type in [p3.2xlarge, p3.8xlarge]");
  CHECK(scenario.workloads[1].count == std::nullopt);
  CHECK(scenario.workloads[1].constraints.size() == 2);
}

TEST_CASE("scenario - a task that is named and is nowhere") {
  const std::string cluster = "cluster: {containerInstances: [{instanceType: c5.large}]}\n";
  CHECK(
      printed(load({.scenario = "s.yaml", .tasks = {"big=2"}}, {{"s.yaml", cluster}})->result.errors) ==
      Lines{"s.yaml:0:0: 'big' is neither a task definition of this scenario nor a file (name a file, or list it under "
            "taskDefinitions)"});
  CHECK(printed(load({.instances = {"c5.large"}, .tasks = {"big=2"}})->result.errors) ==
        Lines{":0:0: no file 'big' (name the file of a definition)"});
  // Beside definitions a word is a misspelled name, unless it looks like a file.
  const std::string with_web = cluster + "taskDefinitions: [defs/web.json]\n";
  CHECK(printed(load({.scenario = "s.yaml", .tasks = {"wep"}}, {{"s.yaml", with_web}})->result.errors) ==
        Lines{":0:0: no task definition 'wep' (did you mean 'web'?)"});
  CHECK(printed(load({.scenario = "s.yaml", .tasks = {"x/wep"}}, {{"s.yaml", with_web}})->result.errors) ==
        Lines{"s.yaml:0:0: 'x/wep' is neither a task definition of this scenario nor a file (name a file, or list it "
              "under taskDefinitions)"});
}

TEST_CASE("scenario - the file system's help with a misspelled file is handed on") {
  struct Helpful : MemoryFiles {
    Result<std::string> read(const std::string& path, std::size_t limit) const override {
      auto text = MemoryFiles::read(path, limit);
      if (text) return text;
      return Error{.message = text.error().message, .file = path, .help = "did you mean 'big.json'?"};
    }
  };
  Loaded loaded;
  loaded.result = load_scenario({.instances = {"c5.large"}, .tasks = {"bug.json"}}, Helpful(), loaded.catalog);
  CHECK(printed(loaded.result.errors) == Lines{":0:0: no file 'bug.json' (did you mean 'big.json'?)"});
}

TEST_CASE("scenario - a price that nobody asks is refused") {
  const auto errors = [](const std::string& price) {
    return printed(
        load_yaml("instanceTypes: [{instanceType: x, registeredResources: {CPU: 1, MEMORY: 1}, hourlyPrice: " + price +
                  "}]\n" + kCluster + "tasks: [{taskDefinition: web}]\n")
            ->result.errors);
  };
  CHECK(errors("1000000").empty());
  for (const std::string price :
       {"9223372036854775807", "44444444444444441.5", "1000000.5", "-0.5", "1e999", ".inf", ".nan"}) {
    CAPTURE(price);
    const auto refused = errors(price);
    REQUIRE(refused.size() == 1);
    CHECK(refused.front().starts_with("s.yaml:1:90: "));
    CHECK(refused.front().find("1000000") != std::string::npos);
  }
}

TEST_CASE("scenario - a constraint of a definition without a type, and of one that there is not") {
  const auto errors = [](const std::string& constraint) {
    return printed(
        load({.instances = {"c5.large"}, .tasks = {"t.json"}},
             {{"t.json", R"({"family": "t", "containerDefinitions": [{"name": "a", "image": "b", "memory": 64}],
 "placementConstraints": [)" +
                             constraint + "]}"}})
            ->result.errors);
  };
  CHECK(errors(R"({"expression": "attribute:x exists"})") ==
        Lines{"t.json:2:27: a placement constraint has no type (types are memberOf and distinctInstance)"});
  CHECK(errors(R"({"type": "near"})") ==
        Lines{"t.json:2:36: unknown placement constraint 'near' (types are memberOf and distinctInstance)"});
}

TEST_CASE("scenario says what it does not simulate and what takes time, with the place") {
  const auto loaded =
      load_yaml(kCluster +
                "services: [{serviceName: s, taskDefinition: train, desiredCount: 1, launchType: FARGATE}]\n"
                "tasks: [{taskDefinition: train, startAt: 1h30m, duration: 30m, startDelay: 0s}]\n"
                "capacityProviders: [{name: gpu, managedScaling: {status: ENABLED}}]\n"
                "events: [{at: 1h, loseAvailabilityZone: us-east-1a}]\n"
                "settings: {whenFull: wait}\n"
                "variants: {wider: {replace: {p3.2xlarge: p3.16xlarge}}}\n"
                "throughput: {train: {unit: images/s, p3.2xlarge: {1: 321.16}}}\n"
                "needs: {train/trainer: {gpuMemory: 14GiB, minComputeCapability: '7.0', interconnect: nvlink}}\n");
  const auto& scenario = scenario_of(*loaded);
  CHECK(printed(scenario.not_simulated) ==
        Lines{"s.yaml:5:81: not simulated in this version: launchType FARGATE (only EC2 places tasks on container "
              "instances)"});
  CHECK(scenario.timetable.has_time);
  const std::string help = " (remove it; bayplan place simulates runs over time)";
  const std::string begin = "why simulates time 0 only and does not support ";
  CHECK(printed(refuse_over_time(scenario, "why")) ==
        Lines{"s.yaml:6:42: " + begin + "startAt" + help, "s.yaml:6:59: " + begin + "duration" + help,
              "s.yaml:8:9: " + begin + "events" + help, "s.yaml:9:22: " + begin + "whenFull: wait" + help});
}

TEST_CASE("scenario errors name the place and the nearest") {
  const auto [text, lines] = GENERATE(table<std::string, Lines>({
      {kCluster + "tasks: [{taskDefinition: trian}]\n",
       {"s.yaml:5:26: no task definition 'trian' (did you mean 'train'?)"}},
      {kCluster + "tasks: [{taskDefinition: 'train:3'}]\n",
       {"s.yaml:5:26: no task definition 'train:3' (there is train:1)"}},
      {kCluster + "tasks: [{taskDefinition: train, cuont: 3}]\n",
       {"s.yaml:5:33: unknown key 'cuont' (did you mean 'count'?)"}},
      {kCluster + "tasks: [{taskDefinition: train, count: 0}]\n",
       {"s.yaml:5:40: count must be between 1 and 3000000, got 0"}},
      {kCluster + "tasks: [{taskDefinition: train, count: '3'}]\n",
       {"s.yaml:5:40: count must be an integer, got a string (remove the quotes)"}},
      {kCluster + "tasks: [{count: 1}]\n", {"s.yaml:5:9: taskDefinition is missing"}},
      {kCluster + "tasks: [{taskDefinition: train, duration: PT30M}]\n",
       {"s.yaml:5:43: duration cannot be 'PT30M' (use weeks, days, hours, minutes and seconds, such as 1h30m or 7d)"}},
      {kCluster + "tasks: [{taskDefinition: train, placementStrategy: [{type: binpack, field: gpu}]}]\n",
       {"s.yaml:5:76: binpack has no field \"gpu\": ECS documents only cpu and memory (BAY1101) (GPU tasks pack on cpu "
        "or "
        "memory; keep other tasks off GPU instances with memberOf)"}},
      {kCluster +
           "tasks: [{taskDefinition: train, placementStrategy: [{type: spread, field: ecs.availability-zone}]}]\n",
       {"s.yaml:5:75: spread has no field \"ecs.availability-zone\" (BAY1103) (write "
        "attribute:ecs.availability-zone)"}},
      {kCluster + "tasks: [{taskDefinition: train, placementStrategy: [{type: spred}]}]\n",
       {"s.yaml:5:60: type cannot be 'spred' (did you mean 'spread'?)"}},
      {kCluster + "tasks: [{taskDefinition: train, placementConstraints: [{type: memberOf, expression: 'attribute:a = "
                  "b'}]}]\n",
       {"s.yaml:5:98: expression: found '=', expected an operator (use ==)"}},
      {kCluster +
           "tasks: [{taskDefinition: train, placementConstraints: [{type: memberOf, expression: agentversion > 1}]}]\n",
       {"s.yaml:5:85: expression: unknown subject 'agentversion' (did you mean agentVersion?)"}},
      {kCluster +
           "tasks: [{taskDefinition: train, placementConstraints: [{type: distinctInstance, expression: ''}]}]\n",
       {"s.yaml:5:93: distinctInstance does not support an expression (BAY1106) (omit the expression)"}},
      {kCluster + "tasks: [{taskDefinition: train, capacityProviderStrategy: [{capacityProvider: spot}]}]\n",
       {"s.yaml:5:79: no capacity provider 'spot' (instances name theirs in capacityProviderName)"}},
      {kCluster + "tasks: [{taskDefinition: train, overrides: {containerOverrides: [{name: trainr, cpu: 1}]}}]\n",
       {"s.yaml:5:73: no container 'trainr' in train:1 (did you mean 'trainer'?)"}},
      {kCluster + "services:\n  - {serviceName: a, taskDefinition: train, desiredCount: 1}\n"
                  "  - {serviceName: a, taskDefinition: train, desiredCount: 1}\n",
       {"s.yaml:7:19: duplicate serviceName 'a' (first in line 6)"}},
      {kCluster + "services: [{serviceName: a, taskDefinition: train}]\n",
       {"s.yaml:5:12: desiredCount of service 'a' is missing (how many tasks it keeps, for example 2)"}},
      {kCluster + "tasks: [{taskDefinition: train, count: '${N}'}]\n",
       {"s.yaml:5:40: count is a placeholder: ${N} (use a literal value here)"}},
      {kCluster, {"s.yaml:0:0: nothing to place (add services: or tasks: to the scenario, or give --task)"}},
      {"tasks: []\n",
       {"s.yaml:0:0: no cluster to place tasks on (add cluster: to the scenario, or give --cluster or --instances)"}},
      {"cluster: {containerInstances: [{instanceType: p3.2xlage}]}\n",
       {"s.yaml:1:47: unknown instance type 'p3.2xlage' (did you mean 'p3.2xlarge'?)"}},
      {"cluster: {containerInstances: [{instanceType: rack, registeredResources: {CPU: 4}}]}\n",
       {"s.yaml:1:47: unknown instance type 'rack' (describe it under instanceTypes, or set registeredResources CPU "
        "and MEMORY)"}},
      {"cluster: {containerInstances: [{instanceType: c5.large, count: 2, ec2InstanceId: i-1}]}\n",
       {"s.yaml:1:82: ec2InstanceId names one instance, and count is 2 (write an entry for each instance)"}},
      {"cluster:\n  containerInstances:\n    - {instanceType: c5.large, ec2InstanceId: i-1}\n    - {instanceType: "
       "c5.large, ec2InstanceId: i-1}\n",
       {"s.yaml:4:47: duplicate ec2InstanceId 'i-1' (first in line 3)"}},
      {"cluster: {containerInstances: [{instanceType: c5.large, availabilityZone: a, availabilityZones: [a]}]}\n",
       {"s.yaml:1:97: availabilityZone and availabilityZones are mutually exclusive (keep one of them)"}},
      {"cluster: {containerInstances: [{instanceType: c5.large, registeredAt: yesterday}]}\n",
       {"s.yaml:1:71: registeredAt cannot be 'yesterday' (for example 2026-11-01T00:00:00Z)"}},
      {"cluster: {containerInstances: [{instanceType: c5.large, reservedPorts: [22, 70000]}]}\n",
       {"s.yaml:1:77: item of reservedPorts must be between 1 and 65535, got 70000"}},
      {"cluster: {containerInstances: [{instanceType: c5.large, reservedMemory: -1}]}\n",
       {"s.yaml:1:73: reservedMemory must be between 0 and 1000000000, got -1"}},
      {"cluster: {containerInstances: [{instanceType: p3.2xlarge, gpuMemory: lots}]}\n",
       {"s.yaml:1:70: gpuMemory cannot be 'lots' (use a number of MiB, or text such as 14GiB or 24GB)"}},
      {"cluster: {containerInstances: [{instanceType: c5.large, status: active}]}\n",
       {"s.yaml:1:65: status cannot be 'active' (did you mean 'ACTIVE'?)"}},
      {"cluster: missing.yaml\n", {"s.yaml:1:10: missing.yaml: No such file or directory"}},
      {kCluster + "tasks: [{taskDefinition: train}\n", {}},
      {"- 1\n",
       {"s.yaml:1:1: file must be an object, got a list (supported keys: region, cluster, taskDefinitions, "
        "services, tasks, capacityProviders, spot, events, instanceTypes, needs, throughput, load, "
        "commitments, extras, variants, subnets and settings)"}},
      {kCluster + "tasks: [train]\n", {"s.yaml:5:9: item of tasks must be an object, got a string"}},
      {kCluster + "tasks: {taskDefinition: train}\n",
       {"s.yaml:5:8: tasks must be a list of objects, got an object (enclose it in [ and ])"}},
      {kCluster + "tasks: [{task: train}]\n", {"s.yaml:5:10: unknown key 'task' (did you mean 'taskDefinition'?)"}},
      {kCluster + "tasks: [{taskDefinition: train, allOrNothing: yes}]\n",
       {"s.yaml:5:47: allOrNothing must be a boolean, got a string (use true or false, without quotes)"}},
      {kCluster + "tasks: [{taskDefinition: train, count: 2 of them}]\n",
       {"s.yaml:5:40: count must be an integer, got a string (use a whole number without a unit)"}},
      {kCluster + "tasks: [{taskDefinition: train, overrides: {memory: lots, cpu: one}}]\n",
       {"s.yaml:5:53: memory cannot be 'lots' (use MiB (\"2048\") or \"2 GB\")",
        "s.yaml:5:64: cpu cannot be 'one' (use CPU units (\"512\"; 1 vCPU is 1024) or \"0.5 vCPU\")"}},
      {kCluster + "services: [{serviceName: a, taskDefinition: train, desiredCount: 1, deploymentConfiguration: "
                  "{maxPercent: 100}}]\n",
       {"s.yaml:5:95: unknown key 'maxPercent' (did you mean 'maximumPercent'?)"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions: defs/train.json\n",
       {"s.yaml:2:18: taskDefinitions must be a list, got a string (use [defs/train.json])"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions: [gone.json]\ntasks: [{taskDefinition: train}]\n",
       {"s.yaml:2:19: gone.json: No such file or directory"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions: [nope/*.json]\n",
       {"s.yaml:2:19: no file matches 'nope/*.json'"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions:\n  - family: x\n    cpu: lots\n    containerDefinitions: "
       "[{name: a, memory: -1}, {name: b, cpu: 0.5, memoryReservation: {}}]\n",
       {"s.yaml:4:10: cpu cannot be 'lots' (use CPU units (\"512\"; 1 vCPU is 1024) or \"0.5 vCPU\")",
        "s.yaml:5:46: containerDefinitions[a].memory cannot be '-1' (MiB: a whole number from 0 up)",
        "s.yaml:5:66: containerDefinitions[b].cpu cannot be '0.5' (CPU units: a whole number from 0 up)",
        "s.yaml:5:90: containerDefinitions[b].memoryReservation cannot be object (MiB: a whole number from 0 up)"}},
      {kCluster + "needs: {train: {gpuMemory: 14X, minComputeCapability: high}}\n",
       {"s.yaml:5:28: gpuMemory cannot be '14X' (use a number of MiB, or text such as 14GiB or 24GB)",
        "s.yaml:5:55: minComputeCapability cannot be 'high'"}},
      {kCluster + "tasks: [{taskDefinition: train, count: 99999999999999999999}]\n",
       {"s.yaml:5:40: count must be between 1 and 3000000, got 99999999999999999999"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions: [{family: x}]\n",
       {"s.yaml:2:19: no task definition here: containerDefinitions is missing"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions: [{containerDefinitions: []}]\n",
       {"s.yaml:2:19: the task definition has no family (add family: NAME)"}},
      {"cluster: {containerInstances: []}\ntaskDefinitions:\n  - family: x\n    containerDefinitions: [{name: a, "
       "memory: '${MEMORY}'}]\n",
       {"s.yaml:4:46: containerDefinitions[a].memory of task definition 'x' is a placeholder (a simulation needs its "
        "value)"}},
      {"instanceTypes: [{instanceType: r, registeredResources: {CPU: 1}}]\ncluster: {containerInstances: []}\n",
       {"s.yaml:1:56: r needs registeredResources MEMORY"}},
  }));
  INFO(text);
  const auto loaded = load_yaml(text);
  CHECK_FALSE(loaded->result.scenario);
  if (lines.empty()) {
    CHECK(loaded->result.errors.size() >= 1);
  } else {
    CHECK(printed(loaded->result.errors) == lines);
  }
}

TEST_CASE("scenario tells all errors at once, in file order") {
  const auto loaded =
      load({.scenario = "dir/s.yaml"},
           {{"dir/s.yaml",
             "cluster: c.yaml\n"
             "taskDefinitions: [../defs/train.json, ../defs/bad.json]\n"
             "services: [{serviceName: a, taskDefinition: wbe, desiredCount: 1}]\n"
             "tasks: [{taskDefinition: trian}]\n"},
            {"dir/c.yaml",
             "containerInstances:\n  - {instanceType: c5.larg}\n  - {instanceType: c5.large, registeredAt: x}\n"},
            {"dir/../defs/train.json", std::string(kTrain)},
            {"dir/../defs/bad.json", "{\"family\": 3}"}});
  CHECK(
      printed(loaded->result.errors) ==
      Lines{"dir/s.yaml:3:45: no task definition 'wbe' (there is train)",
            "dir/s.yaml:4:26: no task definition 'trian' (did you mean 'train'?)",
            "dir/c.yaml:2:20: unknown instance type 'c5.larg' (did you mean 'c5.large'?)",
            "dir/c.yaml:3:44: registeredAt cannot be 'x' (for example 2026-11-01T00:00:00Z)",
            "dir/../defs/bad.json:1:1: no task definition in this file (a task definition has containerDefinitions)"});
}

TEST_CASE("scenario cut off anywhere gives a scenario or errors") {
  DiskFiles disk;
  const std::string folder = in_sources("examples/gpu-cluster/");
  const std::string text = *disk.read(folder + "scenario.yaml", 1 << 20);
  std::map<std::string, std::string> files;
  for (const std::string name : {"cluster.yaml", "defs/web.json", "defs/metrics.json", "defs/train.json"}) {
    files[name] = *disk.read(folder + name, 1 << 20);
  }
  auto catalog = catalog::Catalog::load();
  for (std::size_t length = 0; length <= text.size(); ++length) {
    files["scenario.yaml"] = text.substr(0, length);
    const auto loaded = load_scenario({.scenario = "scenario.yaml"}, MemoryFiles(files), catalog);
    CHECK(loaded.scenario.has_value() == loaded.errors.empty());
  }
  CHECK(load_scenario({.scenario = "scenario.yaml"}, MemoryFiles(files), catalog).scenario->workloads.size() == 3);
}

TEST_CASE("a scenario of a byte order mark and a comment is said to be empty") {
  const MemoryFiles files(std::map<std::string, std::string>{{"scenario.yaml", "\xEF\xBB\xBF# nothing\n"}});
  auto catalog = catalog::Catalog::load();
  const auto loaded = load_scenario({.scenario = "scenario.yaml"}, files, catalog);
  CHECK_FALSE(loaded.scenario.has_value());
  REQUIRE(loaded.errors.size() == 1);
  CHECK(loaded.errors[0].message == "the file is empty");
}

TEST_CASE("scenario that is a task definition is told in one sentence") {
  const auto loaded = load({.scenario = "defs/train.json"});
  CHECK(printed(loaded->result.errors) ==
        Lines{"defs/train.json:1:1: this is a task definition, not a scenario (write: bayplan place "
              "--instances TYPE=N --task defs/train.json=COUNT)"});
}

TEST_CASE("scenario where a cluster belongs, and Terraform code without instances, are told in one sentence") {
  const auto refused = [](const std::string& path, const std::string& text) {
    return printed(load({.cluster = path, .tasks = {"defs/train.json=1"}},
                        {{path, text}, {"defs/train.json", std::string(kTrain)}})
                       ->result.errors);
  };
  CHECK(refused("s.yaml", "cluster: {containerInstances: []}\nservices: []\n") ==
        Lines{"s.yaml:1:1: this is a scenario, not a cluster (write its cluster to a separate file that begins with "
              "containerInstances:)"});
  CHECK(refused("main.tf", "resource \"aws_ecs_cluster\" \"a\" {}\n")
            .front()
            .find("this Terraform code describes no container instances") != std::string::npos);
}

TEST_CASE("scenario - zones say the region where nothing else does") {
  const auto region = [](const std::string& beginning) {
    const auto loaded = load_yaml(beginning + "tasks: [{taskDefinition: web}]\ntaskDefinitions: [defs/*.json]\n");
    return scenario_of(*loaded).region;
  };
  const std::string in_ireland =
      "cluster: {containerInstances: [{instanceType: m5.large, availabilityZones: [eu-west-1a, eu-west-1b]}]}\n";
  CHECK(region(in_ireland) == "eu-west-1");
  CHECK(region("region: us-east-2\n" + in_ireland) == "us-east-2");
  CHECK(region("cluster: {containerInstances: [{instanceType: m5.large, availabilityZone: rack-1}]}\n") == "us-east-1");
}

TEST_CASE("scenario region must be known unless the types are one's own") {
  const auto mistyped = load_yaml("region: us-est-2\n" + kCluster + "tasks: [{taskDefinition: train}]\n");
  REQUIRE(mistyped->result.errors.size() == 1);
  CHECK(mistyped->result.errors[0].message == "unknown region 'us-est-2'; did you mean 'us-east-2'?");
  CHECK(mistyped->result.errors[0].line == 1);
  CHECK(mistyped->result.errors[0].column == 9);
  const auto own = load_yaml(
      "region: basement\n"
      "instanceTypes: [{instanceType: rack-a, registeredResources: {CPU: 8192, MEMORY: 30000, GPU: 1}}]\n"
      "cluster: {containerInstances: [{instanceType: rack-a}]}\n"
      "taskDefinitions: [defs/train.json]\n"
      "tasks: [{taskDefinition: train}]\n");
  CHECK(scenario_of(*own).region == "basement");
}

TEST_CASE("scenario settings name a policy, which the command line replaces") {
  const std::string rest = kCluster + "tasks: [{taskDefinition: train, count: 1}]\nsettings: {policy: ";
  const auto ask = [&](const std::string& policy, ScenarioRequest request) {
    request.scenario = "s.yaml";
    return load(request, {{"s.yaml", rest + policy + "}\n"}});
  };
  for (const auto& entry : policies())
    CHECK(scenario_of(*ask(std::string(entry.name), {.takes_policy = true})).policy == entry.policy);
  CHECK(scenario_of(*ask("fgd", {.policy = Policy::kRandom, .takes_policy = true})).policy == Policy::kRandom);
  const auto with_strategy = ask("fgd", {.strategies = {"binpack:memory"}, .takes_policy = true});
  CHECK(scenario_of(*with_strategy).policy == std::nullopt);
  CHECK(scenario_of(*with_strategy).workloads.front().strategies.size() == 1);
  CHECK(printed(ask("fgd", {})->result.errors) ==
        Lines{"s.yaml:6:20: a policy is supported by place, whatif and sweep only (remove policy: this command follows "
              "the placement strategies of ECS)"});
  CHECK(printed(ask("fdg", {.takes_policy = true})->result.errors) ==
        Lines{"s.yaml:6:20: policy cannot be 'fdg' (did you mean 'fgd'?)"});
  CHECK(
      printed(ask("fgd", {.until = 60, .takes_policy = true})->result.errors) ==
      Lines{":0:0: settings.policy simulates time 0 only and does not support --until (remove it or the policy: a run "
            "over time follows the placement strategies of ECS)"});
}

}  // namespace load_scenario_test
