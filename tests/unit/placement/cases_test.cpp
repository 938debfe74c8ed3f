#include <map>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"

namespace cases_test {

// Single rules at their edges. Published cases as users write them: worked_cases_test.cpp.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

std::string reason(const Scenario& scenario, const Outcome& result) {
  return result.failures.empty() ? "" : failure_reason(scenario, explained(result, result.failures.front()));
}

std::vector<std::string> instances_of(const Scenario& scenario, const Outcome& result) {
  std::vector<std::string> ids;
  for (const auto& placement : result.placements) ids.push_back(scenario.instances[placement.instance].id);
  return ids;
}

std::map<std::string, int> by_zone(const Scenario& scenario, const Outcome& result) {
  std::map<std::string, int> zones;
  for (const auto& placement : result.placements) {
    ++zones[scenario.profiles[scenario.instances[placement.instance].profile].availability_zone];
  }
  return zones;
}

InstanceProfile with_interfaces(InstanceProfile profile, std::int64_t count) {
  profile.network_interfaces = count;
  return profile;
}

InstanceProfile with_attribute(InstanceProfile profile, std::string name, std::string value) {
  profile.attributes[name] = value;
  return profile;
}

Workload in_zones(Workload workload, std::vector<std::string> zones) {
  workload.availability_zones = std::move(zones);
  return workload;
}

std::vector<std::uint16_t> many_ports(int count) {
  std::vector<std::uint16_t> ports;
  for (int i = 0; i < count; ++i) ports.push_back(static_cast<std::uint16_t>(10'000 + i));
  return ports;
}

capacity::TaskRequirement with_attributes(capacity::TaskRequirement task, std::vector<std::string> attributes) {
  task.required_attributes = std::move(attributes);
  return task;
}

struct Case {
  const char* name;
  Scenario scenario;
  std::size_t placed;
  const char* reason;  ///< Of the first failure; empty when everything is placed.
};

std::vector<Case> resource_cases() {
  const auto m4 = [](MiB memory) { return instance("m4.large", 2048, memory); };
  auto without_awslogs = instance("m5.large", 2048, 7680);
  without_awslogs.has_all_capabilities = false;
  without_awslogs.attributes["com.amazonaws.ecs.capability.logging-driver.json-file"] = "";
  std::vector<Case> cases;
  // A 1: 8373026816 bytes seen by free(1) register as 7985 MiB, which is less than 8192 (memory-management.html).
  cases.push_back(
      {"8192 MiB on an m4.large", scenario_with({m4(7985)}, {run_task("t", needs(0, 8192), 1)}), 0, "RESOURCE:MEMORY"});
  cases.push_back({"7985 MiB on an m4.large", scenario_with({m4(7985)}, {run_task("t", needs(0, 7985), 1)}), 1, ""});
  cases.push_back(
      {"1000 MiB tasks, 1024 MiB instances",
       scenario_with({instance("a", 1024, 1024), instance("a", 1024, 1024)}, {run_task("t", needs(0, 1000), 3)}), 2,
       "RESOURCE:MEMORY"});
  cases.push_back(
      {"1000 unit tasks, 1024 unit instances",
       scenario_with({instance("a", 1024, 1024), instance("a", 1024, 1024)}, {run_task("t", needs(1000, 1), 3)}), 2,
       "RESOURCE:CPU"});
  cases.push_back({"reservation of 128 in 1024 MiB",
                   scenario_with({instance("a", 1024, 1024)}, {run_task("t", needs(0, 128), 9)}), 8,
                   "RESOURCE:MEMORY"});
  cases.push_back(
      {"no CPU reserved passes on a full instance",
       scenario_with({instance("a", 1024, 1024)}, {run_task("full", needs(1024, 1), 1), run_task("t", needs(0, 1), 1)}),
       2, ""});
  cases.push_back({"400 host ports",
                   scenario_with({m4(7985)}, {run_task("t", with_tcp(needs(0, 1), many_ports(400)), 1)}), 0,
                   "RESOURCE:PORTS"});
  cases.push_back({"95 host ports beside the agent's five",
                   scenario_with({m4(7985)}, {run_task("t", with_tcp(needs(0, 1), many_ports(95)), 1)}), 1, ""});
  cases.push_back({"96 host ports beside the agent's five",
                   scenario_with({m4(7985)}, {run_task("t", with_tcp(needs(0, 1), many_ports(96)), 1)}), 0,
                   "RESOURCE:PORTS"});
  cases.push_back({"the agent's own port",
                   scenario_with({m4(7985)}, {run_task("t", with_tcp(needs(0, 1), {51678}), 1)}), 0, "RESOURCE:PORTS"});
  cases.push_back({"1024 MiB on a t2.micro",
                   scenario_with({instance("t2.micro", 1024, 995)}, {run_task("t", needs(0, 1024), 1)}), 0,
                   "RESOURCE:MEMORY"});
  cases.push_back(
      {"log driver not registered",
       scenario_with(
           {without_awslogs},
           {run_task("t", with_attributes(needs(1, 1), {"com.amazonaws.ecs.capability.logging-driver.awslogs"}), 1)}),
       0, "ATTRIBUTE"});
  cases.push_back(
      {"a current agent has every capability",
       scenario_with(
           {m4(7985)},
           {run_task("t", with_attributes(needs(1, 1), {"com.amazonaws.ecs.capability.logging-driver.awslogs"}), 1)}),
       1, ""});
  return cases;
}

std::vector<Case> network_cases() {
  const auto interface = [](capacity::TaskRequirement task, std::int64_t count) {
    return run_task("t", with_interface(std::move(task)), count);
  };
  const auto p3 = instance("p3.16xlarge", 65536, 490000, {8, 16384});
  std::vector<Case> cases;
  // Limits of awsvpc tasks without and with trunking: eni-trunking-supported-instance-types.html.
  cases.push_back({"c5.large without trunking",
                   scenario_with({with_interfaces(instance("c5.large", 2048, 3700), 2)}, {interface(needs(1, 1), 3)}),
                   2, "RESOURCE:ENI"});
  cases.push_back({"p3.16xlarge without trunking",
                   scenario_with({with_interfaces(p3, 7)}, {interface(with_gpus(needs(1, 1), {1}), 8)}), 7,
                   "RESOURCE:ENI"});
  cases.push_back({"p3.16xlarge with trunking",
                   scenario_with({with_interfaces(p3, 120)}, {interface(with_gpus(needs(1, 1), {1}), 9)}), 8,
                   "RESOURCE:GPU"});
  cases.push_back({"g5.48xlarge without trunking",
                   scenario_with({with_interfaces(instance("g5.48xlarge", 196608, 760000, {8, 24000}), 6)},
                                 {interface(with_gpus(needs(1, 1), {1}), 8)}),
                   6, "RESOURCE:ENI"});
  // Attachments left for tasks: kubernetes-sigs/aws-ebs-csi-driver, volume_limits_table.go, less the root volume.
  const auto d3 = with_attachments(with_interfaces(instance("d3.8xlarge", 32768, 255000), 2), 2, true);
  const auto c7i = with_attachments(with_interfaces(instance("c7i.large", 2048, 3700), 2), 31);
  cases.push_back({"2 EBS volumes on a d3.8xlarge", scenario_with({d3}, {run_task("t", with_volume(needs(1, 1)), 3)}),
                   2, "RESOURCE:EBS"});
  cases.push_back({"a volume and an interface share the attachments of a d3.8xlarge",
                   scenario_with({d3}, {interface(with_volume(needs(1, 1)), 2)}), 1, "RESOURCE:EBS"});
  cases.push_back({"a volume leaves an interface of a d3.8xlarge without an attachment",
                   scenario_with({d3}, {run_task("v", with_volume(needs(1, 1)), 1), interface(needs(1, 1), 2)}), 2,
                   "RESOURCE:EBS"});
  cases.push_back({"interfaces alone never run out of attachments first",
                   scenario_with({d3}, {interface(needs(1, 1), 3)}), 2, "RESOURCE:ENI"});
  cases.push_back({"the limit of a c7i.large is not shared",
                   scenario_with({c7i}, {interface(with_volume(needs(1, 1)), 3)}), 2, "RESOURCE:ENI"});
  cases.push_back({"31 EBS volumes on a c7i.large", scenario_with({c7i}, {run_task("t", with_volume(needs(1, 1)), 32)}),
                   31, "RESOURCE:EBS"});
  cases.push_back({"an unknown limit limits no task",
                   scenario_with({instance("x", 2048, 3700)}, {run_task("t", with_volume(needs(1, 1)), 200)}), 200,
                   ""});
  cases.push_back({"subnet in another zone",
                   scenario_with({instance("m5.large", 2048, 7680, {}, "us-east-1b")},
                                 {in_zones(interface(needs(1, 1), 1), {"us-east-1a"})}),
                   0, "LOCATION"});
  return cases;
}

std::vector<Case> gpu_cases() {
  const auto p3_16 = instance("p3.16xlarge", 65536, 490000, {8, 16384});
  const auto a10g = instance("g5.xlarge", 4096, 15000, {1, 22563});
  auto sharing = a10g;
  sharing.gpu_count = 2;
  sharing.gpu_sharing = true;
  sharing.attributes["ecs.capability.gpu-sharing-mps"] = "";
  auto fractional = instance("g6f.large", 2048, 7600, {1, 3000});
  fractional.gpu_fraction_millionths = 250'000;
  std::vector<Case> cases;
  cases.push_back({"two GPUs a task on eight", scenario_with({p3_16}, {run_task("t", with_gpus(needs(1, 1), {2}), 5)}),
                   4, "RESOURCE:GPU"});
  cases.push_back({"ten GPUs on four and eight",
                   scenario_with({instance("p3.8xlarge", 32768, 245000, {4, 16384}), p3_16},
                                 {run_task("t", with_gpus(needs(1, 1), {10}), 1)}),
                   0, "RESOURCE:GPU"});
  cases.push_back({"containers of one and two GPUs on four",
                   scenario_with({instance("g4dn.12xlarge", 49152, 188000, {4, 16384})},
                                 {run_task("t", with_gpus(needs(1, 1), {1, 2}), 2)}),
                   1, "RESOURCE:GPU"});
  cases.push_back({"agent without a driver",
                   scenario_with({instance("g6.xlarge", 4096, 15000)}, {run_task("t", with_gpus(needs(1, 1), {1}), 1)}),
                   0, "RESOURCE:GPU"});
  cases.push_back({"two containers that ask for the one GPU",
                   scenario_with({instance("p3.2xlarge", 8192, 61000, {1, 16384})},
                                 {run_task("t", with_gpus(needs(1, 1), {1, 1}), 1)}),
                   0, "RESOURCE:GPU"});
  // 22563 MiB usable on an A10G: aws/amazon-ecs-agent 5061.
  cases.push_back({"MPS tasks of 8000 MiB, two a GPU",
                   scenario_with({sharing}, {run_task("t", with_mps(needs(1, 1), {8000}), 5)}), 4, "RESOURCE:GPU"});
  cases.push_back({"MPS containers share one GPU",
                   scenario_with({sharing}, {run_task("t", with_mps(needs(1, 1), {12000, 12000}), 1)}), 0,
                   "RESOURCE:GPU"});
  cases.push_back(
      {"MPS needs the capability",
       scenario_with(
           {a10g},
           {run_task("t", with_attributes(with_mps(needs(1, 1), {8000}), {"ecs.capability.gpu-sharing-mps"}), 1)}),
       0, "ATTRIBUTE"});
  cases.push_back({"a shared GPU takes no whole request",
                   scenario_with({sharing}, {run_task("share", with_mps(needs(1, 1), {1000}), 1),
                                             run_task("t", with_gpus(needs(1, 1), {2}), 1)}),
                   1, "RESOURCE:GPU"});
  cases.push_back({"a dedicated GPU takes no share",
                   scenario_with({sharing}, {run_task("whole", with_gpus(needs(1, 1), {2}), 1),
                                             run_task("t", with_mps(needs(1, 1), {1}), 1)}),
                   1, "RESOURCE:GPU"});
  cases.push_back({"ALL takes every GPU",
                   scenario_with({p3_16}, {run_task("all", with_all_gpus(needs(1, 1)), 1),
                                           run_task("t", with_gpus(needs(1, 1), {1}), 1)}),
                   1, "RESOURCE:GPU"});
  cases.push_back({"ALL wants all of them free",
                   scenario_with({p3_16}, {run_task("t", with_gpus(needs(1, 1), {1}), 1),
                                           run_task("all", with_all_gpus(needs(1, 1)), 1)}),
                   1, "RESOURCE:GPU"});
  cases.push_back({"a share wants a fractional type",
                   scenario_with({a10g}, {run_task("t", with_fraction(needs(1, 1), 250'000), 1)}), 0, "RESOURCE:GPU"});
  cases.push_back({"shares of a fractional type",
                   scenario_with({fractional}, {run_task("t", with_fraction(needs(1, 1), 125'000), 3)}), 2,
                   "RESOURCE:GPU"});
  cases.push_back({"a whole request never takes a fractional type",
                   scenario_with({fractional}, {run_task("t", with_gpus(needs(1, 1), {1}), 1)}), 0, "RESOURCE:GPU"});
  return cases;
}

std::vector<Case> constraint_cases() {
  const auto linux = with_attribute(instance("m5.large", 2048, 7680), "ecs.os-family", "LINUX");
  auto gone = linux;
  gone.agent_connected = false;
  auto draining = linux;
  draining.status = InstanceStatus::kDraining;
  std::vector<Case> cases;
  cases.push_back({"services with distinctInstance do not see each other",
                   scenario_with({linux}, {constrained(service("a", needs(1, 1), 1), {distinct_instance()}),
                                           constrained(service("b", needs(1, 1), 1), {distinct_instance()}),
                                           constrained(service("c", needs(1, 1), 1), {distinct_instance()})}),
                   3, ""});
  cases.push_back({"distinctInstance",
                   scenario_with({linux, linux}, {constrained(service("a", needs(1, 1), 3), {distinct_instance()})}), 2,
                   "DistinctInstance placement constraint unsatisfied."});
  cases.push_back(
      {"contradicting memberOf",
       scenario_with({linux, gone}, {constrained(run_task("t", needs(1, 1), 1),
                                                 {member_of("attribute:ecs.os-type == linux"),
                                                  member_of("attribute:ecs.os-family == WINDOWS_SERVER_2019_FULL")})}),
       0, "MemberOf placement constraint unsatisfied."});
  cases.push_back(
      {"an attribute that nobody has",
       scenario_with({linux}, {constrained(run_task("t", needs(1, 1), 1), {member_of("attribute:retiring != true")})}),
       0, "MemberOf placement constraint unsatisfied."});
  cases.push_back(
      {"affinity to a group that does not run",
       scenario_with({linux}, {constrained(run_task("t", needs(1, 1), 1), {member_of("task:group == databases")})}), 0,
       "MemberOf placement constraint unsatisfied."});
  cases.push_back({"affinity to a group that runs",
                   scenario_with({linux, linux},
                                 {service("db", needs(1, 1), 1),
                                  constrained(run_task("t", needs(1, 1), 1), {member_of("task:group == service:db")})}),
                   2, ""});
  cases.push_back({"disconnected agent", scenario_with({gone}, {run_task("t", needs(1, 1), 1)}), 0, "AGENT"});
  cases.push_back(
      {"draining instance", scenario_with({draining}, {run_task("t", needs(1, 1), 1)}), 0, "STATUS:DRAINING"});
  cases.push_back({"no instances", scenario_with({}, {service("a", needs(1, 1), 1)}), 0,
                   "No Container Instances were found in your cluster."});
  return cases;
}

}  // namespace

TEST_CASE("rules hold at their edges") {
  for (const auto& cases : {resource_cases(), network_cases(), gpu_cases(), constraint_cases()}) {
    for (const auto& each : cases) {
      INFO(each.name);
      const Outcome result = place(each.scenario);
      CHECK(result.placements.size() == each.placed);
      CHECK(reason(each.scenario, result) == each.reason);
      CHECK(verify(each.scenario, result) == std::vector<std::string>{});
    }
  }
}

TEST_CASE("one port may be taken once as TCP and once as UDP") {
  auto udp = needs(0, 1);
  udp.udp_ports = {53};
  const auto given = scenario_with({instance("m5.large", 2048, 7680)},
                                   {run_task("tcp", with_tcp(needs(0, 1), {53}), 1), run_task("udp", udp, 1)});
  const auto result = place(given);
  CHECK(result.failures.empty());
  CHECK(result.instances[0].tcp_ports == std::vector<std::uint16_t>{22, 53, 2375, 2376, 51678, 51679});
  CHECK(result.instances[0].udp_ports == std::vector<std::uint16_t>{53});
}

// botocore examples: 2048 CPU and 3768 MiB less one task of 100 and 100 leave 1948 and 3668.
TEST_CASE("remaining resources are registered less reserved") {
  const auto given =
      scenario_with({instance("t2.medium", 2048, 3768)}, {run_task("t", with_tcp(needs(100, 100), {80}), 1)});
  const auto result = place(given);
  CHECK(result.instances[0].cpu == 1948);
  CHECK(result.instances[0].memory == 3668);
}

TEST_CASE("binpack takes the least remaining that still fits") {
  const auto given = scenario_with({instance("a", 1024, 4000), instance("a", 1024, 1500), instance("a", 1024, 900)},
                                   {run_task("t", needs(0, 1000), 1)});
  CHECK(instances_of(given, place(given)) == std::vector<std::string>{"a#2"});
}

TEST_CASE("spread over zones balances and passes over a full zone") {
  const auto zone = [](const char* name, MiB memory) { return instance("m5.large", 2048, memory, {}, name); };
  const auto web = service("web", needs(0, 1000), 6, {spread("attribute:ecs.availability-zone")});
  const auto room = scenario_with({zone("a", 7000), zone("b", 7000), zone("c", 7000)}, {web});
  CHECK(by_zone(room, place(room)) == std::map<std::string, int>{{"a", 2}, {"b", 2}, {"c", 2}});
  const auto full = scenario_with({zone("a", 7000), zone("b", 1000), zone("c", 7000)}, {web});
  CHECK(by_zone(full, place(full)) == std::map<std::string, int>{{"a", 3}, {"b", 1}, {"c", 2}});
}

TEST_CASE("a service without a strategy spreads over zones, then over instances") {
  const auto given = scenario_with(
      {instance("m", 2048, 7000, {}, "a"), instance("m", 2048, 7000, {}, "a"), instance("m", 2048, 7000, {}, "b")},
      {service("web", needs(0, 1), 4)});
  const auto result = place(given);
  CHECK(instances_of(given, result) == std::vector<std::string>{"m#1", "m#3", "m#2", "m#3"});
  CHECK(result.placements[0].tied);
  CHECK_FALSE(result.placements[1].tied);
}

TEST_CASE("spread counts the tasks of a group on instances that are no candidates") {
  // Zone a holds a task of the group on an instance that is full now; zone b holds none.
  const auto given = scenario_with(
      {instance("m", 2048, 1000, {}, "a"), instance("m", 2048, 7000, {}, "a"), instance("m", 2048, 7000, {}, "b")},
      {run_task("t", needs(0, 1000), 2, {spread("attribute:ecs.availability-zone"), binpack("memory")})});
  CHECK(instances_of(given, place(given)) == std::vector<std::string>{"m#1", "m#3"});
}

TEST_CASE("an absent attribute is a group of its own under spread") {
  auto rack = instance("m", 2048, 7000);
  rack.attributes["rack"] = "1";
  const auto given = scenario_with({rack, instance("m", 2048, 7000), instance("m", 2048, 7000)},
                                   {run_task("t", needs(0, 1), 3, {spread("attribute:rack"), spread("instanceId")})});
  const auto result = place(given);
  CHECK(instances_of(given, result) == std::vector<std::string>{"m#1", "m#2", "m#3"});
  CHECK(std::count(result.facts.begin(), result.facts.end(),
                   PlacementFact{PlacementFact::Kind::kSpreadAttributeAbsent, {"rack"}, 2}) == 1);
}

// aws/containers-roadmap 105: how many instances are in use depends on the order in which tasks arrive.
TEST_CASE("largest first needs fewer instances than the order given") {
  std::vector<InstanceProfile> instances(6, instance("m5.large", 2048, 7680));
  std::vector<Workload> tasks;
  for (const MiB memory : {128, 512, 768, 768, 2048, 7000, 7000, 768, 768, 128}) {
    tasks.push_back(run_task("t" + std::to_string(memory), needs(0, memory), 1));
  }
  auto given = scenario_with(instances, tasks);
  given.order = TaskOrder::kLargestFirst;
  const auto result = place(given);
  const auto used = std::count_if(result.instances.begin(), result.instances.end(),
                                  [](const auto& state) { return state.tasks > 0; });
  CHECK(used == 3);
  CHECK(verify(given, result) == std::vector<std::string>{});
}

TEST_CASE("the default spread over zones tells which instances have no zone") {
  const std::string zone = "ecs.availability-zone";
  auto placed = instance("x.large", 1024, 1024);
  placed.attributes[zone] = "a";
  auto nowhere = instance("x.large", 1024, 1024);
  nowhere.attributes.erase(zone);
  const auto made = scenario_with({placed, nowhere}, {service("web", needs(128, 128), 2, {})});
  const auto outcome = place(made);
  CHECK(std::count(outcome.facts.begin(), outcome.facts.end(),
                   PlacementFact{PlacementFact::Kind::kSpreadAttributeAbsent, {zone}, 1}) == 1);
}

}  // namespace cases_test
