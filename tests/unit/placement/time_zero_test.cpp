#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/engine/tie_runs.hpp"
#include "placement/explain/service_events.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"
#include "report/place/placement_assumptions.hpp"
#include "support/in_sources.hpp"

// As many as fit, all or nothing, many tie orders, service events.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

Workload as_many_as_fit(Workload workload) {
  workload.count.reset();
  return workload;
}

Workload as_a_whole(Workload workload) {
  workload.all_or_nothing = true;
  return workload;
}

std::vector<std::int64_t> numbers(const std::vector<Placement>& placements) {
  std::vector<std::int64_t> found;
  for (const auto& placement : placements) found.push_back(placement.attempt.number);
  return found;
}

}  // namespace

TEST_CASE("as many as fit end with the first that does not, one workload after another") {
  const auto given =
      scenario_with({instance("p", 8192, 60000, {4, 0}), instance("c", 1024, 2500)},
                    {as_many_as_fit(run_task("train", with_gpus(needs(1, 1000), {1}), 0)),
                     as_many_as_fit(run_task("web", needs(1, 1000), 0)), run_task("train", needs(1, 1), 1)});
  const auto outcome = place(given);
  REQUIRE(outcome.limits.size() == 2);
  CHECK(outcome.failures.empty());
  CHECK(outcome.limits[0].attempt.number == 5);
  CHECK(outcome.limits[0].rejected.of(Check::kGpu) == 2);
  CHECK(outcome.limits[1].attempt.number == 59);  // 56 beside the four, and two
  CHECK(outcome.placements.back().attempt.number == 6);
}

TEST_CASE("a full capacity provider ends what fits, whatever room the others have") {
  auto small = instance("s", 100, 1000);
  small.capacity_provider_name = "small";
  auto large = instance("l", 100, 100'000);
  large.capacity_provider_name = "large";
  auto task = as_many_as_fit(run_task("x", needs(0, 500), 0));
  task.capacity_providers = {{"large", 1, 1}, {"small", 0, 1}};
  const auto given = scenario_with({small, large}, {task});
  const auto outcome = place(given);
  REQUIRE(outcome.limits.size() == 1);
  CHECK(capacity_provider_of(given, outcome.limits[0].attempt) == "small");
  CHECK(outcome.placements.size() == 6);  // base, then large and small in turn
}

TEST_CASE("a whole that has no place leaves no trace") {
  for (const bool drawn : {false, true}) {
    auto given = scenario_with({instance("p", 8192, 60000, {4, 16384}), instance("q", 4096, 30000, {1, 16384})},
                               {run_task("web", with_tcp(needs(100, 500), {80}), 2, {spread("instanceId")}),
                                as_a_whole(run_task("gang", with_gpus(needs(10, 100), {1}), 6, {spread("instanceId")})),
                                run_task("train", with_gpus(needs(10, 100), {1}), 3, {spread("instanceId")})});
    if (drawn) given.ties = TieOrder::kDrawn;
    const auto outcome = place(given);
    CHECK(outcome.failures.size() == 6);
    REQUIRE(outcome.withdrawn.size() == 1);
    CHECK(numbers(outcome.withdrawn[0].placements) == std::vector<std::int64_t>{1, 2, 3, 4, 5});
    CHECK(outcome.failures[0].would_fit == 5);
    CHECK(outcome.failures[5].same_as == 0u);
    auto without = given;
    without.workloads[1].count = 0;
    if (!drawn) CHECK(place(without).instances == outcome.instances);
  }
}

TEST_CASE("a whole that fits is placed like any other call") {
  auto given = scenario_with({instance("p", 8192, 60000, {4, 0})},
                             {run_task("gang", with_gpus(needs(10, 100), {1}), 4), run_task("web", needs(1, 1), 2)});
  const auto plain = place(given);
  given.workloads[0].all_or_nothing = true;
  const auto whole = place(given);
  CHECK(whole.placements == plain.placements);
  CHECK(whole.withdrawn.empty());
}

TEST_CASE("a smaller call may fit where a larger of the same request did not") {
  auto given = scenario_with({instance("p", 8192, 60000, {4, 0})},
                             {as_a_whole(run_task("gang", with_gpus(needs(10, 100), {1}), 16))});
  given.calls = {{0, 6}, {0, 7}, {0, 3}};
  const auto outcome = place(given);
  CHECK(numbers(outcome.placements) == std::vector<std::int64_t>{14, 15, 16});
  CHECK(outcome.failures.size() == 13);
  CHECK(outcome.failures[6].same_as == 0u);  // seven have no place where six had none
  CHECK(outcome.withdrawn.size() == 1);
}

TEST_CASE("drawn ties reach every equal instance and no other") {
  std::set<std::uint32_t> seen;
  auto given = scenario_with({instance("a", 1024, 4000), instance("b", 1024, 4000), instance("c", 1024, 8000)},
                             {run_task("x", needs(1, 1), 1)});
  given.ties = TieOrder::kDrawn;
  for (given.seed = 0; given.seed < 50; ++given.seed) seen.insert(place(given).placements[0].instance);
  CHECK(seen == std::set<std::uint32_t>{0, 1});
}

TEST_CASE("figures of many tie orders are those of the single runs") {
  std::size_t differing = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    auto given = RandomScenario(seed, {12, 9, 12}).make();
    INFO("seed " << seed);
    const auto runs = place_in_tie_orders(given, 7);
    given.ties = TieOrder::kDrawn;
    std::vector<std::int64_t> unplaced;
    std::int64_t all = 0;
    const std::uint64_t first = given.seed;
    for (int run = 0; run < 7; ++run, ++given.seed) {
      unplaced.push_back(static_cast<std::int64_t>(place_plainly(given).failures.size()));
      if (unplaced.back() == 0) ++all;
    }
    CHECK(runs.first_seed == first);
    CHECK(runs.placed_all == all);
    const auto at_worst = unplaced[static_cast<std::size_t>(runs.worst_seed - first)];
    std::sort(unplaced.begin(), unplaced.end());
    CHECK(runs.unplaced == Distribution{unplaced[0], unplaced[3], unplaced[6]});
    CHECK(at_worst == unplaced[6]);
    std::int64_t most = 0;
    for (const auto& name : runs.names) most += name.unplaced.max;
    CHECK(most >= unplaced[6]);
    if (unplaced[0] != unplaced[6]) ++differing;
  }
  CHECK(differing > 0);
}

