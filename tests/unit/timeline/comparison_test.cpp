#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "timeline/difference.hpp"
#include "timeline/plain_timeline.hpp"
#include "timeline/random_timeline.hpp"
#include "timeline/simulate.hpp"

// The fast simulator gives what the plain one gives: every event, task, instance, deployment, job and data point.

using namespace bayplan;
using namespace bayplan::timeline;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

void compare(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto given = placement::build::RandomTimeline(seed).make();
    const auto found = difference(given, simulate(given), simulate_plainly(given));
    if (found.empty()) continue;
    INFO("seed " << seed << ": " << found);
    REQUIRE(found.empty());
  }
}

}  // namespace

TEST_CASE("the simulator agrees with the plain one on random timelines") {
  compare(0, 2'000);
}

TEST_CASE("the simulator agrees with the plain one on many random timelines", "[.deep]") {
  compare(from_environment("BAYPLAN_TIMELINE_SEED", 10'000), from_environment("BAYPLAN_TIMELINE_CASES", 100'000));
}
