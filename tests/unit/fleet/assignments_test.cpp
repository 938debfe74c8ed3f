#include "fleet/ideal/assignments.hpp"
#include "catch.hpp"
#include "fleet/markets.hpp"

namespace bayplan::fleet::assignments_test {
namespace {

using namespace placement;
using namespace placement::build;
using test::bought;
using test::market;
using test::offer;
using test::usual_market;

using Tasks = std::vector<TasksOf>;

TEST_CASE("bins become instances by the names that a fleet has, and shapes tasks of workloads") {
  const auto tasks = scenario_with({}, {run_task("a", needs(1024, 1000), 2), run_task("b", needs(1024, 1000), 1),
                                        run_task("c", needs(8192, 1000), 1)});
  const auto question = make_packing_question(tasks, usual_market(), {});
  const packing::Packing packing{{{0, {{0, 1}}}, 1}, {{0, {{0, 2}}}, 1}, {{1, {{1, 1}}}, 1}};
  const auto assigned = assignments(tasks, usual_market(), question, packing, false);
  REQUIRE(assigned.size() == 3);
  CHECK(assigned[0].instance == "c.small#1");
  CHECK(assigned[0].tasks == Tasks{{0, 1}});
  CHECK(assigned[1].instance == "c.small#2");
  CHECK(assigned[1].tasks == Tasks{{0, 1}, {1, 1}});
  CHECK(assigned[2].instance == "c.large#1");
  CHECK(assigned[2].tasks == Tasks{{2, 1}});
}

TEST_CASE("what is left over are the tasks that come last") {
  const auto tasks = scenario_with({}, {run_task("a", needs(1024, 1000), 2), run_task("b", needs(1024, 1000), 3),
                                        run_task("c", needs(8192, 1000), 1)});
  const auto question = make_packing_question(tasks, usual_market(), {});
  CHECK(tasks_left_over(question, {4, 1}) == Tasks{{0, 1}, {1, 3}, {2, 1}});
  CHECK(tasks_left_over(question, {1, 0}) == Tasks{{1, 1}});
}

/// Three instances that stand: two empty alike, one with a task of the group of `a` and a port taken.
struct Standing {
  Scenario tasks;
  Market on_offer;

  Standing() {
    const auto stands = instance("c.small", 2048, 4000);
    tasks =
        scenario_with({stands, stands, stands}, {constrained(run_task("a", needs(512, 1000), 3), {distinct_instance()}),
                                                 run_task("b", with_tcp(needs(512, 1000), {80}), 1)});
    tasks.in_use = {{}, {.cpu = 512, .memory = 1000, .tcp_ports = {80}, .tasks = 1}, {}};
    tasks.running = {{"t", 1, "family:a", "a:1", false, false, {}}};
    on_offer = market({offer(stands, 0), offer(bought("c.large", 8192, 16000), 400'000)});
    on_offer.offers[0].standing = {0, 1, 2};
  }
};

TEST_CASE("instances that stand are bins with what is left of them") {
  const Standing given;
  const auto question = make_packing_question(given.tasks, given.on_offer, {});
  REQUIRE(question.bins.size() == 3);
  CHECK(question.bins[0].standing == std::vector<std::uint32_t>{0, 2});
  CHECK(question.problem.types[0].limit == 2);
  CHECK(question.problem.types[0].price == 0);
  CHECK(question.bins[1].standing == std::vector<std::uint32_t>{1});
  CHECK(question.problem.types[1].capacity[0] == 1536);
  CHECK(question.problem.shapes[0].allowed == std::vector<bool>{true, false, true});
  CHECK(question.problem.shapes[1].allowed == std::vector<bool>{true, false, true});

  const packing::Packing packing{{{0, {{0, 1}}}, 1}, {{0, {{0, 1}, {1, 1}}}, 1}, {{2, {{0, 1}}}, 1}};
  const auto assigned = assignments(given.tasks, given.on_offer, question, packing, true);
  REQUIRE(assigned.size() == 3);
  CHECK(assigned[0].instance == "c.small#1");
  CHECK(assigned[1].instance == "c.small#3");
  CHECK(assigned[2].instance == "c.large#1");
}

Market sharing_market(std::int64_t limit) {
  auto given = market({offer(bought("g.two", 8192, 16000, {2, 10000}), 1'000'000, limit),
                       offer(bought("g.one", 8192, 16000, {1, 10000}), 700'000)});
  for (auto& one : given.offers) one.profile.attributes["ecs.capability.gpu-sharing-mps"] = "";
  return given;
}

TEST_CASE("tasks that share no single GPU move to another bin") {
  const auto tasks = scenario_with(
      {}, {run_task("a", with_mps(needs(128, 100), {6000}), 3), run_task("b", with_mps(needs(128, 100), {2000}), 1)});
  const auto given = sharing_market(packing::kUnlimited);
  const auto question = make_packing_question(tasks, given, {});
  const packing::Packing promised{{{0, {{0, 3}, {1, 1}}}, 1}};
  const auto real = repaired(tasks, given, question, promised);
  CHECK(real.left_over == std::vector<std::int64_t>(real.left_over.size()));
  const packing::Packing expected{{{0, {{0, 2}, {1, 1}}}, 1}, {{1, {{0, 1}}}, 1}};
  CHECK(packing::compute_cost(question.problem, real.packing) == 1'700'000);
  REQUIRE(real.packing.size() == 2);
  CHECK(real.packing[0].pattern == expected[0].pattern);
  CHECK(real.packing[1].pattern == expected[1].pattern);

  const packing::Packing true_already{{{0, {{0, 2}, {1, 1}}}, 1}, {{1, {{0, 1}}}, 1}};
  CHECK(packing::compute_cost(question.problem, repaired(tasks, given, question, true_already).packing) == 1'700'000);
}

TEST_CASE("what moves fills room that is there before anything is bought") {
  const auto tasks = scenario_with({}, {run_task("a", with_mps(needs(128, 100), {6000}), 4)});
  const auto given = sharing_market(packing::kUnlimited);
  const auto question = make_packing_question(tasks, given, {});
  const packing::Packing promised{{{0, {{0, 3}}}, 1}, {{0, {{0, 1}}}, 1}};
  const auto real = repaired(tasks, given, question, promised);
  CHECK(real.left_over == std::vector<std::int64_t>(real.left_over.size()));
  CHECK(packing::bins_of(real.packing) == 2);
}

TEST_CASE("limits may leave tasks over when a packing is made true") {
  const auto tasks = scenario_with({}, {run_task("a", with_mps(needs(128, 100), {6000}), 3)});
  auto given = sharing_market(1);
  given.offers.pop_back();
  const auto question = make_packing_question(tasks, given, {});
  CHECK(repaired(tasks, given, question, {{{0, {{0, 3}}}, 1}}).left_over == std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace bayplan::fleet::assignments_test
