#include <map>
#include <string>

#include "catch.hpp"
#include "environment.hpp"
#include "timeline/difference.hpp"
#include "timeline/plain_timeline.hpp"
#include "timeline/random_timeline.hpp"
#include "timeline/simulate.hpp"

// The fast simulator gives what the plain one gives: every event, task, instance, deployment, job and data point.

using namespace bayplan;
using namespace bayplan::timeline;

namespace {

void compare(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto given = placement::build::RandomTimeline(seed).make();
    INFO("seed " << seed);
    REQUIRE(difference(given, simulate(given), simulate_plainly(given)) == "");
  }
}

}  // namespace

TEST_CASE("the simulator agrees with the plain one on random timelines") {
  compare(0, random_cases(2'000));
}

namespace {

/// The first event whose cause cannot be one, in words.
std::string wrong_cause(const placement::Scenario& given, const History& history) {
  std::map<std::uint32_t, std::uint32_t> waits;  // tasks: since which event
  for (std::uint32_t i = 0; i < history.events.size(); ++i) {
    const auto& event = history.events[i];
    if (event.kind == EventKind::kTaskWaiting || event.kind == EventKind::kTaskProvisioning) waits[event.subject] = i;
    const bool has_waited = event.kind == EventKind::kTaskPlaced && waits.count(event.subject) > 0;
    if (event.cause == kNoIndex && !has_waited) continue;
    const auto say = [&](const char* what) { return what + in_words(given, history, event); };
    if (event.cause >= i) return say("no earlier cause: ");
    const auto& cause = history.events[*event.cause];
    if (cause.at > event.at) return say("a cause in the future: ");
    if (!has_waited) continue;
    if (event.cause <= waits[event.subject]) return say("waited for what was there: ");
    const bool is_of_queue = is_about_task(cause.kind) && cause.subject < event.subject;
    if (cause.instance != event.instance && !is_of_queue) return say("room elsewhere: ");
  }
  return {};
}

}  // namespace

TEST_CASE("every cause comes first, and what waited was let in by what changed") {
  for (std::uint64_t seed = 0; seed < random_cases(2'000); ++seed) {
    const auto given = placement::build::RandomTimeline(seed).make();
    INFO("seed " << seed);
    REQUIRE(wrong_cause(given, simulate(given)) == "");
  }
}

// Takes a minute, so scripts/release runs it.
TEST_CASE("the simulator agrees with the plain one on many random timelines", "[.deep]") {
  compare(from_environment("BAYPLAN_TIMELINE_SEED", 10'000), from_environment("BAYPLAN_TIMELINE_CASES", 100'000));
}
