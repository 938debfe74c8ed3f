// The library's place and plan_fleet as others call them: public headers alone.
#include <bayplan/bayplan.hpp>
#include <limits>
#include <string>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace {

using bayplan::FleetOptions;
using bayplan::ScenarioInput;

const std::string kTrain = R"({"family": "train", "containerDefinitions": [{"name": "trainer", "image": "r/train:7",
  "cpu": 4096, "memory": 30000, "resourceRequirements": [{"type": "GPU", "value": "2"}]}]})";

/// So many tasks with two GPUs each on two p3.8xlarge with four each; no file of the disk is in reach.
ScenarioInput scenario_with(const std::string& count, const std::string& more = {}) {
  return {.path = "deploy/scenario.yaml",
          .texts = {{"deploy/scenario.yaml", R"(
cluster:
  containerInstances:
    - {instanceType: p3.8xlarge, count: 2, availabilityZones: [us-east-2a, us-east-2b], reservedPorts: [22]}
taskDefinitions: [defs/*.json]
tasks:
  - {taskDefinition: train, count: )" + count + "}\n" +
                                                 more},
                    {"deploy/defs/train.json", kTrain}},
          .reads_disk = false};
}

std::string first_error(const std::vector<bayplan::Error>& errors) {
  return to_string(errors.front());
}

}  // namespace

TEST_CASE("library - the version is that of the headers") {
  const std::string headers = std::to_string(BAYPLAN_VERSION_MAJOR) + "." + std::to_string(BAYPLAN_VERSION_MINOR) +
                              "." + std::to_string(BAYPLAN_VERSION_PATCH);
  CHECK(bayplan::version() == headers);
}

TEST_CASE("library place - placements, failures and what is left") {
  const auto report = bayplan::place(scenario_with("5"));
  REQUIRE(report);
  CHECK(!report->all_placed());
  CHECK(report->placements.size() == 4);
  CHECK(report->summary.placed == 4);
  CHECK(report->summary.unplaced == 1);
  REQUIRE(report->instances.size() == 2);
  const auto& first = report->placements.front();
  CHECK(first.task == "train#1");
  CHECK(first.task_definition == "train:1");
  REQUIRE(first.containers.size() == 1);
  CHECK(first.containers.front().container == "trainer");
  CHECK(first.containers.front().gpu_ids.size() == 2);
  for (const auto& instance : report->instances) {
    CHECK(instance.registered.gpus == 4);
    CHECK(instance.remaining.gpus == 0);
    CHECK(instance.remaining.memory == instance.registered.memory - 2 * 30'000);
    CHECK(instance.registered.tcp_ports == std::vector<std::uint16_t>{22});
    CHECK(instance.tasks == 2);
    CHECK(instance.gpus.size() == 4);
    CHECK(instance.gpus.front().tasks.size() == 1);
  }
  REQUIRE(report->failures.size() == 1);
  const auto& failure = report->failures.front();
  CHECK(failure.task == "train#5");
  CHECK(failure.reason == "RESOURCE:GPU");
  CHECK(failure.explained_by == "train#5");
  REQUIRE(failure.instances.size() == 2);
  CHECK(failure.instances.front().shortfall.gpus == 2);
  CHECK(failure.rejected == std::map<std::string, std::int64_t>{{"RESOURCE:GPU", 2}});
}

TEST_CASE("library place - a second failure names the first that explains it") {
  const auto report = bayplan::place(scenario_with("6"));
  REQUIRE(report);
  REQUIRE(report->failures.size() == 2);
  CHECK(report->failures[1].explained_by == "train#5");
  CHECK(report->failures[1].instances.empty());
  CHECK(report->failures[1].reason == "RESOURCE:GPU");
}

TEST_CASE("library place - as many as fit") {
  auto input = scenario_with("1");
  input.tasks = {"train=max"};
  const auto report = bayplan::place(input);
  REQUIRE(report);
  REQUIRE(report->limits.size() == 1);
  CHECK(report->limits.front().fit == 3);
  REQUIRE(report->limits.front().ended_by);
  CHECK(report->limits.front().ended_by->reason == "RESOURCE:GPU");
}

TEST_CASE("library place - options") {
  const auto spread = bayplan::place(scenario_with("2"), {.strategies = {"spread:attribute:ecs.availability-zone"}});
  REQUIRE(spread);
  CHECK(spread->placements[0].instance != spread->placements[1].instance);
  const auto packed = bayplan::place(scenario_with("2"), {.strategies = {"binpack:memory"}});
  REQUIRE(packed);
  CHECK(packed->placements[0].instance == packed->placements[1].instance);
  const auto bound =
      bayplan::place(scenario_with("4"),
                     {.constraints = {"type=memberOf,expression=\"attribute:ecs.availability-zone == us-east-2a\""}});
  REQUIRE(bound);
  CHECK(bound->placements.size() == 2);
  CHECK(!bayplan::place(scenario_with("2"), {.strategies = {"binpack:gpu"}}));
  auto seeded = scenario_with("2");
  seeded.seed = 7;
  CHECK(bayplan::place(seeded)->seed == 7);
  seeded.seed = std::numeric_limits<std::uint64_t>::max();
  CHECK(!bayplan::place(seeded));
  auto elsewhere = scenario_with("2");
  elsewhere.region = "us-oost-1";
  CHECK(!bayplan::place(elsewhere));
}

TEST_CASE("library place - errors have their place") {
  auto missing = scenario_with("2");
  missing.texts.erase("deploy/defs/train.json");
  CHECK(first_error(bayplan::place(missing).errors()).rfind("deploy/scenario.yaml:", 0) == 0);
  CHECK(first_error(bayplan::place(scenario_with("two")).errors()).rfind("deploy/scenario.yaml:7:36: ", 0) == 0);
  CHECK(first_error(bayplan::place({}).errors()).rfind("nothing to place", 0) == 0);
  CHECK(!bayplan::place({.path = "/nowhere/scenario.yaml"}));
  const auto timed = bayplan::place(scenario_with("2, duration: 30m"));
  REQUIRE(!timed);
  CHECK(timed.errors().front().message.find("duration") != std::string::npos);
  auto small = scenario_with("2");
  small.max_bytes = 10;
  CHECK(!bayplan::place(small));
}

TEST_CASE("library place - what ECS would reject is not placed") {
  auto refused = scenario_with("2");
  refused.texts["deploy/defs/train.json"].replace(kTrain.find("\"train\""), 7, "\"tr in\"");
  refused.texts["deploy/scenario.yaml"].replace(refused.texts["deploy/scenario.yaml"].find("taskDefinition: train"), 21,
                                                "taskDefinition: tr in");
  const auto report = bayplan::place(refused);
  REQUIRE(!report);
  CHECK(report.errors().front().file == "deploy/defs/train.json");
  CHECK(report.errors().front().kind == bayplan::ErrorKind::kInput);
  CHECK(report.errors().front().message.find("BAY") != std::string::npos);
  refused.lint = false;
  CHECK(bayplan::place(refused).has_value());
}

TEST_CASE("library place - texts come before the disk") {
  const bayplan::TemporaryFolder folder;
  folder.put("train.json", kTrain);
  ScenarioInput input = scenario_with("1");
  auto text = input.texts["deploy/scenario.yaml"];
  text.replace(text.find("defs/*.json"), 11, "train.json");
  input = {.path = folder.file("scenario.yaml"), .texts = {{folder.file("scenario.yaml"), text}}};
  CHECK(bayplan::place(input).has_value());
  input.texts[folder.file("train.json")] = "{";
  CHECK(!bayplan::place(input));
  input.reads_disk = false;
  input.texts.erase(folder.file("train.json"));
  CHECK(!bayplan::place(input));
}

TEST_CASE("library plan_fleet - instances, price, bound and proof") {
  const auto report = bayplan::plan_fleet(scenario_with("4"), {.types = {"p3.8xlarge", "p3.16xlarge"}});
  REQUIRE(report);
  CHECK(report->tasks == 4);
  REQUIRE(report->ideal);
  REQUIRE(report->recommended);
  CHECK(report->proof.optimal);
  CHECK(report->proof.certificate_checked);
  CHECK(report->proof.lower_bound == report->ideal->hourly_cost);
  bayplan::MicroUsd sum = 0;
  for (const auto& one : report->ideal->purchases) sum += one.count * one.hourly_price;
  CHECK(sum == report->ideal->hourly_cost);
  CHECK(report->answer.rfind("Buy ", 0) == 0);
  CHECK(report->recommended->orders == 20);
}

TEST_CASE("library plan_fleet - Managed Instances are launched, not bought") {
  const auto report = bayplan::plan_fleet({.path = "scenario.yaml",
                                           .texts = {{"scenario.yaml", R"(
taskDefinitions:
  - {family: web, networkMode: awsvpc, cpu: "512", memory: "1024", containerDefinitions: [{name: c, image: i}]}
capacityProviders:
  - name: p
    availabilityZones: [us-east-1a, us-east-1b]
    managedInstancesProvider: {instanceLaunchTemplate: {instanceRequirements: {vCpuCount: {min: 2}, memoryMiB: {min: 4096}}}}
services:
  - {serviceName: web, taskDefinition: web, desiredCount: 4, capacityProviderStrategy: [{capacityProvider: p, weight: 1}]}
)"}},
                                           .reads_disk = false},
                                          {.types = {"m5.large"}});
  REQUIRE(report);
  CHECK(report->tasks == 0);
  CHECK(report->managed_unplaced.empty());
  REQUIRE(report->managed_instances.size() == 1);
  CHECK(report->managed_instances.front().instance_type == "m5.large");
  CHECK(report->managed_instances.front().count == 2);
  CHECK(report->answer.rfind("Capacity provider p launches 2 m5.large", 0) == 0);
}

TEST_CASE("library plan_fleet - options") {
  const FleetOptions plain{.types = {"p3.8xlarge"}};
  const auto base = bayplan::plan_fleet(scenario_with("4"), plain);
  REQUIRE(base);
  auto half = plain;
  half.discounts = {{"p3", 0.5}};
  CHECK(bayplan::plan_fleet(scenario_with("4"), half)->ideal->hourly_cost * 2 == base->ideal->hourly_cost);
  auto more = plain;
  more.headroom_percent = 100;
  CHECK(bayplan::plan_fleet(scenario_with("4"), more)->tasks == 8);
  auto owned = plain;
  owned.owned = {{"p3.8xlarge", 2}};
  CHECK(bayplan::plan_fleet(scenario_with("4"), owned)->ideal->hourly_cost == 0);
  auto limited = plain;
  limited.limits = {{"p3.8xlarge", 1}};
  CHECK(bayplan::plan_fleet(scenario_with("4"), limited)->left_over == 2);
  auto quota = plain;
  quota.vcpu_quotas = {{"P", 32}};
  CHECK(bayplan::plan_fleet(scenario_with("4"), quota)->left_over == 2);
  auto kept = plain;
  kept.add_only = true;
  CHECK(bayplan::plan_fleet(scenario_with("4"), kept)->ideal->purchases.empty());
  auto zoned = plain;
  zoned.zones = 3;
  zoned.survive_zone_loss = true;
  CHECK(bayplan::plan_fleet(scenario_with("4"), zoned)->recommended->fleet.hourly_cost > base->ideal->hourly_cost);
  const auto unplaceable = bayplan::plan_fleet(scenario_with("4"), {.types = {"m5.large"}});
  REQUIRE(unplaceable);
  REQUIRE(unplaceable->unplaceable.size() == 1);
  CHECK(unplaceable->unplaceable.front().count == 4);
  CHECK(unplaceable->unplaceable.front().types.front().instance_type == "m5.large");
  CHECK(!unplaceable->ideal);
}

TEST_CASE("library plan_fleet - what cannot be asked for") {
  const auto refused = [](const FleetOptions& options) { return !bayplan::plan_fleet(scenario_with("4"), options); };
  CHECK(refused({.types = {"p9.*"}}));
  CHECK(refused({.discounts = {{"p3", std::numeric_limits<double>::quiet_NaN()}}}));
  CHECK(refused({.discounts = {{"p3", 1e300}}}));
  CHECK(refused({.limits = {{"p3.8xlarge", -1}}}));
  CHECK(refused({.max_types = 0}));
  CHECK(refused({.zones = 0}));
  CHECK(refused({.zones = 1, .survive_zone_loss = true}));
  CHECK(refused({.headroom_percent = 1001}));
  CHECK(refused({.orders = 0}));
  CHECK(refused({.effort = 0}));
  auto endless = scenario_with("1");
  endless.tasks = {"train=max"};
  CHECK(!bayplan::plan_fleet(endless, {}));
  CHECK(!bayplan::plan_fleet({}, {}));
  CHECK(!bayplan::plan_fleet({.tasks = {"train.json=1"}}, {.add_only = true}));
}

TEST_CASE("library plan_fleet - the caller ends the search") {
  int asked = 0;
  const auto report = bayplan::plan_fleet(scenario_with("40"), {.go_on = [&](const bayplan::FleetProgress&) {
                                            ++asked;
                                            return false;
                                          }});
  REQUIRE(report);
  CHECK(asked > 0);
  CHECK(report->proof.stopped_by == bayplan::StoppedBy::kCaller);
}
