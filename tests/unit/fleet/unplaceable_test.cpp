#include "base/memory_files.hpp"
#include "catch.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/markets.hpp"
#include "placement/model/profiles.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::fleet {
namespace {

using namespace placement;
using namespace scenario;
using namespace placement::build;
using test::usual_market;

Unplaceable unplaceable(Workload workload, const Market& on_offer = usual_market()) {
  const auto question = make_packing_question(scenario_with({}, {std::move(workload)}), on_offer, {});
  REQUIRE(question.unplaceable.size() == 1);
  CHECK(question.problem.shapes.empty());
  return question.unplaceable.front();
}

TEST_CASE("a task that fits no type is told with each type, nearest first") {
  const auto told = unplaceable(run_task("a", needs(128, 70000), 2));
  CHECK(told.count == 2);
  CHECK(told.contradiction.empty());
  REQUIRE(told.rejections.size() == 3);
  CHECK(told.rejections[0].instance_type == "g.four");
  CHECK(told.rejections[0].shortfall.memory == 6000);
  CHECK(told.rejections[2].instance_type == "c.small");
  CHECK(told.rejections[2].failed.has(Check::kMemory));
}

TEST_CASE("constraints that cannot hold together are named") {
  const auto pair = unplaceable(constrained(
      run_task("a", needs(128, 100), 1),
      {member_of("attribute:ecs.instance-type =~ c.*"), member_of("attribute:ecs.os-type == linux"),
       member_of("attribute:ecs.instance-type != c.small"), member_of("attribute:ecs.instance-type != c.large")}));
  CHECK(pair.contradiction ==
        "no available instance type meets memberOf \"attribute:ecs.instance-type =~ c.*\", memberOf "
        "\"attribute:ecs.instance-type != c.small\" and memberOf \"attribute:ecs.instance-type != c.large\" together");
  const auto gpu = unplaceable(constrained(run_task("a", with_gpus(needs(128, 100), {2}), 1),
                                           {member_of("attribute:ecs.instance-type =~ c.*")}));
  CHECK(gpu.contradiction ==
        "no available instance type meets memberOf \"attribute:ecs.instance-type =~ c.*\" and 2 GPUs together");
  const auto one = unplaceable(constrained(run_task("a", needs(128, 100), 1), {member_of("attribute:stack == prod")}));
  CHECK(one.contradiction == "no available instance type meets memberOf \"attribute:stack == prod\"");
}

Workload waiting(const std::string& expression, std::string group = "family:a") {
  auto task = constrained(run_task("a", needs(128, 100), 1), {member_of(expression)});
  task.group = std::move(group);
  return task;
}

TEST_CASE("a task that waits for one that cannot start is told which") {
  const auto told = unplaceable(waiting("task:group == service:b"));
  CHECK(told.contradiction ==
        "no available instance type meets memberOf \"task:group == service:b\": no task of group service:b can start");
  CHECK(told.rejections[0].failed.has(Check::kMemberOf));
  CHECK(unplaceable(waiting("runningTasksCount > 0")).contradiction ==
        "no available instance type meets memberOf \"runningTasksCount > 0\": no task can start that makes it hold");
  // The first of them would need another one.
  CHECK(unplaceable(waiting("task:group == family:a")).contradiction.ends_with("no task of group family:a can start"));
  // No task would help where no type has the attribute.
  CHECK(unplaceable(waiting("attribute:stack == prod and task:group == service:b")).contradiction ==
        "no available instance type meets memberOf \"attribute:stack == prod and task:group == service:b\"");
}

TEST_CASE("tasks that wait for each other cannot start, and one that can start lets all of them") {
  const auto count_unplaceable = [](std::vector<Workload> workloads) {
    return make_packing_question(scenario_with({}, std::move(workloads)), usual_market(), {}).unplaceable.size();
  };
  const auto first = waiting("task:group == g:2", "g:1");
  const auto second = waiting("task:group == g:1", "g:2");
  CHECK(count_unplaceable({first, second}) == 2);
  const auto third = waiting("attribute:ecs.instance-type exists", "g:1");
  CHECK(count_unplaceable({first, second, third}) == 0);
  auto nothing = third;
  nothing.count = 0;
  CHECK(count_unplaceable({first, second, nothing}) == 2);
}

TEST_CASE("an instance of another architecture is rejected for its attribute") {
  auto given = usual_market();
  for (auto& one : given.offers) one.profile.attributes["ecs.cpu-architecture"] = "x86_64";
  auto arm = run_task("a", needs(128, 100), 1);
  arm.requirement.architecture = "arm64";
  const auto told = unplaceable(arm, given);
  CHECK(told.rejections[0].failed.has(placement::Check::kAttribute));
  CHECK(told.rejections[0].unmet_need == "x86_64, requires arm64");
  CHECK(told.contradiction == "no available instance type meets runtimePlatform arm64");
}

TEST_CASE("an image that names no processor stays on the usual one where it can") {
  auto given = usual_market();
  for (auto& one : given.offers) one.profile.attributes["ecs.cpu-architecture"] = "x86_64";
  given.offers[0].profile.attributes["ecs.cpu-architecture"] = "arm64";
  const auto question = make_packing_question(scenario_with({}, {run_task("a", needs(128, 100), 1)}), given, {});
  CHECK(question.problem.shapes[0].allowed == std::vector<bool>{false, true, true});
  REQUIRE(question.assumptions.size() == 1);
  CHECK(question.assumptions[0].id == "architecture-not-stated");
  CHECK(question.assumptions[0].text == "a without runtimePlatform.cpuArchitecture: planned on x86_64 alone");
  REQUIRE(question.constraints.size() == 1);
  CHECK(question.constraints[0].first == 0);
  CHECK(question.constraints[0].second.source == "not(attribute:ecs.cpu-architecture == arm64)");

  for (auto& one : given.offers) one.profile.attributes["ecs.cpu-architecture"] = "arm64";
  const auto arm_only = make_packing_question(scenario_with({}, {run_task("a", needs(128, 100), 1)}), given, {});
  CHECK(arm_only.problem.shapes[0].allowed == std::vector<bool>{true, true, true});
  CHECK(arm_only.constraints.empty());
}

TEST_CASE("what the cluster runs on is the usual processor") {
  auto given = usual_market();
  for (auto& one : given.offers) one.profile.attributes["ecs.cpu-architecture"] = "x86_64";
  given.offers[0].profile.attributes["ecs.cpu-architecture"] = "arm64";
  auto stands = instance("c.small", 2048, 4000);
  stands.attributes["ecs.cpu-architecture"] = "arm64";
  const auto question = make_packing_question(scenario_with({stands}, {run_task("a", needs(128, 100), 1)}), given, {});
  CHECK(question.problem.shapes[0].allowed == std::vector<bool>{true, false, false});
  REQUIRE(question.constraints.size() == 1);
  CHECK(question.constraints[0].second.source == "not(attribute:ecs.cpu-architecture == x86_64)");
}

TEST_CASE("GPUs that are not what a task is said to need keep it off, and ECS is to be told") {
  catalog::Catalog catalog = catalog::Catalog::load();
  const MemoryFiles files(
      {{"train.json", R"({"family": "train", "containerDefinitions": [{"name": "c", "image": "i",
    "memory": 1000, "resourceRequirements": [{"type": "GPU", "value": "2"}],
    "dockerLabels": {"bayplan.interconnect": "nvlink"}}]})"},
       {"s.yaml", "taskDefinitions: [train.json]\ntasks:\n  - {taskDefinition: train, count: 2}\n"}});
  const auto loaded = load_scenario({.scenario = "s.yaml", .may_be_idle = true}, files, catalog);
  for (const auto& error : loaded.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded.scenario);
  Market given;
  for (const auto type : {"g4dn.12xlarge", "m5.large", "p3.8xlarge"}) {
    given.offers.push_back(test::offer(profile_of_type(catalog, type).value(), 1));
    add_built_in_attributes(given.offers.back().profile);
  }
  const auto question = make_packing_question(*loaded.scenario, given, {});
  CHECK(question.problem.shapes.at(0).allowed == std::vector<bool>{false, false, true});
  REQUIRE(question.constraints.size() == 1);
  CHECK(question.constraints[0].second.source == "attribute:ecs.instance-type in [p3.8xlarge]");

  given.offers.pop_back();
  const auto none = make_packing_question(*loaded.scenario, given, {});
  REQUIRE(none.unplaceable.size() == 1);
  CHECK(none.unplaceable[0].rejections[0].instance_type == "g4dn.12xlarge");
  CHECK(none.unplaceable[0].rejections[0].unmet_need == "PCIe, requires NVLink");
  CHECK(none.unplaceable[0].contradiction == "no available instance type meets the need of NVLink and 2 GPUs together");
}

}  // namespace
}  // namespace bayplan::fleet
