#include "placement/engine/attempts.hpp"

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/engine/tie_runs.hpp"
#include "placement/model/strategies.hpp"
#include "placement/model/timetable.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// On the two capacity providers in turn.
Workload shared(Workload workload) {
  workload.capacity_providers = {{"a", 0, 1}, {"b", 0, 1}};
  return workload;
}

/// The capacity provider of each task, in two calls of `count` tasks.
std::string providers_of(Workload workload, std::int64_t count) {
  auto a = instance("a", 9999, 9999);
  a.capacity_provider_name = "a";
  auto b = a;
  b.capacity_provider_name = "b";
  workload.count = 2 * count;
  auto given = scenario_with({a, b}, {shared(std::move(workload))});
  given.calls = {{0, count}, {0, count}};
  std::string providers;
  for (const auto& placement : place(given).placements) providers += capacity_provider_of(given, placement.attempt);
  return providers;
}

}  // namespace

TEST_CASE("each RunTask call deals its tasks anew, a service goes on dealing") {
  CHECK(providers_of(run_task("t", needs(1, 1), 0), 1) == "aa");
  CHECK(providers_of(run_task("t", needs(1, 1), 0), 3) == "abaaba");
  CHECK(providers_of(service("s", needs(1, 1), 0), 1) == "ab");
  CHECK(providers_of(service("s", needs(1, 1), 0), 3) == "ababab");
}

TEST_CASE("the largest first are those with all GPUs, with more GPUs, with a share of one, then with more memory") {
  auto given = scenario_with(
      {instance("a", 1, 1)},
      {run_task("small", needs(1, 10), 1), run_task("large", needs(1, 99), 1),
       run_task("shared", with_mps(needs(1, 1), {1}), 1), run_task("part", with_fraction(needs(1, 1), 250'000), 1),
       run_task("one", with_gpus(needs(1, 1), {1}), 1), run_task("eight", with_gpus(needs(1, 50), {8}), 1),
       run_task("all", with_all_gpus(needs(1, 1)), 1)});
  given.order = TaskOrder::kLargestFirst;
  std::string names;
  for (const auto& call : placement_order(given)) names += given.workloads[call.workload].name + " ";
  CHECK(names == "all eight one part shared large small ");
}

TEST_CASE("a service that requires tasks of a later group comes after it") {
  const auto near = [](const std::string& name, const std::string& other) {
    return constrained(service(name, needs(1, 1), 1), {member_of("task:group == service:" + other)});
  };
  const auto order = [](Scenario given) {
    std::string names;
    for (const auto& call : placement_order(given)) names += given.workloads[call.workload].name + " ";
    return names;
  };
  const auto cache = service("cache", needs(1, 1), 1);
  const auto free = instance("a", 99, 99);
  CHECK(order(scenario_with({free}, {near("c", "b"), near("b", "cache"), cache})) == "cache b c ");
  CHECK(order(scenario_with({free}, {cache, near("b", "cache")})) == "cache b ");
  // No group helps one that requires its own tasks, or tasks that nothing places.
  CHECK(order(scenario_with({free}, {near("own", "own"), near("lost", "absent"), cache})) == "cache own lost ");
  CHECK(order(scenario_with({free}, {near("x", "y"), near("y", "x"), cache})) == "cache x y ");
  // A constraint that keeps away from tasks is met at once.
  const auto away = constrained(service("away", needs(1, 1), 1), {member_of("not(task:group == service:cache)")});
  CHECK(order(scenario_with({free}, {away, cache})) == "away cache ");
  // RunTask fails at once.
  const auto task = constrained(run_task("t", needs(1, 1), 1), {member_of("task:group == service:cache")});
  CHECK(order(scenario_with({free}, {task, cache})) == "t cache ");
  auto running = scenario_with({free}, {near("b", "cache"), cache});
  running.running.push_back({.id = "one", .instance = 0, .group = "service:cache"});
  CHECK(order(running) == "b cache ");
  running.running.front().stopping = true;
  CHECK(order(running) == "cache b ");
}

TEST_CASE("what draws is what a strategy or ties draw, and never a daemon") {
  auto task = run_task("t", needs(1, 1), 1, {});
  CHECK(draws(task, TieOrder::kFile));
  task.strategies = {binpack("cpu")};
  CHECK_FALSE(draws(task, TieOrder::kFile));
  CHECK(draws(task, TieOrder::kDrawn));
  task.strategies.clear();
  task.kind = WorkloadKind::kDaemon;
  CHECK_FALSE(draws(task, TieOrder::kFile));
  CHECK_FALSE(draws(task, TieOrder::kDrawn));
}

TEST_CASE("the threshold of a circuit breaker counts tasks or is a share of them, within bounds or not") {
  CircuitBreaker breaker;
  breaker.value = 150;
  breaker.type = ThresholdType::kBoundedPercent;
  CHECK(breaker.threshold(1) == 3);
  CHECK(breaker.threshold(10) == 15);
  CHECK(breaker.threshold(1000) == 200);
  breaker.type = ThresholdType::kUnboundedPercent;
  CHECK(breaker.threshold(0) == 1);
  CHECK(breaker.threshold(1) == 2);
  CHECK(breaker.threshold(1000) == 1500);
  breaker.type = ThresholdType::kCount;
  CHECK(breaker.threshold(1) == 150);
  breaker.value = 0;
  CHECK(breaker.threshold(1) == 1);
}

TEST_CASE("of tasks of one name those without a count are counted over tie orders") {
  auto open = run_task("x", needs(1, 1000), 1);
  open.count.reset();
  const auto runs =
      place_in_tie_orders(scenario_with({instance("a", 9999, 10'000)}, {run_task("x", needs(1, 1000), 2), open}), 3);
  REQUIRE(runs.names.size() == 1);
  CHECK(runs.names[0].fit == Distribution{8, 8, 8});
}
