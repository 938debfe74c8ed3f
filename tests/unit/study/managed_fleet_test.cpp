// What ECS launches on Managed Instances costs the same in `fleet` and in `place --until`.
#include <string>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "fleet/offers/market.hpp"
#include "scenario/load_scenario.hpp"
#include "study/fleet/fleet_tasks.hpp"
#include "study/fleet/managed_fleet.hpp"
#include "study/payment/load_curve.hpp"
#include "timeline/run_figures.hpp"
#include "timeline/simulate.hpp"

namespace managed_fleet_test {

using namespace bayplan;
using namespace bayplan::study;

namespace {

catalog::Catalog& shared_catalog() {
  static auto catalog = catalog::Catalog::load();  // scenarios view it
  return catalog;
}

/// `tasks`: services and tasks; those of provider p are on Managed Instances.
placement::Scenario load(const std::string& tasks,
                         const std::string& requirements = "vCpuCount: {min: 2, max: 8}, memoryMiB: {min: 2048}") {
  MemoryFiles files;
  files.content["scenario.yaml"] = fmt::format(
      "region: us-east-1\n"
      "taskDefinitions:\n"
      "  - {{family: small, networkMode: awsvpc, cpu: '512', memory: '1024', containerDefinitions: [{{name: c, image: "
      "i}}]}}\n"
      "  - {{family: large, networkMode: awsvpc, cpu: '4096', memory: '9000', containerDefinitions: [{{name: c, image: "
      "i}}]}}\n"
      "capacityProviders: [{{name: p, availabilityZones: [us-east-1a, us-east-1b, us-east-1c], "
      "managedInstancesProvider: {{instanceLaunchTemplate: {{instanceRequirements: {{{}}}}}}}}}]\n{}",
      requirements, tasks);
  scenario::ScenarioRequest request;
  request.scenario = "scenario.yaml";
  auto loaded = scenario::load_scenario(request, files, shared_catalog());
  for (const auto& error : loaded.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded.scenario);
  return std::move(*loaded.scenario);
}

ManagedFleet launch(const placement::Scenario& scenario, const FleetRequest& request = {},
                    fleet::MarketRequest offered = {}) {
  auto rest = tasks_to_plan(scenario);
  auto managed = take_managed_tasks(rest);
  REQUIRE(managed);
  auto launched =
      launch_managed_fleet(std::move(*managed), offered, request, shared_catalog(), MemoryFiles(), Limits());
  REQUIRE(launched.fleet);
  CHECK(launched.fleet->mistakes.empty());
  return std::move(*launched.fleet);
}

const std::string kOnP = "capacityProviderStrategy: [{capacityProvider: p, weight: 1}]";

std::string services(int small, int large) {
  return fmt::format(
      "services:\n  - {{serviceName: s, taskDefinition: small, desiredCount: {}, {}}}\n"
      "  - {{serviceName: l, taskDefinition: large, desiredCount: {}, {}}}\n",
      small, kOnP, large, kOnP);
}

}  // namespace

TEST_CASE("a fleet of Managed Instances costs an hour what the run over time pays for an hour") {
  const auto tasks = GENERATE(services(6, 0), services(1, 1), services(40, 7), services(0, 13));
  const auto scenario = load(tasks);
  const auto fleet = launch(scenario);
  const auto history = timeline::simulate(scenario);
  const auto figures = timeline::figures(scenario, history);
  CHECK(fleet.unplaced.empty());
  CHECK(fleet.hourly_cost() == figures.most_hourly_cost);
  std::int64_t instances = 0;
  for (const auto& one : fleet.instances) instances += one.count;
  CHECK(instances == figures.most_instances);
}

TEST_CASE("tasks on Managed Instances leave the plan, and others stay in it") {
  auto scenario = load("services:\n  - {serviceName: s, taskDefinition: small, desiredCount: 6, " + kOnP +
                       "}\n  - {serviceName: o, taskDefinition: small, desiredCount: 4}\n"
                       "tasks:\n  - {taskDefinition: large, count: 2, " +
                       kOnP + "}\n  - {taskDefinition: large, count: 3}\n");
  const auto managed = take_managed_tasks(scenario);
  REQUIRE(managed);
  const auto count = [](const placement::Scenario& of) {
    std::int64_t all = 0;
    for (const auto& workload : of.workloads) all += workload.count.value_or(0);
    return all;
  };
  CHECK(count(*managed) == 8);
  CHECK(count(scenario) == 7);
  CHECK(scenario.timetable.groups.empty());
  CHECK_FALSE(take_managed_tasks(scenario));
}

TEST_CASE("headroom, --types and --discount hold for Managed Instances") {
  const auto scenario = load(services(6, 0));
  FleetRequest twice;
  twice.headroom_percent = kHundredPercent;
  CHECK(launch(scenario, twice).tasks == 12);

  fleet::MarketRequest one_type;
  one_type.types = {"m5.large"};
  for (const auto& one : launch(scenario, {}, one_type).instances) CHECK(one.instance_type == "m5.large");

  auto half = one_type;
  half.discounts = {"m5=0.5"};
  const auto full_price = launch(scenario, {}, one_type).instances.front().hourly_price;
  CHECK(launch(scenario, {}, half).instances.front().hourly_price < full_price);
}

TEST_CASE("tasks that no type of their provider holds are counted") {
  const auto fleet = launch(load(services(3, 2), "vCpuCount: {min: 2, max: 2}, memoryMiB: {min: 2048}"));
  CHECK(fleet.tasks == 5);
  CHECK(fleet.unplaced == std::map<std::string, std::int64_t>{{"l", 2}});
  fleet::MarketRequest none;
  none.types = {"p4d.24xlarge"};
  const auto without_types = launch(load(services(3, 0)), {}, none);
  CHECK(without_types.instances.empty());
  CHECK(without_types.unplaced == std::map<std::string, std::int64_t>{{"s", 3}});
}

}  // namespace managed_fleet_test
