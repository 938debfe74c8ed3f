#include "placement/verify/verify.hpp"
#include "environment.hpp"

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/random_scenario.hpp"
#include "placement/told_mistakes.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using bayplan::placement::test::tells;

namespace {

/// Changes the first row of the first failure.
template <class Change>
void change_first_row(Outcome& outcome, Change change) {
  test::change_rows(outcome.failures[0], [&](auto& rows) { change(rows.front()); });
}

/// Two GPU instances, one without; four tasks of which the last fails.
Scenario sample() {
  return scenario_with(
      {instance("p", 8192, 60000, {2, 16384}), instance("p", 8192, 60000, {2, 16384}), instance("c", 8192, 15000)},
      {run_task("train", with_gpus(needs(1024, 20000), {1, 1}), 3),
       run_task("web", with_tcp(needs(1024, 1000), {80}), 2)});
}

}  // namespace

TEST_CASE("verify agrees with the engine on random scenarios") {
  std::size_t placed = 0;
  std::size_t failed = 0;
  for (std::uint64_t seed = 0; seed < random_cases(3000); ++seed) {
    const auto given = RandomScenario(seed, {8, 6, 8}).make();
    const auto outcome = place(given);
    placed += outcome.placements.size();
    failed += outcome.failures.size();
    INFO("seed " << seed);
    REQUIRE(verify(given, outcome) == std::vector<std::string>{});
  }
  CHECK(placed > at_least<std::size_t>(4000));
  CHECK(failed > at_least<std::size_t>(5000));
}

TEST_CASE("verify tells a task that was moved") {
  const auto given = sample();
  auto outcome = place(given);
  REQUIRE(outcome.failures.size() == 1);
  outcome.placements[0].instance = 2;
  CHECK(tells(verify(given, outcome), "train#1 is on c#1 contrary to RESOURCE:MEMORY"));
  CHECK(tells(verify(given, outcome), "train#1 is on c#1 contrary to RESOURCE:GPU"));
}

TEST_CASE("verify tells a GPU that two containers have") {
  const auto given = sample();
  auto outcome = place(given);
  outcome.placements[0].gpus[1].devices = outcome.placements[0].gpus[0].devices;
  CHECK(tells(verify(given, outcome), "train#1 on p#1 has gpu0, which another has"));
}

TEST_CASE("verify tells a GPU that is not there") {
  const auto given = sample();
  auto outcome = place(given);
  outcome.placements[0].gpus[1].devices = {7};
  CHECK(tells(verify(given, outcome), "gpu7, which is not there"));
}

TEST_CASE("verify tells overfull memory") {
  auto given = sample();
  const auto outcome = place(given);
  given.profiles[0].memory = 10000;
  CHECK(tells(verify(given, outcome), "contrary to RESOURCE:MEMORY"));
}

TEST_CASE("verify tells a port that is taken twice") {
  auto given = sample();
  auto outcome = place(given);
  outcome.placements[3].instance = outcome.placements[2].instance;
  CHECK(tells(verify(given, outcome), "contrary to RESOURCE:PORTS"));
}

TEST_CASE("verify tells a wrong reason, a wrong count and a wrong closest") {
  const auto given = sample();
  auto outcome = place(given);
  change_first_row(outcome, [](Rejection& rejection) {
    rejection.failed = {};
    rejection.failed.add(Check::kCpu);
  });
  CHECK(tells(verify(given, outcome), "train#3 names wrong reasons for p#1"));
  outcome = place(given);
  ++outcome.failures[0].rejected.by_check[static_cast<std::size_t>(Check::kGpu)];
  CHECK(tells(verify(given, outcome), "train#3 counts its reasons wrongly"));
  outcome = place(given);
  outcome.failures[0].closest = 2;
  CHECK(tells(verify(given, outcome), "train#3 skips p#1, which is closer"));
}

TEST_CASE("verify tells a failure that would have fitted") {
  auto given = sample();
  const auto outcome = place(given);
  given.profiles[2] = given.profiles[0];
  CHECK(tells(verify(given, outcome), "train#3 would fit on c#1"));
}

