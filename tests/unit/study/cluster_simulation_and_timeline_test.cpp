#include <map>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/strategies.hpp"
#include "study/plain_what_if.hpp"
#include "study/random_events.hpp"
#include "study/simulation/cluster_simulation.hpp"
#include "study/whatif/what_if_deploy.hpp"

namespace bayplan::study::cluster_simulation_and_timeline_test {
namespace {

using namespace placement;
using namespace placement::build;

/// Tasks of a service: with a place on instances that stay, and on draining ones.
using Counts = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

/// What both can do: nothing is drawn, no service waits for tasks of others, and every service has a name of its own.
void make_comparable(Scenario& scenario) {
  scenario.ties = TieOrder::kFile;
  for (auto& profile : scenario.profiles) {
    if (profile.status != InstanceStatus::kActive) profile.status = InstanceStatus::kActive;
  }
  auto& table = scenario.timetable;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    auto& workload = scenario.workloads[i];
    workload.count = workload.count.value_or(0);
    std::erase_if(workload.strategies, [](const Strategy& own) { return own.type == StrategyType::kRandom; });
    if (draws(workload, scenario.ties)) workload.strategies = {binpack("memory")};
    std::erase_if(workload.constraints, [](const Constraint& own) { return own.depends_on_tasks(); });
    if (workload.kind != WorkloadKind::kTasks) {
      workload.name = "s" + std::to_string(i);
      workload.group = "service:" + workload.name;
      ServicePlan plan;
      plan.workload = i;
      plan.desired_count = *workload.count;
      table.services.push_back(plan);
    }
    table.tasks.emplace_back();
  }
}

void state_desired_counts(Scenario& scenario) {
  for (auto& plan : scenario.timetable.services) {
    const auto& group = scenario.workloads[plan.workload].group;
    plan.desired_count = *scenario.workloads[plan.workload].count;
    for (const auto& task : scenario.running) plan.desired_count += task.group == group ? 1 : 0;
  }
}

Counts at_once(const Scenario& scenario, const std::vector<InstantEvent>& events) {
  ClusterSimulation cluster(scenario, place(scenario));
  cluster.apply(events, false);
  Counts counts;
  for (std::uint32_t i = 0; i < cluster.names(); ++i) {
    const auto& workload = cluster.first_workload(i);
    if (workload.kind != WorkloadKind::kService) continue;
    counts[workload.name] = {cluster.figures(i).placed, cluster.figures(i).held};
  }
  return counts;
}

Counts over_time(const Scenario& scenario, const std::vector<InstantEvent>& events) {
  Variant variant;
  variant.events = events;
  const auto run = deploy(scenario, variant);
  REQUIRE(run.mistakes.empty());
  Counts counts;
  for (const auto& plan : scenario.timetable.services) {
    const auto& workload = scenario.workloads[plan.workload];
    if (workload.kind == WorkloadKind::kService) counts[workload.name] = {0, 0};
  }
  for (const auto& task : run.history.tasks) {
    if (!task.placed_at || task.stopped_at) continue;
    const auto& group = task.running != timeline::kNoIndex ? scenario.running[*task.running].group
                                                           : run.scenario->workloads[*task.workload].group;
    const auto service = counts.find(group.starts_with("service:") ? group.substr(8) : "");
    if (service == counts.end()) continue;
    const bool drains = run.history.instances[*task.instance].draining_at.has_value();
    ++(drains ? service->second.second : service->second.first);
  }
  return counts;
}

/// BAYPLAN_ENGINE_CASES=10000 tries more.
TEST_CASE("the cluster simulation keeps as many tasks of a service as a run over time") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(2'000));
  constexpr RandomSize kSizes[] = {{9, 6, 6}, {6, 3, 12}, {24, 8, 16}};
  std::int64_t placed = 0;
  std::int64_t held = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomEvents random(seed, kSizes[seed % 3]);
    auto given = random.make();
    if (!given.running.empty()) continue;
    if (seed % 5 > 0) RandomEvents::make_large(given);
    make_comparable(given);
    if (seed % 3 == 1) given = as_live(given, random.some());
    state_desired_counts(given);
    random.vary_percents(given);
    const auto events = random.events(given);
    INFO("seed " << seed);
    const auto counts = at_once(given, events);
    REQUIRE(counts == over_time(given, events));
    for (const auto& [name, own] : counts) {
      placed += own.first;
      held += own.second;
    }
  }
  CHECK(placed > at_least(1'000));
  CHECK(held > at_least(20));
}

}  // namespace
}  // namespace bayplan::study::cluster_simulation_and_timeline_test
