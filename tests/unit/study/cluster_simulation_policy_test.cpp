#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "study/random_events.hpp"
#include "study/read_simulation.hpp"
#include "study/simulation/cluster_simulation.hpp"
#include "study/simulation/simulation_check.hpp"

namespace bayplan::study::cluster_simulation_policy_test {
namespace {

using namespace placement;
using namespace placement::build;

Scenario counted(Scenario scenario) {
  for (auto& workload : scenario.workloads) workload.count = workload.count.value_or(0);
  return scenario;
}

/// The instance of each task, by id: added instances of an earlier variant leave a gap.
std::vector<std::string> instances_of(const ClusterSimulation& cluster) {
  std::vector<std::string> instances;
  for (const auto& task : cluster.tasks()) {
    const bool is_placed = task.instance < cluster.scenario().instances.size();
    instances.push_back(is_placed ? cluster.scenario().instances[*task.instance].id : "-");
  }
  return instances;
}

TEST_CASE("cluster simulation: a policy places what an event displaces") {
  // The task runs in z-1a. When the zone is lost, the service spreads to the first instance of z-1b, which is empty;
  // best fit fills the other one.
  auto scenario = scenario_with({instance("x", 4096, 8000, {}, "z-1a"), instance("y", 4096, 8000, {}, "z-1b"),
                                 instance("y", 2048, 8000, {}, "z-1b")},
                                {service("web", needs(1024, 1000), 1)});
  const auto after = [&](std::optional<Policy> policy) {
    scenario.policy = policy;
    auto outcome = place(scenario);
    REQUIRE(outcome.placements.size() == 1);
    outcome.placements.front().instance = 0;
    ClusterSimulation cluster(scenario, outcome);
    cluster.apply({TerminateInstances{{0}}}, true);
    return instances_of(cluster).back();  // that of the task that replaces the lost one
  };
  CHECK(after(std::nullopt) == "y#1");
  CHECK(after(Policy::kBestFit) == "y#2");
  CHECK(after(Policy::kWorstFit) == "y#1");
}

/// What an instance that is larger than all others, or of a new kind, changes for a policy is taken back with it.
TEST_CASE("cluster simulation: under a policy a variant leaves nothing behind") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(300));
  std::int64_t moves = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    constexpr RandomSize kSizes[] = {{9, 6, 6}, {6, 3, 12}, {24, 8, 16}};
    RandomEvents random(seed, kSizes[seed % 3]);
    auto scenario = random.make();
    if (seed % 5 > 1) RandomEvents::make_large(scenario);
    scenario = counted(scenario);
    scenario.policy = policies()[seed % policies().size()].policy;
    if (seed % 2 == 1) scenario.ties = TieOrder::kDrawn;
    const auto outcome = place(scenario);
    REQUIRE(verify(scenario, outcome) == std::vector<std::string>{});
    ClusterSimulation cluster(scenario, outcome);
    for (int i = 0; i < 3; ++i) {
      const auto events = random.events(scenario);
      INFO("seed " << seed << ", variant " << i);
      cluster.apply(events, true);
      REQUIRE(find_mismatches(cluster, outcome) == std::vector<std::string>{});
      ClusterSimulation alone(scenario, outcome);
      alone.apply(events, true);
      REQUIRE(difference(read(cluster), read(alone)) == "");
      REQUIRE(instances_of(cluster) == instances_of(alone));
      for (std::uint32_t name = 0; name < cluster.names(); ++name) moves += cluster.figures(name).moves;
      cluster.rollback();
    }
  }
  CHECK(moves >= at_least(150));
}

}  // namespace
}  // namespace bayplan::study::cluster_simulation_policy_test
