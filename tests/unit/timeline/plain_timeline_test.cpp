#include "timeline/plain_timeline.hpp"

#include <set>
#include <string>

#include "catch.hpp"
#include "placement/build.hpp"
#include "timeline/history_walk.hpp"
#include "timeline/random_timeline.hpp"

// The plain simulator keeps to what every run must hold, whatever is chosen.

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;

TEST_CASE("the plain simulator breaks no rule on random timelines") {
  std::set<EventKind> kinds;
  std::set<StopCause> causes;
  std::set<EndReason> ends;
  std::size_t errors = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const auto given = RandomTimeline(seed).make();
    const auto history = simulate_plainly(given);
    INFO("seed " << seed);
    REQUIRE(HistoryWalk(given, history).find_fault() == "");
    for (const auto& event : history.events) {
      kinds.insert(event.kind);
      causes.insert(event.stop);
    }
    ends.insert(history.end_reason);
    errors += history.errors.size();
  }
  CHECK(kinds.size() == static_cast<std::size_t>(EventKind::kJobFailed) + 1);  // every kind of event came up
  CHECK(causes.size() == static_cast<std::size_t>(StopCause::kRolledBack) + 1);
  CHECK(ends.size() == 3);
  CHECK(errors > 0);
}

namespace {

/// The scenario of the story: two instances with one GPU each, five tasks of 30 minutes.
placement::Scenario five_on_two_gpus() {
  const auto gpu = instance("p3.2xlarge", 8192, 60'000, {1, 16'000});
  auto made = scenario_with({gpu, gpu}, {run_task("train", with_gpus(needs(1024, 4096), {1}), 5)});
  made.timetable.tasks = {{0, 1'800, 30}};
  made.timetable.when_full = placement::WhenFull::kWait;
  made.timetable.has_time = true;
  return made;
}

}  // namespace

TEST_CASE("a GPU that is free again starts the next task of the queue") {
  const auto history = simulate_plainly(five_on_two_gpus());
  std::vector<Seconds> starts;
  for (const auto& task : history.tasks) starts.push_back(task.started_at.value_or(-1));
  CHECK(starts == std::vector<Seconds>{0, 0, 1'800, 1'800, 3'600});
  CHECK(history.end == 5'400);
  CHECK(history.end_reason == EndReason::kNothingLeft);
}
