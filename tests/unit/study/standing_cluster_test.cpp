#include "study/standing_cluster.hpp"

#include <cstdlib>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine.hpp"
#include "study/plain_what_if.hpp"
#include "study/random_events.hpp"
#include "study/standing_check.hpp"

namespace bayplan::study {
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

PlainResult read(const StandingCluster& cluster) {
  PlainResult result;
  for (std::uint32_t i = 0; i < cluster.names(); ++i) {
    const auto& workload = cluster.first_workload(i);
    const auto& own = cluster.figures(i);
    if (own.desired == 0 && cluster.base_figures(i).desired == 0) continue;
    result.names[{workload.name, workload.kind == WorkloadKind::kService}] = {own.desired, own.placed, own.held,
                                                                              own.stays, own.moves};
  }
  const auto& occupancy = cluster.occupancy();
  for (const std::uint32_t i : occupancy.standing()) {
    const auto& id = cluster.scenario().instances[i].id;
    auto state = occupancy.states()[i];
    auto& groups = result.groups[id];
    for (const auto& own : state.tasks_by_group) groups[occupancy.groups().name(own.group)] = own.tasks;
    state.tasks_by_group.clear();
    result.states[id] = state;
  }
  return result;
}

std::string difference(const PlainResult& own, const PlainResult& plain) {
  for (const auto& [name, figures] : plain.names) {
    const auto found = own.names.find(name);
    const PlainFigures known = found == own.names.end() ? PlainFigures{} : found->second;
    if (known == figures) continue;
    const auto text = [](const PlainFigures& f) {
      return "desired " + std::to_string(f.desired) + " placed " + std::to_string(f.placed) + " held " +
             std::to_string(f.held) + " stays " + std::to_string(f.stays) + " moves " + std::to_string(f.moves);
    };
    return name.first + ": " + text(known) + ", plainly " + text(figures);
  }
  if (own.states.size() != plain.states.size()) return "other instances are there";
  for (const auto& [id, state] : plain.states) {
    const auto found = own.states.find(id);
    if (found == own.states.end() || !(found->second == state)) return id + " stands otherwise";
    if (own.groups.at(id) != plain.groups.at(id)) return id + " has other tasks";
  }
  return {};
}

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
  StandingCluster cluster(given, outcome);
  for (int i = 0; i < 4; ++i) {
    const auto events = random.events(given);
    INFO("seed " << seed << ", variant " << i);
    cluster.happen(events, true);
    REQUIRE(mistakes_in(cluster, outcome) == std::vector<std::string>{});
    const auto own = read(cluster);
    REQUIRE(difference(own, plain_what_if(given, events)) == "");
    for (const auto& [name, figures] : own.names) {
      tally.moves += figures.moves;
      tally.unplaced += figures.desired - figures.placed;
      tally.held += figures.held;
      tally.stays += figures.stays;
    }
    ++tally.cases;
    cluster.undo();
  }
}

/// BAYPLAN_ENGINE_CASES=10000 tries more.
TEST_CASE("the standing cluster does what a copy placed plainly does") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", 1'000);
  Tally tally;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) compare(seed, tally);
  if (std::getenv("BAYPLAN_ENGINE_CASES") != nullptr) {
    WARN(tally.cases << " variants, scenarios live: " << tally.live << "; tasks moved " << tally.moves << ", unplaced "
                     << tally.unplaced << ", held " << tally.held << ", staying " << tally.stays);
  }
  CHECK(tally.moves > 1'000);
  CHECK(tally.unplaced > 1'000);
  CHECK(tally.held > 100);
  CHECK(tally.stays > 100);
}

}  // namespace
}  // namespace bayplan::study
