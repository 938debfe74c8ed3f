#include <functional>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/told_mistakes.hpp"
#include "placement/verify/verify.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using bayplan::placement::test::change_rows;
using bayplan::placement::test::tells;

namespace {

Scenario two_fit_of_four() {
  return scenario_with({instance("a", 1024, 4000), instance("a", 1024, 4000), instance("b", 256, 4000)},
                       {run_task("t", needs(1024, 1000), 4)});
}

Scenario with_providers() {
  auto given = two_fit_of_four();
  for (auto& profile : given.profiles) profile.capacity_provider_name = "own";
  given.workloads[0].capacity_providers = {{"own", 0, 1}};
  return given;
}

Workload daemon_of(capacity::TaskRequirement task) {
  auto daemon = service("agent", std::move(task), 0);
  daemon.kind = WorkloadKind::kDaemon;
  daemon.count.reset();
  return daemon;
}

/// A daemon that the second instance has no memory for, and a service.
Scenario with_daemon() {
  return scenario_with({instance("a", 1024, 4000), instance("b", 1024, 500), instance("a", 1024, 4000)},
                       {daemon_of(needs(1, 1000)), service("web", needs(1, 1), 1)});
}

std::vector<std::string> mistakes_after(const Scenario& given, const std::function<void(Outcome&)>& change) {
  auto outcome = place(given);
  REQUIRE(verify(given, outcome) == std::vector<std::string>{});
  change(outcome);
  return verify(given, outcome);
}

}  // namespace

TEST_CASE("verify tells a turn that is numbered wrongly or missing") {
  const auto given = two_fit_of_four();
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.placements[1].attempt.number = 3; }),
              "t#3 is numbered out of turn"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[0].attempt.number = 4; }),
              "t#4 is numbered out of turn"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.placements[1].attempt.step = 7; }),
              "turn 1 is missing"));
}

TEST_CASE("verify tells a capacity provider that the workload does not have") {
  CHECK(tells(
      mistakes_after(two_fit_of_four(), [](Outcome& outcome) { outcome.placements[0].attempt.capacity_provider = 0; }),
      "t#1 has a foreign capacity provider"));
  CHECK(tells(
      mistakes_after(with_providers(), [](Outcome& outcome) { outcome.placements[0].attempt.capacity_provider = 7; }),
      "t#1 has a foreign capacity provider"));
  CHECK(tells(
      mistakes_after(with_providers(), [](Outcome& outcome) { outcome.failures[0].attempt.capacity_provider = 7; }),
      "t#3 has a foreign capacity provider"));
}

TEST_CASE("verify tells a place with another capacity provider than the task's") {
  auto given = with_providers();
  const auto outcome = place(given);
  given.profiles[outcome.placements[0].instance].capacity_provider_name = "other";
  CHECK(tells(verify(given, outcome), "t#1 is on"));
}

TEST_CASE("verify tells rows that are missing, repeated or untrue") {
  const auto given = two_fit_of_four();
  CHECK(
      tells(mistakes_after(
                given, [](Outcome& outcome) { change_rows(outcome.failures[0], [](auto& rows) { rows.pop_back(); }); }),
            "t#3 does not list every instance"));
  CHECK(tells(mistakes_after(given,
                             [](Outcome& outcome) {
                               change_rows(outcome.failures[0], [](auto& rows) { rows.push_back(rows.back()); });
                             }),
              "t#3 does not list every instance"));
  CHECK(tells(mistakes_after(given,
                             [](Outcome& outcome) {
                               change_rows(outcome.failures[0], [](auto& rows) { ++rows.back().shortfall.cpu; });
                             }),
              "t#3 states a wrong shortfall on b#1"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[0].closest.reset(); }), "t#3 skips"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { ++outcome.failures[0].rejected.by_check[0]; }),
              "t#3 counts its reasons wrongly"));
}

