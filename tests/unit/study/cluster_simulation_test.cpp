#include "study/simulation/cluster_simulation.hpp"

#include <cstdlib>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "study/random_events.hpp"
#include "study/read_simulation.hpp"
#include "study/simulation/simulation_check.hpp"

namespace bayplan::study::cluster_simulation_test {
namespace {

using namespace placement;
using namespace placement::build;

struct Tally {
  std::int64_t cases = 0;
  std::int64_t moves = 0;
  std::int64_t unplaced = 0;
  std::int64_t held = 0;
  std::int64_t stays = 0;
  std::int64_t live = 0;
};

void compare(std::uint64_t seed, Tally& tally) {
  constexpr RandomSize kSizes[] = {{9, 6, 6}, {6, 3, 12}, {24, 8, 16}};
  RandomEvents random(seed, kSizes[seed % 3]);
  auto given = random.make();
  if (seed % 5 > 1) RandomEvents::make_large(given);
  if (seed % 4 == 1) {
    given = as_live(given, random.some());
    ++tally.live;
  }
  random.vary_percents(given);
  auto counted = given;
  for (auto& workload : counted.workloads) workload.count = workload.count.value_or(0);
  const auto outcome = place(counted);
  ClusterSimulation cluster(given, outcome);
  for (int i = 0; i < 4; ++i) {
    const auto events = random.events(given);
    INFO("seed " << seed << ", variant " << i);
    cluster.apply(events, true);
    REQUIRE(find_mismatches(cluster, outcome) == std::vector<std::string>{});
    const auto own = read(cluster);
    REQUIRE(difference(own, plain_what_if(given, events)) == "");
    for (const auto& [name, figures] : own.names) {
      tally.moves += figures.moves;
      tally.unplaced += figures.desired - figures.placed;
      tally.held += figures.held;
      tally.stays += figures.stays;
    }
    ++tally.cases;
    cluster.rollback();
  }
}

/// BAYPLAN_ENGINE_CASES=10000 tries more.
TEST_CASE("the cluster simulation does what a copy placed plainly does") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(1'000));
  Tally tally;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) compare(seed, tally);
  if (std::getenv("BAYPLAN_ENGINE_CASES") != nullptr) {
    WARN(tally.cases << " variants, scenarios live: " << tally.live << "; tasks moved " << tally.moves << ", unplaced "
                     << tally.unplaced << ", held " << tally.held << ", staying " << tally.stays);
  }
  CHECK(tally.moves > at_least(700));
  CHECK(tally.unplaced > at_least(1'000));
  CHECK(tally.held > at_least(100));
  CHECK(tally.stays > at_least(100));
}

}  // namespace
}  // namespace bayplan::study::cluster_simulation_test
