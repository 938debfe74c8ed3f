#include "study/whatif/rollout.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"
#include "timeline/simulate.hpp"

namespace rollout_test {

using namespace bayplan;
using namespace bayplan::study;
using namespace bayplan::placement::build;
using placement::Scenario;

namespace {

struct Percents {
  std::int64_t minimum = 100;
  std::int64_t maximum = 200;
};

/// A service "web" of so many tasks on `instances`, and a deployment of its second definition after ten minutes.
Scenario rollout(std::vector<placement::InstanceProfile> instances, const capacity::TaskRequirement& task,
                 std::int64_t count, Percents percents) {
  auto web = service("web", task, count);
  web.minimum_healthy_percent = percents.minimum;
  web.maximum_percent = percents.maximum;
  auto result = scenario_with(std::move(instances), {web, web});
  result.task_definitions[1].name = "web:2";
  auto& timetable = result.timetable;
  timetable.has_time = true;
  timetable.tasks.resize(2);
  placement::ServicePlan plan;
  plan.desired_count = count;
  timetable.services = {plan};
  placement::UpdateService update;
  update.workload = 1;
  timetable.events = {{600, update, {}}};
  return result;
}

placement::InstanceProfile host(const std::string& type, MicroUsd price, std::string zone = "us-east-1a") {
  auto profile = instance(type, 4096, 1500, {}, std::move(zone));
  profile.hourly_price = price;
  return profile;
}

std::vector<BlockedDeployment> held(const Scenario& scenario) {
  return find_blocked_deployments(scenario, timeline::simulate(scenario));
}

struct Words {
  std::string operator()(const SetMinimumHealthyPercent& change) const {
    return "minimum " + std::to_string(change.percent);
  }
  std::string operator()(const SetMaximumPercent& change) const { return "maximum " + std::to_string(change.percent); }
  std::string operator()(const ChangePorts& change) const { return "ports " + std::to_string(change.ports.size()); }
  std::string operator()(const placement::AddInstances& change) const {
    return "one more " + change.profiles.front().instance_type;
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

std::vector<std::string> words(const BlockedDeployment& held) {
  std::vector<std::string> all;
  for (const auto& remedy : held.remedies) {
    all.push_back(std::visit(Words{}, remedy.change) + ", " + std::to_string(remedy.takes) + " s");
  }
  return all;
}

using Lines = std::vector<std::string>;
const auto kSmall = needs(100, 100);

}  // namespace

TEST_CASE("rollout: a deployment that finishes is not held") {
  CHECK(held(rollout({host("a", 1)}, kSmall, 2, {})).empty());
}

TEST_CASE("rollout: a fixed host port on the only instance") {
  const auto all = held(rollout({host("a", 1)}, with_tcp(kSmall, {80}), 1, {}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].deployment == 1);
  CHECK(all[0].blocker == DeploymentBlocker::kNoPlace);
  CHECK(all[0].without_place == 1);
  CHECK(all[0].old_tasks == 1);
  // The old task stops for 30 s before the new one starts and is healthy 40 s later; or both run side by side
  // for 40 s before the old one stops.
  CHECK(words(all[0]) == Lines{"minimum 0, 70 s", "ports 1, 70 s", "one more a, 70 s"});
  CHECK(all[0].remedies.back().hourly_cost == 1);
}

TEST_CASE("rollout: healthy percents that allow neither start nor stop") {
  const auto all = held(rollout({host("a", 1)}, kSmall, 4, {100, 100}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].blocker == DeploymentBlocker::kHealthyPercents);
  CHECK(all[0].failure == timeline::kNoIndex);
  CHECK(all[0].old_tasks == 4);
  // The nearest that work: three of four must stay, or a fifth may run.
  CHECK(words(all[0]) == Lines{"minimum 75, 160 s", "maximum 125, 190 s"});
}

TEST_CASE("rollout: a daemon is offered no maximumPercent") {
  // The maximumPercent of a daemon is 100 (BAY1110).
  auto scenario = rollout({host("a", 1)}, kSmall, 1, {100, 100});
  for (auto& workload : scenario.workloads) workload.kind = placement::WorkloadKind::kDaemon;
  const auto daemon = held(scenario);
  REQUIRE(daemon.size() == 1);
  CHECK(words(daemon[0]) == Lines{"minimum 0, 70 s"});
}

TEST_CASE("rollout: percentages that an update states are changed there") {
  auto scenario = rollout({host("a", 1)}, kSmall, 4, {0, 200});
  auto& update = std::get<placement::UpdateService>(scenario.timetable.events[0].event);
  update.minimum_healthy_percent = 100;
  update.maximum_percent = 100;
  const auto all = held(scenario);
  REQUIRE(all.size() == 1);
  CHECK(all[0].terms.minimum_healthy_percent == 100);
  CHECK(all[0].terms.maximum_percent == 100);
  CHECK(words(all[0]) == Lines{"minimum 75, 160 s", "maximum 125, 190 s"});
}

TEST_CASE("rollout: the cheapest instance that is enough") {
  const auto task = needs(100, 1000);
  auto small = host("small", 5);
  small.memory = 900;
  const auto all = held(rollout({small, host("dear", 40), host("cheap", 20)}, task, 2, {}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].blocker == DeploymentBlocker::kNoPlace);
  CHECK(words(all[0]) == Lines{"minimum 50, 140 s", "one more cheap, 140 s"});
  CHECK(all[0].remedies.back().hourly_cost == 20);
}

TEST_CASE("rollout: a circuit breaker that opens for lack of a place") {
  auto scenario = rollout({host("a", 1)}, needs(100, 1000), 1, {});
  scenario.timetable.services[0].circuit_breaker.enabled = true;
  scenario.timetable.tasks[0].stop_delay = 20;
  const auto all = held(scenario);
  REQUIRE(all.size() == 1);
  CHECK(all[0].blocker == DeploymentBlocker::kNoPlace);
  CHECK(words(all[0]) == Lines{"minimum 0, 60 s", "one more a, 60 s"});
}

TEST_CASE("rollout: tasks that end before they are healthy have no remedy here") {
  auto scenario = rollout({host("a", 1)}, kSmall, 1, {});
  scenario.timetable.services[0].circuit_breaker.enabled = true;
  scenario.timetable.tasks[1].duration = 5;
  const auto all = held(scenario);
  REQUIRE(all.size() == 1);
  CHECK(all[0].blocker == DeploymentBlocker::kTasksEnd);
  CHECK(all[0].remedies.empty());
}

TEST_CASE("rollout: nothing that is tried helps") {
  auto scenario = rollout({host("a", 1)}, kSmall, 1, {});
  scenario.workloads[1].requirement = needs(100, 9000);
  const auto all = held(scenario);
  REQUIRE(all.size() == 1);
  CHECK(all[0].blocker == DeploymentBlocker::kNoPlace);
  CHECK(all[0].remedies.empty());
  CHECK_FALSE(all[0].exhausted);
}

TEST_CASE("rollout - tasks of later deployments are not old ones") {
  auto scenario = rollout({host("m5.large", 96'000)}, kSmall, 1, {});
  scenario.workloads[0].requirement = needs(100, 90'000);
  scenario.timetable.services[0].circuit_breaker.enabled = true;
  scenario.timetable.timing.placement_retry_delay = 10;
  const auto all = held(scenario);
  REQUIRE(all.size() == 1);
  CHECK(all[0].deployment == 0);
  CHECK(all[0].old_tasks == 0);
}

}  // namespace rollout_test
