#include "study/fleet/fleet_deployable.hpp"

#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "study/service_cluster.hpp"
#include "study/whatif/what_if_deploy.hpp"

namespace bayplan::study {
namespace {

using namespace placement;
using namespace placement::build;

InstanceProfile host(MiB memory, MicroUsd price, const std::string& type = "m5.large") {
  auto profile = instance(type, 4'096, memory);
  profile.hourly_price = price;
  return profile;
}

TEST_CASE("a service rolls where one more of its tasks has room") {
  auto given = scenario_with({host(4'000, 100'000), host(4'000, 100'000)}, {service("web", needs(256, 1'000), 7)});
  const auto rolled = roll_each(given);
  REQUIRE(rolled.services.size() == 1);
  CHECK(rolled.services[0].service_name == "web");
  CHECK(rolled.services[0].ok);
  CHECK(rolled.services[0].needs.empty());
  CHECK(rolled.services[0].why.empty());
  CHECK(rolled.all_roll());
}

TEST_CASE("a blue green service needs room for all of its tasks again") {
  const auto slot = host(1'000, 100'000);
  auto given = scenario_with({slot, slot, slot, slot, slot, slot, slot}, {service("web", needs(256, 1'000), 4)});
  given.timetable.services.push_back({.workload = 0, .desired_count = 4});
  CHECK(roll_each(given).services[0].ok);
  given.timetable.services[0].settings.strategy = model::DeploymentStrategy::kBlueGreen;
  const auto rolled = roll_each(given);
  CHECK(!rolled.services[0].ok);
  CHECK(rolled.services[0].why.starts_with("BLUE_GREEN runs 4 new tasks next to 4 old ones, and has room for 3"));
  REQUIRE(rolled.services[0].needs.size() == 1);
  CHECK(rolled.services[0].needs[0].count == 1);
  given.workloads[0].minimum_healthy_percent = 0;  // the percents do not help
  CHECK(!roll_each(given).services[0].ok);
}

TEST_CASE("a service that fills the fleet needs one instance more, or may run less") {
  auto given =
      scenario_with({host(4'000, 100'000), host(8'000, 150'000, "m5.xlarge")}, {service("web", needs(256, 1'000), 12)});
  const auto rolled = roll_each(given);
  CHECK(!rolled.services[0].ok);
  REQUIRE(rolled.services[0].needs.size() == 1);
  CHECK(rolled.services[0].needs[0].instance_type == "m5.large");
  CHECK(rolled.services[0].needs[0].count == 1);
  CHECK(rolled.services[0].why ==
        "all 12 tasks must keep running (minimumHealthyPercent 100), and there is no room for another "
        "(RESOURCE:MEMORY)");
  CHECK(!rolled.all_roll());
  given.workloads[0].minimum_healthy_percent = 50;
  CHECK(roll_each(given).all_roll());
}

TEST_CASE("the cheapest addition is told though it is of more instances") {
  const auto given = scenario_with({host(2'000, 100'000), host(8'000, 500'000, "m5.xlarge")},
                                   {constrained(service("web", needs(256, 1'000), 2), {distinct_instance()})});
  const auto rolled = roll_each(given);
  CHECK(!rolled.services[0].ok);
  REQUIRE(rolled.services[0].needs.size() == 1);
  CHECK(rolled.services[0].needs[0].instance_type == "m5.large");
}

TEST_CASE("a service that may neither start nor stop is helped by no instance") {
  auto given = scenario_with({host(8'000, 100'000)}, {service("web", needs(256, 1'000), 2)});
  given.workloads[0].maximum_percent = 100;
  const auto rolled = roll_each(given);
  CHECK(!rolled.services[0].ok);
  CHECK(rolled.services[0].needs.empty());
  CHECK(rolled.services[0].why ==
        "it can neither start nor stop any of 2 tasks (minimumHealthyPercent 100, maximumPercent 100)");
}

TEST_CASE("services that are not tried for want of effort are told") {
  const auto given =
      scenario_with({host(8'000, 100'000)}, {service("a", needs(256, 1'000), 2), service("b", needs(256, 1'000), 2)});
  RolloutRequest request;
  request.effort = 1;
  const auto rolled = roll_each(given, request);
  CHECK(rolled.services[0].ok);
  CHECK(!rolled.services[1].is_tried);
  CHECK(rolled.exhausted);
}

/// BAYPLAN_ENGINE_CASES=2000 tries more.
TEST_CASE("a service rolls when its deployment finishes in a run over time") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(60));
  std::int64_t rolls = 0, stuck = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    auto given = ServiceCluster(seed, 6).make();
    for (std::uint32_t i = 0; i < given.workloads.size(); ++i) {
      given.timetable.tasks.emplace_back();
      if (given.workloads[i].kind != WorkloadKind::kService) continue;
      given.timetable.services.push_back({.workload = i, .desired_count = *given.workloads[i].count});
      if (seed % 3 == 0) given.timetable.services.back().settings.strategy = model::DeploymentStrategy::kBlueGreen;
    }
    if (!place(given).failures.empty()) continue;
    const auto rolled = roll_each(given);
    for (std::uint32_t i = 0; i < rolled.services.size(); ++i) {
      Variant variant;
      variant.deployments = {{i, given.workloads[i].task_definition}};
      const auto deployed = deploy(given, variant);
      INFO("seed " << seed << ", service " << i << ": " << rolled.services[i].why);
      REQUIRE(deployed.mistakes.empty());
      REQUIRE(rolled.services[i].ok == deployed.finishes());
      ++(rolled.services[i].ok ? rolls : stuck);
    }
  }
  CHECK(rolls > at_least(50));
  CHECK(stuck > at_least(20));
}

}  // namespace
}  // namespace bayplan::study