TEST_CASE("verify tells a daemon that misses an instance") {
  auto daemon = service("agent", needs(1, 1), 0);
  daemon.kind = WorkloadKind::kDaemon;
  daemon.count.reset();
  daemon = constrained(daemon, {member_of("attribute:ecs.instance-type == a")});
  const auto given =
      scenario_with({instance("a", 1024, 4000), instance("b", 1024, 4000), instance("a", 1024, 4000)}, {daemon});
  auto outcome = place(given);
  CHECK(verify(given, outcome) == std::vector<std::string>{});
  REQUIRE(outcome.placements.size() == 2);
  const auto last = outcome.placements.back();
  outcome.placements.pop_back();
  CHECK(tells(verify(given, outcome), "agent omits a#2"));
  outcome.placements = {last};
  outcome.placements[0].attempt.step = 0;
  CHECK(tells(verify(given, outcome), "agent omits a#1"));
}

TEST_CASE("verify tells a wrong shortfall of GPUs and ports") {
  const auto given = sample();
  auto outcome = place(given);
  change_first_row(outcome, [](Rejection& rejection) { ++rejection.shortfall.gpus; });
  CHECK(tells(verify(given, outcome), "train#3 states a wrong shortfall on p#1"));
  outcome = place(given);
  change_first_row(outcome, [](Rejection& rejection) { rejection.shortfall.tcp_ports = {80}; });
  CHECK(tells(verify(given, outcome), "train#3 states a wrong shortfall on p#1"));
}

