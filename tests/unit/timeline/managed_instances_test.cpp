#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace managed_instances_test {

using namespace bayplan;
using namespace bayplan::timeline;

namespace {

constexpr Seconds kBoot = 109;
constexpr Seconds kDay = 86'400;

struct Asked {
  std::string requirements = "vCpuCount: {min: 2}, memoryMiB: {min: 2048}, cpuManufacturers: [intel, amd]";
  std::string zones = "us-east-1a, us-east-1b, us-east-1c";
  std::string optimization = "scaleInAfter: 300";
  std::string rest;         ///< services and tasks.
  std::string more;         ///< Members of the task definition.
  std::string cpu = "512";  ///< CPU units of a task, and MiB.
  std::string memory = "1024";
};

std::string text_of(const Asked& asked) {
  return fmt::format(
      "region: us-east-1\n"
      "taskDefinitions: [{{family: t, networkMode: awsvpc, requiresCompatibilities: [MANAGED_INSTANCES], cpu: '{}', "
      "memory: '{}', "
      "{}containerDefinitions: [{{name: c, image: i}}]}}]\n"
      "capacityProviders: [{{name: p, availabilityZones: [{}], managedInstancesProvider: "
      "{{infrastructureOptimization: {{{}}}, instanceLaunchTemplate: {{instanceRequirements: {{{}}}}}}}}}]\n{}",
      asked.cpu, asked.memory, asked.more, asked.zones, asked.optimization, asked.requirements, asked.rest);
}

const std::string kOnP = "capacityProviderStrategy: [{capacityProvider: p, weight: 1}]";

scenario::LoadedScenario load(const Asked& asked, Seconds until = 3'600) {
  MemoryFiles files;
  files.content["scenario.yaml"] = text_of(asked);
  static auto catalog = catalog::Catalog::load();  // scenarios view it
  scenario::ScenarioRequest request;
  request.scenario = "scenario.yaml";
  request.until = until;
  return scenario::load_scenario(request, files, catalog);
}

std::string service(int count) {
  return fmt::format("services: [{{serviceName: s, taskDefinition: t, desiredCount: {}, {}}}]\n", count, kOnP);
}

/// "c6a.large us-east-1a 0-400": type, zone, launch and end of each instance.
std::vector<std::string> lives(const placement::Scenario& scenario, const History& history) {
  std::vector<std::string> lines;
  for (const auto& one : history.instances) {
    const auto& profile = scenario.profiles[one.profile];
    lines.push_back(fmt::format("{} {} {}-{}", profile.instance_type, profile.availability_zone, one.launched_at,
                                one.terminated_at ? std::to_string(*one.terminated_at) : ""));
  }
  return lines;
}

using Lines = std::vector<std::string>;

Lines run(const Asked& asked, Seconds until = 3'600) {
  const auto loaded = load(asked, until);
  REQUIRE(loaded.scenario);
  const auto history = simulate(*loaded.scenario);
  CHECK(verify(*loaded.scenario, history).empty());
  return lives(*loaded.scenario, history);
}

}  // namespace

// ECS developer guide, Managed Instances auto scaling: services with several tasks go to at least three instances in
// different zones. c6a.large at 0.0765 is the cheapest type on x86_64 that holds 0.5 vCPU and 1 GiB.
TEST_CASE("managed instances - a service goes to three zones") {
  CHECK(run({.rest = service(3)}) ==
        Lines{"c6a.large us-east-1a 0-", "c6a.large us-east-1b 0-", "c6a.large us-east-1c 0-"});
  CHECK(run({.zones = "us-east-1a", .rest = service(3)}) == Lines{"c6a.large us-east-1a 0-"});
  CHECK(run({.rest = service(1)}) == Lines{"c6a.large us-east-1a 0-"});
}

TEST_CASE("managed instances - an idle instance ends") {
  const std::string task = "tasks: [{taskDefinition: t, duration: 10m, " + kOnP + "}]\n";
  const Seconds end = kBoot + 600;
  CHECK(run({.rest = task}) == Lines{fmt::format("c6a.large us-east-1a 0-{}", end + 300)});
  CHECK(run({.optimization = "scaleInAfter: -1", .rest = task}) == Lines{"c6a.large us-east-1a 0-"});
  CHECK(run({.optimization = "scaleInAfter: 0", .rest = task}) == Lines{fmt::format("c6a.large us-east-1a 0-{}", end)});
}