TEST_CASE("verify tells a closest that is no candidate") {
  auto given = two_fit_of_four();
  given.profiles[2].status = InstanceStatus::kDraining;
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[0].closest = 2; }),
              "t#3 names a closest that cannot be"));
}

TEST_CASE("verify tells a closer instance of a large cluster though no row names it") {
  std::vector<InstanceProfile> instances(kFullExplanationLimit + 5, instance("a", 100, 4000));
  instances[700] = instance("b", 2000, 10);
  const auto given = scenario_with(instances, {run_task("t", needs(1000, 500), 1)});
  REQUIRE(place(given).failures[0].closest == 700u);
  CHECK(tells(mistakes_after(given,
                             [](Outcome& outcome) {
                               outcome.failures[0].closest = 0;
                               change_rows(outcome.failures[0], [](auto& rows) {
                                 rows[0] = rows[1];
                                 rows[0].instance = 500;
                               });
                             }),
              "t#1 skips b#1, which is closer"));
}

TEST_CASE("verify tells what is the same as nothing, as itself, as another task or as before a change") {
  auto given = two_fit_of_four();
  given.workloads.push_back(given.workloads[0]);
  given.workloads[1].name = "u";
  REQUIRE(place(given).failures[1].same_as == 0u);
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[1].same_as = 99; }),
              "t#4 is the same as nothing"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[1].same_as = 1; }),
              "t#4 is not the same as t#4"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[3].same_as = 0; }),
              "is not the same as t#3"));
}

TEST_CASE("verify tells a limit that is explained wrongly") {
  auto given = two_fit_of_four();
  given.workloads[0].count.reset();
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { ++outcome.limits[0].rejected.by_check[0]; }),
              "t#3 counts its reasons wrongly"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.limits[0].attempt.number = 9; }),
              "t#9 is numbered out of turn"));
}

TEST_CASE("verify tells a whole where none is wanted, and what was withdrawn of another call") {
  CHECK(tells(mistakes_after(two_fit_of_four(), [](Outcome& outcome) { outcome.failures[0].would_fit = 0; }),
              "t#3 is of a whole, or not"));
  auto given = two_fit_of_four();
  given.workloads[0].all_or_nothing = true;
  given.workloads.push_back(run_task("u", needs(1024, 1000), 1));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[0].would_fit.reset(); }),
              "t#1 is of a whole, or not"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.withdrawn[0].placements[0].attempt.workload = 1; }),
              "belongs to another call"));
  // What was withdrawn stands nowhere: the next task finds the cluster as it was before.
  CHECK(place(given).placements.size() == 1);
}

TEST_CASE("verify tells a daemon that has its turn late, or fails in other words") {
  const auto given = with_daemon();
  REQUIRE(place(given).failures.size() == 1);
  CHECK(tells(mistakes_after(
                  given, [](Outcome& outcome) { change_rows(outcome.failures[0], [](auto& rows) { rows.clear(); }); }),
              "agent#2 is a daemon of no one instance"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { ++outcome.failures[0].rejected.by_check[0]; }),
              "agent#2 counts its reasons wrongly"));
  CHECK(tells(mistakes_after(given, [](Outcome& outcome) { outcome.failures[0].closest.reset(); }),
              "agent#2 skips its only instance"));
  CHECK(tells(mistakes_after(given,
                             [](Outcome& outcome) {
                               change_rows(outcome.failures[0], [](auto& rows) { ++rows[0].shortfall.memory; });
                             }),
              "agent#2 states a wrong shortfall on b#1"));
  CHECK(tells(
      mistakes_after(
          given, [](Outcome& outcome) { std::swap(outcome.placements[0].instance, outcome.placements[1].instance); }),
      "agent#2 comes out of turn"));
  CHECK(tells(mistakes_after(given,
                             [](Outcome& outcome) {
                               auto& late = outcome.placements;  // the daemon's last turn after the service's
                               std::swap(late[1], late[2]);
                               std::swap(late[1].attempt.step, late[2].attempt.step);
                             }),
              "agent#3 comes out of turn"));
}
