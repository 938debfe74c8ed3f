#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/build.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"
#include "placement/verify/verify.hpp"

// The index engine gives what the plain one gives: every placement, device, tie, failure, reason and remainder.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// The first difference in words, or nothing.
std::string difference(const Scenario& given, const Outcome& index, const Outcome& plain) {
  for (std::size_t i = 0; i < plain.placements.size() && i < index.placements.size(); ++i) {
    const auto& a = index.placements[i];
    const auto& b = plain.placements[i];
    if (a == b) continue;
    return task_id(given, a.attempt) + " on " + std::to_string(a.instance) + (a.tied ? " tied" : "") + " and not " +
           task_id(given, b.attempt) + " on " + std::to_string(b.instance) + (b.tied ? " tied" : "");
  }
  if (index.placements.size() != plain.placements.size()) {
    return std::to_string(index.placements.size()) + " placements and not " + std::to_string(plain.placements.size());
  }
  for (std::size_t i = 0; i < plain.failures.size() && i < index.failures.size(); ++i) {
    if (!(index.failures[i] == plain.failures[i])) return "failure of " + task_id(given, plain.failures[i].attempt);
  }
  if (index.failures.size() != plain.failures.size()) return "number of failures";
  if (!(index.limits == plain.limits)) return "limits";
  if (!(index.withdrawn == plain.withdrawn)) return "what was taken back";
  if (!(index.facts == plain.facts)) return "facts";
  for (std::size_t i = 0; i < plain.instances.size(); ++i) {
    if (!(index.instances[i] == plain.instances[i])) return "what is left of " + given.instances[i].id;
  }
  return {};
}

std::string compare(const Scenario& given) {
  return difference(given, place(given), place_plainly(given));
}

RandomSize size_of_case(std::uint64_t seed) {
  if (seed % 100 == 99) return {1300, 5, 12};  // past the limit of full explanations
  if (seed % 10 == 9) return {500, 90, 30};    // blocks split, more classes than lanes
  if (seed % 10 > 5) return {60, 12, 40};
  return {8, 6, 8};
}

}  // namespace

TEST_CASE("the index engine agrees with the plain one on random scenarios") {
  const std::uint64_t first = from_environment("BAYPLAN_ENGINE_SEED", 0);
  const std::uint64_t cases = from_environment("BAYPLAN_ENGINE_CASES", random_cases(300));
  std::size_t placed = 0;
  std::size_t failed = 0;
  std::size_t tied = 0;
  std::size_t withdrawn = 0;
  std::size_t limits = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const auto given = RandomScenario(seed, size_of_case(seed)).make();
    const auto index = place(given);
    const auto plain = place_plainly(given);
    INFO("seed " << seed);
    REQUIRE(difference(given, index, plain) == "");
    placed += index.placements.size();
    failed += index.failures.size();
    withdrawn += index.withdrawn.size();
    limits += index.limits.size();
    tied += static_cast<std::size_t>(std::count_if(index.placements.begin(), index.placements.end(),
                                                   [](const Placement& placement) { return placement.tied; }));
  }
  if (std::getenv("BAYPLAN_ENGINE_CASES") != nullptr) {
    WARN(cases << " cases: " << placed << " placed, " << tied << " of them tied, " << failed << " failed, " << withdrawn
               << " calls taken back, " << limits << " filled up");
  }
  CHECK(withdrawn >= at_least<std::size_t>(1));
  CHECK(limits > 0);
  CHECK(placed > 0);
  CHECK(failed > 0);
  CHECK(tied > 0);
}

namespace {

/// `count` instances of three sizes in three zones.
Scenario large(std::size_t count, std::vector<Workload> workloads) {
  std::vector<InstanceProfile> profiles;
  for (const char* zone : {"a", "b", "c"}) {
    profiles.push_back(instance("s", 2048, 4000, {}, zone));
    profiles.push_back(instance("m", 4096, 8000, {}, zone));
    profiles.push_back(instance("g", 8192, 30000, {4, 16000}, zone));
  }
  auto made = scenario_with(profiles, std::move(workloads));
  made.instances.clear();
  for (std::uint32_t i = 0; i < count; ++i) made.instances.push_back({"i" + std::to_string(i), i % 9});
  return made;
}

}  // namespace

TEST_CASE("the index engine agrees on failures between placements, above and below a thousand instances") {
  const std::vector<std::vector<Strategy>> chains{{spread("instanceId")}, {binpack("memory")}, {}};
  for (const auto& chain : chains) {
    for (const std::size_t count : {300u, 1200u}) {
      auto given =
          large(count, {run_task("fits", needs(300, 700), 900, chain), run_task("huge", needs(1024, 90000), 900),
                        run_task("gpus", with_all_gpus(needs(1, 1)), 900),
                        run_task("ports", with_tcp(needs(7000, 1), {80}), 900, chain),
                        constrained(run_task("apart", needs(1, 20000), 900, chain), {distinct_instance()})});
      for (int i = 0; i < 900; ++i) given.calls.insert(given.calls.end(), {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}});
      CHECK(compare(given) == "");
      const auto outcome = place(given);
      std::size_t rows = 0;
      for (const auto& failure : outcome.failures) rows += failure.instances.size();
      CHECK(rows <= kFullExplanationRows + outcome.failures.size() * kNearMisses);
      CHECK(verify(given, outcome) == std::vector<std::string>{});
    }
  }
}

