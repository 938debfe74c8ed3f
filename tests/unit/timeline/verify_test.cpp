#include "environment.hpp"
#include "timeline/verify_history.hpp"

#include <set>
#include <string>

#include "catch.hpp"
#include "timeline/difference.hpp"
#include "timeline/random_timeline.hpp"
#include "timeline/simulate.hpp"

// The check of a history against an account book finds nothing in what is right and something in what is not.

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;
using placement::Scenario;

namespace {

Scenario queue_for_one_gpu() {
  auto made = scenario_with({instance("g", 8192, 60'000, {2, 16'000}), instance("m", 8192, 60'000)},
                            {run_task("pair", with_gpus(needs(1024, 4096), {1, 1}), 1),
                             run_task("train", with_gpus(needs(1024, 4096), {1}), 3)});
  made.timetable.tasks = {{0, 60, 10}, {5, 60, 10}};
  made.timetable.when_full = placement::WhenFull::kWait;
  made.timetable.has_time = true;
  return made;
}

std::size_t find_position(const History& history, EventKind kind, std::uint32_t subject) {
  std::size_t i = 0;
  while (history.events[i].kind != kind || history.events[i].subject != subject) ++i;
  return i;
}

std::string first_mistake(const Scenario& given, const History& history) {
  const auto mistakes = verify(given, history);
  return mistakes.empty() ? "" : mistakes.front();
}

}  // namespace

TEST_CASE("a history of the simulator has no mistakes") {
  for (std::uint64_t seed = 0; seed < random_cases(1'000); ++seed) {
    const auto given = RandomTimeline(seed).make();
    INFO("seed " << seed);
    REQUIRE(first_mistake(given, simulate(given)) == "");
  }
}

TEST_CASE("a mistake in a history is told") {
  const auto given = queue_for_one_gpu();
  const auto right = simulate(given);
  REQUIRE(first_mistake(given, right) == "");
  auto wrong = right;

  SECTION("an instance without GPUs") {
    const auto at = find_position(right, EventKind::kTaskPlaced, 0);
    wrong.events[at].instance = wrong.tasks[0].instance = 1;
    CHECK(first_mistake(given, wrong) == "at 0 s: pair#1 is on m#1 contrary to RESOURCE:GPU");
  }
  SECTION("a GPU given twice") {
    wrong.tasks[2].gpus[0].devices = wrong.tasks[1].gpus[0].devices;
    CHECK(first_mistake(given, wrong) == "at 60 s: train#2 on g#1 has gpu0, which another has");
  }
  SECTION("a task that starts before its resources are free") {
    wrong.events[find_position(right, EventKind::kTaskStopped, 0)].kind = EventKind::kNothingNamed;
    CHECK(first_mistake(given, wrong) == "at 60 s: train#1 is on g#1 contrary to RESOURCE:GPU");
  }
  SECTION("a task that overtakes the queue") {
    const auto first = find_position(right, EventKind::kTaskPlaced, 1);
    const auto second = find_position(right, EventKind::kTaskPlaced, 2);
    std::swap(wrong.events[first], wrong.events[second]);
    CHECK(first_mistake(given, wrong) == "at 60 s: train#2 starts before train#1, which has waited longer");
  }
  SECTION("times that go back") {
    wrong.events[find_position(right, EventKind::kTaskStopped, 0)].at = 61;
    CHECK(first_mistake(given, wrong) == "at 61 s: pair#1 is not recorded as stopped");
  }
  SECTION("a cause that comes later") {
    const auto at = find_position(right, EventKind::kTaskRunning, 1);
    wrong.events[at].cause = static_cast<std::uint32_t>(at + 1);
    CHECK(first_mistake(given, wrong).find("has a cause that comes later") != std::string::npos);
  }
}

TEST_CASE("a task that fails beside an instance that would have taken it is told") {
  auto given = queue_for_one_gpu();
  given.timetable.when_full = placement::WhenFull::kFail;
  const auto right = simulate(given);
  REQUIRE(first_mistake(given, right) == "");
  given.profiles[1] = given.profiles[0];
  CHECK(first_mistake(given, right) == "at 0 s: train#1 fails, and m#1 would have taken it");
}
