#include <algorithm>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "study/plain_what_if.hpp"
#include "study/random_events.hpp"
#include "study/read_simulation.hpp"
#include "study/simulation/cluster_at_attempt.hpp"
#include "study/simulation/cluster_simulation.hpp"

namespace bayplan::study::cluster_simulation_commit_test {
namespace {

using namespace placement;
using namespace placement::build;

/// Nothing that starts anew without being moved: no daemons, and no call that is placed as a whole.
Scenario plain_to_freeze(Scenario scenario) {
  for (std::size_t i = 0; i < scenario.task_definitions.size(); ++i) {
    scenario.task_definitions[i].family = "d" + std::to_string(i);
    scenario.task_definitions[i].name = "d" + std::to_string(i) + ":1";
  }
  std::erase_if(scenario.running, [](const RunningTask&) { return true; });
  scenario.in_use.clear();
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    auto& workload = scenario.workloads[i];
    workload.count = workload.count.value_or(0);
    workload.all_or_nothing = false;
    std::erase_if(workload.constraints, [](const Constraint& own) { return own.depends_on_tasks(); });
    if (workload.kind == WorkloadKind::kDaemon) workload.kind = WorkloadKind::kService;
    const bool is_service = workload.kind == WorkloadKind::kService;
    if (!is_service) workload.capacity_providers.clear();  // dealt anew, those that wait could get another
    workload.name = (is_service ? "s" + std::to_string(i) : "d" + std::to_string(workload.task_definition));
    workload.group = (is_service ? "service:" : "family:") + workload.name;
  }
  scenario.calls.clear();
  return scenario;
}

/// The cluster as it stands, described anew: all that stands runs before the first turn, and what is gone is not there.
Scenario frozen(const ClusterSimulation& cluster) {
  Scenario live = cluster.scenario();
  const auto& occupancy = cluster.occupancy();
  std::map<std::uint32_t, std::uint32_t> position;
  live.instances.clear();
  live.in_use.clear();
  for (const std::uint32_t i : occupancy.standing()) {
    position[i] = static_cast<std::uint32_t>(live.instances.size());
    live.instances.push_back(cluster.scenario().instances[i]);
    live.in_use.push_back(use_of(occupancy.states()[i], live.profiles[live.instances.back().profile]));
  }
  for (auto& workload : live.workloads) workload.count = 0;
  live.running.clear();
  for (const auto& task : cluster.tasks()) {
    auto& workload = live.workloads[task.workload];
    if (task.is_removed) continue;
    if (task.instance == kNoInstance) {
      ++*workload.count;
      continue;
    }
    RunningTask running;
    running.instance = position.at(*task.instance);
    running.group = workload.group;
    running.task_definition = live.task_definitions[workload.task_definition].name;
    running.gpus = list_devices(workload.requirement, task.gpus);
    live.running.push_back(running);
  }
  std::stable_sort(live.running.begin(), live.running.end(),
                   [](const auto& a, const auto& b) { return a.instance < b.instance; });
  return live;
}

bool is_whole(const ClusterSimulation& cluster) {
  for (std::uint32_t i = 0; i < cluster.names(); ++i) {
    const auto& now = cluster.figures(i);
    const auto& before = cluster.figures_before(i);
    if (now.held > 0 || now.desired - now.placed > before.desired - before.placed) return false;
  }
  return true;
}

struct Tally {
  std::int64_t kept = 0;
  std::int64_t deep = 0;  ///< Kept on top of another.
  std::int64_t moves = 0;
  std::int64_t ended = 0;
};

std::vector<std::uint32_t> some_of(const std::vector<std::uint32_t>& standing, RandomEvents& random) {
  const auto picked = random.some();
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < standing.size(); ++i) {
    if (!picked[i % picked.size()]) some.push_back(standing[i]);
  }
  return some;
}

void compare(std::uint64_t seed, Tally& tally) {
  constexpr RandomSize kSizes[] = {{9, 6, 6}, {6, 3, 12}, {24, 8, 16}};
  RandomEvents random(seed, kSizes[seed % 3]);
  auto given = plain_to_freeze(random.make());
  RandomEvents::make_large(given);
  random.vary_percents(given);
  const auto outcome = place(given);
  ClusterSimulation cluster(given, outcome);
  std::vector<PlainResult> before;
  for (int i = 0; i < 4; ++i) {
    INFO("seed " << seed << ", step " << i);
    const auto drained = some_of(cluster.occupancy().standing(), random);
    const std::vector<InstantEvent> events{DrainInstances{drained}};
    const auto stood = read(cluster);
    if (!before.empty()) {
      const auto live = frozen(cluster);
      std::vector<std::uint32_t> same;
      for (const std::uint32_t own : drained) {
        const auto standing = cluster.occupancy().standing();
        same.push_back(static_cast<std::uint32_t>(std::find(standing.begin(), standing.end(), own) - standing.begin()));
      }
      cluster.apply(events, false);
      if (is_whole(cluster)) REQUIRE(difference(read(cluster), plain_what_if(live, {DrainInstances{same}})) == "");
      cluster.rollback();
      REQUIRE(difference(read(cluster), stood) == "");
    }
    cluster.apply(events, false);
    if (!is_whole(cluster)) {
      cluster.rollback();
      continue;
    }
    for (std::uint32_t name = 0; name < cluster.names(); ++name) {
      tally.moves += cluster.figures(name).moves;
      tally.ended += cluster.figures(name).stays;
    }
    cluster.commit();
    before.push_back(stood);
    ++tally.kept;
    tally.deep += before.size() > 1 ? 1 : 0;
  }
  while (!before.empty()) {
    cluster.revert();
    REQUIRE(difference(read(cluster), before.back()) == "");
    before.pop_back();
  }
  const auto events = random.events(given);
  cluster.apply(events, false);
  REQUIRE(difference(read(cluster), plain_what_if(given, events)) == "");
}

/// BAYPLAN_ENGINE_CASES=10000 tries more.
TEST_CASE("what is kept is a baseline like any other and can be taken back") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(1'000));
  Tally tally;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) compare(seed, tally);
  CHECK(tally.kept > at_least(500));
  CHECK(tally.deep > at_least(200));
  CHECK(tally.moves > at_least(200));
  CHECK(tally.ended > at_least(50));
}

}  // namespace
}  // namespace bayplan::study::cluster_simulation_commit_test