TEST_CASE("managed instances - a task waits for its instance alone") {
  const std::string tasks = "tasks: [{taskDefinition: t, count: 4, duration: 1h, " + kOnP + "}]\n";
  CHECK(run({.rest = tasks, .cpu = "2048", .memory = "2048"}) ==
        Lines{"c6a.large us-east-1a 0-", "c6a.large us-east-1b 0-", "c6a.large us-east-1c 0-",
              "c6a.large us-east-1a 0-"});
}

// Patching page of the guide: draining starts at day 14, the instance is gone by day 21.
TEST_CASE("managed instances - instances are replaced at the age of 14 days") {
  const auto loaded = load({.zones = "us-east-1a", .rest = service(1)}, 20 * kDay);
  REQUIRE(loaded.scenario);
  const auto history = simulate(*loaded.scenario);
  CHECK(verify(*loaded.scenario, history).empty());
  REQUIRE(history.instances.size() == 2);
  CHECK(history.instances[0].draining_at == 14 * kDay);
  CHECK(history.instances[1].launched_at == 14 * kDay);
  CHECK(history.instances[0].terminated_at > history.instances[1].active_at);
  const std::string task = "tasks: [{taskDefinition: t, " + kOnP + "}]\n";
  const auto standalone = run({.zones = "us-east-1a", .rest = task}, 22 * kDay);
  CHECK(standalone == Lines{fmt::format("c6a.large us-east-1a 0-{}", 21 * kDay)});
}

TEST_CASE("managed instances - the stated architecture") {
  const Asked any{
      .requirements = "vCpuCount: {min: 2}, memoryMiB: {min: 2048}", .zones = "us-east-1a", .rest = service(1)};
  CHECK(run(any) == Lines{"c6g.large us-east-1a 0-"});
  auto x86 = any;
  x86.more = "runtimePlatform: {cpuArchitecture: X86_64}, ";
  CHECK(run(x86) == Lines{"c6a.large us-east-1a 0-"});
}

// 12 % of 0.0765 is 0.00918 (ECS pricing page, 2026-09-20); g4dn.xlarge 0.526 with 7.8 %: 0.041028.
TEST_CASE("managed instances - the price has the fee") {
  const auto price_of = [](const Asked& asked) {
    const auto loaded = load(asked);
    REQUIRE(loaded.scenario);
    const auto& group = loaded.scenario->timetable.groups.front();
    return loaded.scenario->profiles[group.types.front().profiles.front()].hourly_price;
  };
  CHECK(price_of({.rest = service(1)}) == 85'680);
  CHECK(price_of({.requirements = "vCpuCount: {min: 2}, memoryMiB: {min: 2048}, allowedInstanceTypes: [g4dn.xlarge]",
                  .rest = service(1)}) == 567'028);
}

TEST_CASE("managed instances - what can never work") {
  const auto message = [](const Asked& asked) {
    const auto loaded = load(asked);
    return loaded.errors.empty() ? std::string() : loaded.errors.front().message;
  };
  CHECK(message({.requirements = "vCpuCount: {min: 8, max: 4}, memoryMiB: {min: 1}", .rest = service(1)}) ==
        "vCpuCount: min is 8, more than max, which is 4");
  CHECK(message({.requirements = "vCpuCount: {min: 2}, memoryMiB: {min: 1}, allowedInstanceTypes: [p3.2xlarge]",
                 .rest = service(1)})
            .find("no instance type matches the requirements of 'p': allowedInstanceTypes leaves none") == 0);
  const auto large = load({.requirements = "vCpuCount: {min: 2, max: 2}, memoryMiB: {min: 2048}",
                           .rest = service(1),
                           .cpu = "8192",
                           .memory = "16384"});
  REQUIRE(large.scenario);
  REQUIRE(large.scenario->findings.size() == 1);
  CHECK(large.scenario->findings.front().id == "managed-instances-no-type");
}

}  // namespace managed_instances_test
