#include "placement/explain/cluster_findings.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

using Lines = std::vector<std::string>;

/// "subject: text" of the findings with the id, each text up to its first colon.
Lines found(const Scenario& given, std::string_view id) {
  Lines lines;
  for (const auto& finding : cluster_findings(given, place(given))) {
    if (finding.id == id) lines.push_back(finding.subject + ": " + finding.text.substr(0, finding.text.find(':')));
  }
  return lines;
}

InstanceProfile with_attribute(InstanceProfile profile, std::string name, std::string value) {
  profile.attributes[std::move(name)] = std::move(value);
  return profile;
}

}  // namespace

TEST_CASE("a type with GPUs that registers none is told, and no other") {
  static const auto catalog = catalog::Catalog::load();
  auto silent = instance("g4dn.xlarge", 4096, 15000);
  silent.type = catalog.find("g4dn.xlarge");
  auto loud = silent;
  loud.gpu_count = 1;
  auto plain = instance("m5.large", 2048, 7000);
  plain.type = catalog.find("m5.large");
  CHECK(found(scenario_with({silent, loud, plain}, {}), "gpu-not-registered") ==
        Lines{"g4dn.xlarge#1: registers no GPU although g4dn.xlarge has 1"});
  CHECK(found(scenario_with({loud, plain}, {}), "gpu-not-registered").empty());
}

TEST_CASE("tasks that get no address in their subnets are counted, subnet by subnet") {
  constexpr std::string_view kId = "subnet-addresses-short";
  const auto large = [](std::string_view zone) {
    auto profile = instance("m", 64'000, 64'000, {}, std::string(zone));
    profile.network_interfaces = 100;
    return profile;
  };
  const auto with_subnets = [](std::string name, std::int64_t count, std::vector<std::string> subnets) {
    auto task = run_task(std::move(name), needs(1, 1), count);
    task.requirement.network_interfaces = 1;
    task.subnets = std::move(subnets);
    return task;
  };
  auto given = scenario_with({large("a")}, {with_subnets("one", 4, {"s1"}), with_subnets("two", 3, {"s1", "s2"})});
  given.subnets = {{"s1", {"a", 3, {}}}, {"s2", {"a", 3, {}}}, {"s3", {"b", 0, {}}}};
  CHECK(found(given, kId) == Lines{"s1: 4 tasks are placed in this subnet, which has 3 free addresses"});
  given.subnets["s1"].available_addresses = 4;  // then both subnets together are enough
  CHECK(found(given, kId).empty());
  given.subnets["s2"].available_addresses = 1;  // s1 is full of the tasks that can start nowhere else
  CHECK(found(given, kId) == Lines{"s1, s2: 7 tasks are placed in these subnets, which have 5 free addresses"});
  given.subnets["s1"].available_addresses = 2;  // two of the missing three are reported of s1
  given.subnets["s2"].available_addresses = 2;
  CHECK(found(given, kId) == Lines{"s1: 4 tasks are placed in this subnet, which has 2 free addresses",
                                   "s1, s2: 7 tasks are placed in these subnets, which have 4 free addresses"});

  // A subnet without IPv4, or of which nothing is stated, may have any number.
  given.subnets["s1"].available_addresses = std::nullopt;
  CHECK(found(given, kId).empty());

  // Subnets of other zones do not help, and tasks without an interface need no address.
  auto elsewhere = scenario_with({large("a")}, {with_subnets("one", 2, {"s1", "s3"})});
  elsewhere.subnets = {{"s1", {"a", 0, {}}}, {"s3", {"b", 9, {}}}};
  CHECK(found(elsewhere, kId) == Lines{"s1: 2 tasks are placed in this subnet, which has no free address"});
  elsewhere.workloads[0].requirement.network_interfaces = 0;
  CHECK(found(elsewhere, kId).empty());
}

TEST_CASE("an instance of another architecture takes no task, which ECS does not document") {
  constexpr std::string_view kId = "runtime-platform-not-filtered";
  const auto arm = with_attribute(instance("a", 1024, 4000), "ecs.cpu-architecture", "arm64");
  const auto intel = with_attribute(instance("i", 1024, 4000), "ecs.cpu-architecture", "x86_64");
  auto task = run_task("t", needs(1, 1), 3);
  task.requirement.architecture = "x86_64";
  const auto mixed = scenario_with({arm, intel, arm}, {task});
  for (const auto& placement : place(mixed).placements) CHECK(placement.instance == 1);
  CHECK(found(mixed, kId) == Lines{"t: requires x86_64 and is not placed on a"});
  CHECK(found(scenario_with({intel}, {task}), kId).empty());
  const auto kept_off = constrained(task, {member_of("attribute:ecs.cpu-architecture == x86_64")});
  CHECK(found(scenario_with({intel, arm}, {kept_off}), kId).empty());
  // Where nothing else is, the failure gives the reason.
  const auto foreign = scenario_with({arm}, {task});
  CHECK(found(foreign, kId).empty());
  const auto outcome = place(foreign);
  REQUIRE(outcome.failures.size() == 3);
  CHECK(outcome.failures.front().instances.begin()->shortfall.attributes ==
        std::vector<std::string>{"ecs.cpu-architecture=x86_64"});
}

TEST_CASE("an instance of another operating system takes no task that states its own") {
  constexpr std::string_view kId = "runtime-platform-not-filtered";
  const auto linux_one = with_attribute(instance("l", 1024, 4000), "ecs.os-type", "linux");
  const auto windows = with_attribute(instance("w", 1024, 4000), "ecs.os-type", "windows");
  auto task = run_task("t", needs(1, 1), 1);
  CHECK(found(scenario_with({linux_one}, {task}), kId).empty());
  CHECK(found(scenario_with({windows}, {task}), kId) == Lines{"t: may be placed on w (Windows)"});
  task.requirement.linux = true;
  CHECK(place(scenario_with({windows}, {task})).failures.size() == 1);
  CHECK(place(scenario_with({windows, linux_one}, {task})).placements.front().instance == 1);
  task.requirement.linux = false;
  task.requirement.windows = true;
  CHECK(place(scenario_with({linux_one}, {task})).failures.size() == 1);
  CHECK(found(scenario_with({linux_one, windows}, {task}), kId) == Lines{"t: requires windows and is not placed on l"});
}