TEST_CASE("other tie orders are told only where they differ") {
  const auto one = run_task("one", with_gpus(needs(1, 1), {1}), 1, {spread("instanceId")});
  const auto four = run_task("four", with_gpus(needs(1, 1), {4}), 1);
  const auto place_on = [&](std::vector<InstanceProfile> instances, std::vector<Workload> workloads) {
    const auto given = scenario_with(std::move(instances), std::move(workloads));
    return try_tie_orders(given, place(given));
  };
  const auto large = instance("l", 100, 100, {4, 0});
  const auto small = instance("s", 100, 100, {1, 0});
  const auto decided = place_on({large, small}, {one, four});
  REQUIRE(decided.others);
  CHECK(decided.tried == 21);
  CHECK(decided.fit > 0);
  CHECK(decided.fit < 21);
  CHECK_FALSE(decided.all_fit());
  const auto untied = place_on({large}, {one, four});
  CHECK(untied == TieOrders{.tried = 1, .fit = 0, .others = {}});
  const auto indifferent = place_on({large, large}, {one, four});
  CHECK(indifferent == TieOrders{.tried = 21, .fit = 21, .others = {}});
}

TEST_CASE("events of a service tell each reason once, or that it is steady") {
  const auto given = scenario_with({instance("p", 8192, 60000, {1, 0}), instance("c", 1024, 2500)},
                                   {service("web", needs(1, 1), 2), service("infer", with_gpus(needs(1, 1), {1}), 4),
                                    run_task("train", with_gpus(needs(1, 1), {1}), 1)});
  const auto events = service_events(given, place(given));
  REQUIRE(events.size() == 2);
  CHECK(events[0].message == "service web has reached a steady state.");
  CHECK(events[0].name == "SERVICE_STEADY_STATE");
  CHECK(events[1].reason == "RESOURCE:GPU");
  CHECK(events[1].message ==
        "service infer was unable to place a task because no container instance met all of its requirements. The "
        "closest matching container-instance p#1 encountered error \"RESOURCE:GPU\". For more information, see the "
        "Troubleshooting section of the Amazon ECS Developer Guide.");
}

TEST_CASE("a daemon has an event for each instance that it lacks room on") {
  auto agent = service("agent", needs(100, 100), 0);
  agent.kind = WorkloadKind::kDaemon;
  const auto given =
      scenario_with({instance("a", 50, 1000), instance("b", 500, 1000), instance("c", 500, 50)}, {agent});
  const auto events = service_events(given, place(given));
  REQUIRE(events.size() == 2);
  CHECK(events[0].reason == "RESOURCE:CPU");
  CHECK(events[1].reason == "RESOURCE:MEMORY");
}

TEST_CASE("every assumption of the engine has its line in the documentation") {
  const auto pages = {in_sources("docs/placement.md"), in_sources("docs/assumptions.md")};
  std::set<std::string> ids;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto facts = place(RandomScenario(seed, {8, 6, 8}).make()).facts;
    for (const auto& assumption : report::placement_assumptions(facts)) ids.insert(assumption.id);
  }
  CHECK(ids.size() >= 7);
  for (const auto& page : pages) {
    const auto text = DiskFiles().read(page, 1 << 20);
    REQUIRE(text.ok());
    for (const auto& id : ids) {
      INFO(page << " " << id);
      CHECK(text->find("`" + id + "`") != std::string::npos);
    }
  }
}
