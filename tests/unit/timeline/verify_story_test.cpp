#include "catch.hpp"
#include "placement/told_mistakes.hpp"
#include "timeline/story.hpp"
#include "timeline/verify_history.hpp"

namespace verify_story_test {

// Short histories written by hand: what the verifier says of each that cannot have happened.

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;
using placement::Scenario;
using placement::test::tells;

namespace {

/// One instance that takes two of three tasks, and a profile for one that comes later.
Scenario small() {
  return scenario_with({instance("m", 2048, 8000)}, {run_task("t", needs(1024, 1000), 3)});
}

/// A task that is placed at 0 s and runs from 4 s on.
std::uint32_t running_task(Story& story, std::int64_t number, std::uint32_t instance = 0) {
  const auto task = story.arrive(0, 0, number);
  story.place(0, task, instance);
  story.run(4, task);
  return task;
}

std::vector<std::string> find_mismatches(const Story& story) {
  return verify(small(), story.history);
}

const std::vector<std::string> kNone;

}  // namespace

TEST_CASE("a history by hand that may have happened has no mistakes") {
  Story story(small());
  const auto task = running_task(story, 1);
  const auto second = story.launch(5, 0, 0, "m#2");
  story.activate(9, second);
  story.log(10, EventKind::kTaskStopping, task, 0, StopCause::kStopTask);
  story.stop(40, task);
  story.terminate(50, second);
  CHECK(find_mismatches(story) == kNone);
}

TEST_CASE("a history whose events come out of turn is told") {
  Story story(small());
  SECTION("placed twice") {
    const auto task = story.arrive(0, 0, 1);
    story.place(0, task, 0);
    story.place(0, task, 0);
    CHECK(tells(find_mismatches(story), "at 0 s: t#1 has TASK_PLACED out of turn"));
  }
  SECTION("arrived twice") {
    const auto task = running_task(story, 1);
    story.log(9, EventKind::kTaskArrived, task);
    CHECK(tells(find_mismatches(story), "at 9 s: t#1 has TASK_ARRIVED out of turn"));
  }
  SECTION("runs without a place") {
    story.run(3, story.arrive(0, 0, 1));
    CHECK(tells(find_mismatches(story), "at 3 s: t#1 has TASK_RUNNING out of turn"));
  }
  SECTION("healthy before it runs") {
    const auto task = story.arrive(0, 0, 1);
    story.place(0, task, 0);
    story.log(3, EventKind::kTaskHealthy, task);
    CHECK(tells(find_mismatches(story), "at 3 s: t#1 has TASK_HEALTHY out of turn"));
  }
  SECTION("told to stop twice") {
    const auto task = running_task(story, 1);
    story.log(9, EventKind::kTaskStopping, task);
    story.log(9, EventKind::kTaskStopping, task);
    const auto mistakes = find_mismatches(story);
    CHECK(tells(mistakes, "at 9 s: t#1 has TASK_STOPPING out of turn"));
    CHECK(tells(mistakes, "at 9 s: t#1 on m#1 leaves family:t, but none of it runs there"));
  }
  SECTION("stopped twice") {
    const auto task = running_task(story, 1);
    story.stop(9, task);
    story.stop(9, task);
    CHECK(tells(find_mismatches(story), "at 9 s: t#1 has TASK_STOPPED out of turn"));
  }
  SECTION("waits after it was placed") {
    story.wait(9, running_task(story, 1));
    CHECK(tells(find_mismatches(story), "at 9 s: t#1 has TASK_WAITING out of turn"));
  }
  SECTION("an instance that is active without a launch") {
    story.history.instances.push_back({"m#2", 0, 0, 0, {}, {}, {}});
    story.activate(1, 1);
    CHECK(tells(find_mismatches(story), "at 1 s: m#2 has INSTANCE_ACTIVE out of turn"));
  }
  SECTION("an instance of the scenario that is launched") {
    story.log(1, EventKind::kInstanceLaunched, 0, 0);
    CHECK(tells(find_mismatches(story), "at 1 s: m#1 has INSTANCE_LAUNCHED out of turn"));
  }
  SECTION("an instance that comes back") {
    story.terminate(1, 0);
    story.activate(2, 0);
    CHECK(tells(find_mismatches(story), "at 2 s: m#1 has INSTANCE_ACTIVE out of turn"));
  }
  SECTION("times that go back") {
    story.wait(9, story.arrive(9, 0, 1));
    story.wait(8, 0);
    CHECK(tells(find_mismatches(story), "at 9 s: the log goes back to 8 s"));
  }
}

TEST_CASE("a task on an instance that does not take any is told") {
  Story story(small());
  SECTION("not yet") {
    running_task(story, 1, story.launch(0, 0, 0, "m#2"));
    CHECK(tells(find_mismatches(story), "at 0 s: t#1 is on m#2, which is not ACTIVE"));
  }
  SECTION("no more") {
    story.log(0, EventKind::kInstanceDraining, 0, 0);
    running_task(story, 1);
    CHECK(tells(find_mismatches(story), "at 0 s: t#1 is on m#1, which is not ACTIVE"));
  }
  SECTION("from the start") {
    auto given = small();
    given.profiles[0].status = placement::InstanceStatus::kDraining;
    running_task(story, 1);
    CHECK(tells(verify(given, story.history), "at 0 s: t#1 is on m#1, which is not ACTIVE"));
  }
  SECTION("gone under it") {
    running_task(story, 1);
    story.terminate(9, 0);
    CHECK(tells(find_mismatches(story), "at 9 s: t#1 is on m#1, which is gone"));
  }
}

TEST_CASE("a record that says something else than the log is told") {
  Story story(small());
  const auto task = running_task(story, 1);
  auto& own = story.history.tasks[task];
  SECTION("placed at another time") {
    own.placed_at = 1;
    CHECK(tells(find_mismatches(story), "at 0 s: t#1 is recorded elsewhere"));
  }
  SECTION("running at another time") {
    own.started_at = 5;
    CHECK(tells(find_mismatches(story), "at 4 s: t#1 is not recorded as RUNNING"));
  }
  SECTION("stopped at another time") {
    story.stop(9, task);
    story.history.tasks[task].stopped_at = 8;
    CHECK(tells(find_mismatches(story), "at 9 s: t#1 is not recorded as stopped"));
  }
  SECTION("stopped without an event") {
    own.stopped_at = 8;
    CHECK(tells(find_mismatches(story), "t#1 has no end, or two"));
    story.history.errors.emplace_back();  // the run ended where the scenario contradicts itself
    CHECK(find_mismatches(story) == kNone);
  }
  SECTION("without an arrival") {
    auto& other = story.history.tasks.emplace_back(own);
    other.number = 2;
    CHECK(tells(find_mismatches(story), "t#2 never arrived"));
  }
}

TEST_CASE("what a task held is free when it has stopped, and its group when it is told to") {
  auto given = small();
  given.workloads[0] = constrained(given.workloads[0], {distinct_instance()});
  Story story(given);
  const auto first = running_task(story, 1);
  const auto second = story.arrive(9, 0, 2);
  SECTION("neither before") {
    story.place(9, second, 0);
    CHECK(tells(verify(given, story.history), "at 9 s: t#2 is on m#1 contrary to"));
  }
  SECTION("the group at once") {
    story.log(9, EventKind::kTaskStopping, first, 0, StopCause::kStopTask);
    story.place(9, second, 0);
    CHECK(verify(given, story.history) == kNone);
  }
  SECTION("both in the end") {
    story.stop(9, first);
    story.place(9, second, 0);
    CHECK(verify(given, story.history) == kNone);
  }
}

TEST_CASE("tasks wait in one queue, and those of a service or a managed capacity provider beside it") {
  auto given = small();
  given.timetable.when_full = placement::WhenFull::kWait;
  Story story(given);
  const auto first = story.arrive(0, 0, 1);
  const auto second = story.arrive(0, 0, 2);
  story.wait(0, first);
  story.place(0, second, 0);
  const std::string words = "at 0 s: t#2 starts before t#1, which has waited longer";
  CHECK(tells(verify(given, story.history), words));
  SECTION("a task of a deployment does not wait in it") {
    story.history.tasks[first].deployment = 0;
    CHECK(verify(given, story.history) == kNone);
  }
  SECTION("nor one that is PROVISIONING") {
    given.profiles[0].capacity_provider_name = "p";
    given.workloads[0].capacity_providers = {{"p", 0, 1}};
    for (auto& task : story.history.tasks) task.capacity_provider = 0;
    CHECK(tells(verify(given, story.history), words));
    given.managed_providers = {"p"};
    CHECK(verify(given, story.history) == kNone);
  }
}

TEST_CASE("a task that fails may have had a place on no instance that takes tasks") {
  auto given = small();
  Story story(given);
  const auto task = story.arrive(0, 0, 1);
  story.log(0, EventKind::kTaskFailed, task);
  story.history.tasks[task].stopped_at = 0;
  CHECK(tells(verify(given, story.history), "at 0 s: t#1 fails, and m#1 would have taken it"));
  SECTION("of a whole one task says nothing of the others") {
    given.workloads[0].all_or_nothing = true;
    CHECK(verify(given, story.history) == kNone);
  }
  SECTION("an instance that drains takes none") {
    given.profiles[0].status = placement::InstanceStatus::kDraining;
    CHECK(verify(given, story.history) == kNone);
  }
  SECTION("one that gave up for another reason") {
    story.history.events.back().stop = StopCause::kProvisioningLimit;
    CHECK(verify(given, story.history) == kNone);
  }
}

}  // namespace verify_story_test