TEST_CASE("the index engine agrees where workloads take each other's ports") {
  for (const auto& chain : std::vector<std::vector<Strategy>>{{}, {binpack("cpu")}, {spread("instanceId")}}) {
    const auto on_port = with_tcp(needs(1, 1), {80});
    auto given = large(90, {run_task("one", on_port, 60, chain), run_task("two", on_port, 60, chain)});
    for (int i = 0; i < 60; ++i) given.calls.insert(given.calls.end(), {{0, 1}, {1, 1}});
    CHECK(compare(given) == "");
    CHECK(place(given).placements.size() == 90);
  }
}

TEST_CASE("the index engine agrees where a spread has many values") {
  std::vector<InstanceProfile> profiles;
  for (int rack = 0; rack < 150; ++rack) {
    profiles.push_back(instance("s", 2048 + 100 * (rack % 3), 4000, {}, "a"));
    profiles.back().attributes["rack"] = std::to_string(rack);
  }
  for (const auto& chain : std::vector<std::vector<Strategy>>{
           {spread("attribute:rack"), binpack("cpu")},
           {spread("attribute:rack")},
           {spread("attribute:rack"), spread("instanceId")},
           {spread("attribute:ecs.availability-zone"), spread("attribute:rack"), {StrategyType::kRandom, {}}}}) {
    auto given = scenario_with(profiles, {run_task("one", needs(300, 700), 400, chain),
                                          run_task("two", with_tcp(needs(100, 500), {80}), 400, chain)});
    for (std::uint32_t i = 0; i < 150; ++i) given.instances.push_back({"more" + std::to_string(i), i});
    for (int i = 0; i < 400; ++i) given.calls.insert(given.calls.end(), {{0, 1}, {1, 1}});
    CHECK(compare(given) == "");
  }
}

TEST_CASE("the index engine agrees where strategies follow a binpack") {
  for (const auto& chain : std::vector<std::vector<Strategy>>{
           {binpack("memory"), spread("instanceId")},
           {binpack("cpu"), spread("instanceId"), spread("attribute:ecs.availability-zone")},
           {binpack("cpu"), binpack("memory"), {StrategyType::kRandom, {}}},
           {spread("instanceId"), binpack("memory")},
           {spread("instanceId"), spread("attribute:ecs.availability-zone"), {StrategyType::kRandom, {}}}}) {
    auto given =
        large(200, {run_task("one", needs(300, 700), 300, chain), run_task("two", needs(100, 900), 300, chain)});
    for (int i = 0; i < 300; ++i) given.calls.insert(given.calls.end(), {{0, 1}, {1, 1}});
    CHECK(compare(given) == "");
  }
}

TEST_CASE("calls of one RunTask request take turns") {
  auto given =
      scenario_with({instance("a", 1024, 4000)}, {run_task("x", needs(100, 1000), 3), run_task("y", needs(1, 1), 1)});
  given.calls = {{0, 1}, {1, 1}, {0, 2}};
  const auto outcome = place(given);
  REQUIRE(outcome.placements.size() == 4);
  CHECK(task_id(given, outcome.placements[1].attempt) == "y#1");
  CHECK(task_id(given, outcome.placements[3].attempt) == "x#3");
}

TEST_CASE("a failure of a like call refers to the first while nothing is placed") {
  auto given =
      scenario_with({instance("a", 1024, 4000)}, {run_task("x", needs(100, 5000), 3), run_task("y", needs(1, 1), 1)});
  given.calls = {{0, 1}, {0, 1}, {1, 1}, {0, 1}};
  const auto outcome = place(given);
  REQUIRE(outcome.failures.size() == 3);
  CHECK_FALSE(outcome.failures[0].same_as);
  CHECK(outcome.failures[1].same_as == 0u);
  CHECK_FALSE(outcome.failures[2].same_as);
}

TEST_CASE("the index engine agrees on an instance that satisfies its constraint late") {
  auto on = [](const char* type) {
    auto made = run_task("y", needs(1, 1), 1);
    return constrained(made, {member_of("attribute:ecs.instance-type == " + std::string(type))});
  };
  auto follower = run_task("x", needs(1, 1), 4, {spread("instanceId")});
  follower = constrained(follower, {member_of("task:group == family:y")});
  std::vector<InstanceProfile> profiles{instance("a", 1024, 4000), instance("b", 1024, 4000),
                                        instance("c", 1024, 4000)};
  profiles.resize(15, instance("d", 1024, 4000));  // so many that an index looks at single placements
  auto given = scenario_with(profiles, {on("a"), on("b"), on("c"), follower});
  given.calls = {{0, 1}, {2, 1}, {3, 3}, {1, 1}, {3, 1}};
  CHECK(compare(given) == "");
  CHECK(place(given).placements.back().instance == 1);
}

TEST_CASE("the index engine agrees where tens of thousands of tasks come between two of a class") {
  std::vector<Workload> workloads{run_task("many", needs(1, 1), 40'000)};
  for (const auto& chain : std::vector<std::vector<Strategy>>{
           {}, {spread("attribute:ecs.availability-zone"), {StrategyType::kRandom, {}}}, {spread("instanceId")}}) {
    workloads.push_back(run_task("few" + std::to_string(workloads.size()), needs(1000, 1000), 30, chain));
  }
  const std::vector<InstanceProfile> profiles{instance("a", 20'000, 20'000), instance("b", 30'000, 30'000, {}, "b")};
  auto given = scenario_with(profiles, workloads);
  for (const std::uint32_t i : {0u, 1u, 0u, 1u}) given.instances.push_back({"more", i});
  given.calls = {{1, 15}, {2, 15}, {3, 15}, {0, 40'000}, {1, 15}, {2, 15}, {3, 15}};
  CHECK(compare(given) == "");
}