TEST_CASE("verify takes time in proportion to the instances") {
  std::vector<InstanceProfile> instances;
  for (int i = 0; i < 20'000; ++i) instances.push_back(instance("a", 4096, 8000));
  const auto given = scenario_with(instances, {service("web", needs(1, 1), 100)});
  const auto outcome = place(given);
  CHECK(verify(given, outcome) == std::vector<std::string>{});  // the square of 20,000 for each of 100 would not end
}

TEST_CASE("verify tells a candidate that was passed over") {
  const auto given =
      scenario_with({instance("a", 1024, 4000), instance("a", 1024, 2000)}, {run_task("t", needs(1, 1), 1)});
  auto outcome = place(given);
  REQUIRE(outcome.placements[0].instance == 1);
  outcome.placements[0].instance = 0;
  CHECK(tells(verify(given, outcome), "t#1 is on a#1 although a#2 ranks before it"));
}

TEST_CASE("verify tells remains that do not add up") {
  const auto given = sample();
  auto outcome = place(given);
  outcome.instances[1].cpu += 1;
  CHECK(tells(verify(given, outcome), "what remains of p#2 does not add up"));
}

TEST_CASE("verify tells a task that was forgotten") {
  const auto given = sample();
  auto outcome = place(given);
  outcome.placements.pop_back();
  CHECK(tells(verify(given, outcome), "web had 1 turns instead of 2"));
}

TEST_CASE("a failure is the same as another only while nothing changes") {
  const auto given = scenario_with(
      {instance("p", 8192, 60000, {1, 16384})},
      {run_task("big", with_gpus(needs(1, 1), {2}), 3), run_task("small", with_gpus(needs(1, 1), {1}), 1)});
  auto outcome = place(given);
  REQUIRE(outcome.failures.size() == 3);
  CHECK_FALSE(outcome.failures[0].same_as);
  CHECK(outcome.failures[1].same_as == 0u);
  CHECK(outcome.failures[2].same_as == 0u);
  CHECK(outcome.failures[2].instances.empty());
  outcome.placements[0].attempt.step = 1;
  outcome.failures[1].attempt.step = 3;
  std::swap(outcome.failures[1], outcome.failures[2]);
  CHECK_FALSE(verify(given, outcome).empty());
}

TEST_CASE("the same seed gives the same placements, another seed others") {
  std::vector<InstanceProfile> instances(20, instance("a", 4096, 8000));
  auto given = scenario_with(instances, {run_task("t", needs(1, 1), 30, {})});
  const auto where = [&](std::uint64_t seed) {
    given.seed = seed;
    std::vector<std::uint32_t> chosen;
    for (const auto& placement : place(given).placements) chosen.push_back(placement.instance);
    return chosen;
  };
  CHECK(where(1) == where(1));
  CHECK(where(1) != where(2));
}

TEST_CASE("a large cluster is explained by its nearest misses") {
  std::vector<InstanceProfile> instances(kFullExplanationLimit + 5, instance("a", 4096, 500));
  instances[700].memory = 990;
  instances[900].memory = 995;
  const auto given = scenario_with(instances, {run_task("t", needs(1, 1000), 1)});
  const auto outcome = place(given);
  REQUIRE(outcome.failures.size() == 1);
  const auto& failure = outcome.failures[0];
  REQUIRE(failure.instances.size() == kNearMisses);
  CHECK(failure.closest == 900u);
  CHECK(failure.instances[0].instance == 900);
  CHECK(failure.instances[1].instance == 700);
  CHECK(failure.instances[2].instance == 0);
  CHECK(failure.rejected.of(Check::kMemory) == static_cast<std::int64_t>(instances.size()));
  CHECK(verify(given, outcome) == std::vector<std::string>{});
}

namespace {

/// Six whole GPUs are wanted, four are there.
Scenario gang() {
  auto given = scenario_with({instance("p", 8192, 60000, {4, 16384})},
                             {run_task("gang", with_gpus(needs(1024, 1000), {1}), 6), run_task("web", needs(1, 1), 1)});
  given.workloads[0].all_or_nothing = true;
  return given;
}

}  // namespace

TEST_CASE("verify tells a whole that is placed in part") {
  auto given = gang();
  given.workloads[0].all_or_nothing = false;
  const auto in_part = place(given);
  given.workloads[0].all_or_nothing = true;
  CHECK(tells(verify(given, in_part), "gang is placed in part, against all or nothing"));
}

TEST_CASE("verify tells a whole that was given up too early or without a word") {
  const auto given = gang();
  auto outcome = place(given);
  REQUIRE(verify(given, outcome) == std::vector<std::string>{});
  REQUIRE(outcome.withdrawn.size() == 1);
  auto early = outcome;
  early.withdrawn[0].placements.pop_back();
  early.failures[0].would_fit = 3;
  CHECK(tells(verify(given, early), "gang#1 would fit on p#1"));
  auto silent = outcome;
  silent.withdrawn.clear();
  CHECK(tells(verify(given, silent), "gang#1 does not say what was placed before"));
  auto twice = outcome;
  twice.withdrawn[0].placements[1].gpus = twice.withdrawn[0].placements[0].gpus;
  CHECK(tells(verify(given, twice), "gang#2 on p#1 has gpu0, which another has"));
}

TEST_CASE("verify tells a workload without a count that ends early or goes on") {
  auto given = sample();
  given.workloads[0].count.reset();
  given.workloads[1].count.reset();
  const auto outcome = place(given);
  REQUIRE(verify(given, outcome) == std::vector<std::string>{});
  auto endless = outcome;
  endless.limits.pop_back();
  CHECK(tells(verify(given, endless), "web has a wrong number of limits"));
  auto early = outcome;
  early.limits[0].attempt.step = early.placements[1].attempt.step;
  std::swap(early.limits[0].attempt.number, early.placements[1].attempt.number);
  early.placements[1].attempt.step = outcome.limits[0].attempt.step;
  CHECK(tells(verify(given, early), "train goes on after its limit"));
}

TEST_CASE("verify lets drawn ties stand and nothing else") {
  auto given =
      scenario_with({instance("a", 1024, 4000), instance("b", 1024, 4000)}, {run_task("x", needs(1, 1000), 2)});
  given.ties = TieOrder::kDrawn;
  auto outcome = place(given);
  CHECK(verify(given, outcome) == std::vector<std::string>{});
  outcome.placements[1].instance = 1 - outcome.placements[0].instance;  // binpack: the second joins the first
  CHECK(tells(verify(given, outcome), "ranks before it"));
}
