#include "placement/model/stop_rule.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/model/random.hpp"
#include "placement/model/redeploy.hpp"
#include "placement/model/service_terms.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// Which of the tasks on these instances is stopped first. "a" has more CPU left, "b" more memory.
std::uint32_t stopped(std::vector<Strategy> strategies, const std::vector<std::uint32_t>& instances) {
  const auto given = scenario_with({instance("a", 4096, 4000), instance("b", 2048, 9000)},
                                   {service("s", needs(1, 1), 9, std::move(strategies))});
  Occupancy occupancy(given);
  std::vector<StoppableTask> tasks;
  for (const auto on : instances) {
    occupancy.take(0, on);
    tasks.push_back({static_cast<std::uint32_t>(tasks.size()), on, &given.workloads[0].requirement});
  }
  return task_to_stop(occupancy, tasks, tasks, 0);
}

}  // namespace

TEST_CASE("a service stops the task where the strategy has most, and among equals the latest") {
  CHECK(stopped({binpack("cpu")}, {0, 0, 1}) == 1);
  CHECK(stopped({binpack("memory")}, {0, 1, 0}) == 1);
  CHECK(stopped({spread("instanceId")}, {0, 0, 1}) == 1);
  CHECK(stopped({{StrategyType::kRandom, {}}}, {0, 0, 1}) == 2);
}

TEST_CASE("zones are those of a service whose tasks have network interfaces of their own") {
  RunningService described;
  described.availability_zones = {"us-east-1a"};
  auto bridged = service("s", needs(1, 1), 1);
  take_terms(described, bridged);
  CHECK_FALSE(bridged.availability_zones);
  auto attached = service("s", with_interface(needs(1, 1)), 1);
  take_terms(described, attached);
  CHECK(attached.availability_zones == described.availability_zones);
}

TEST_CASE("a service keeps its zones with a definition whose tasks have interfaces, and loses them with another") {
  const auto attached = with_interface(needs(1, 1));
  auto given = scenario_with({instance("a", 1, 1)}, {service("s", attached, 1), service("other", attached, 1),
                                                     service("bridged", needs(1, 1), 1)});
  given.workloads[0].availability_zones = {"us-east-1a"};
  CHECK(with_definition(given, given.workloads[0], 1).availability_zones == given.workloads[0].availability_zones);
  CHECK_FALSE(with_definition(given, given.workloads[0], 2).availability_zones);
}

TEST_CASE("the order of stops is that of asking for one task after another while others start") {
  const std::vector<Strategy> all{binpack("cpu"),
                                  binpack("memory"),
                                  spread("instanceId"),
                                  spread("attribute:rack"),
                                  spread("attribute:ecs.availability-zone"),
                                  {StrategyType::kRandom, {}}};
  std::size_t stops = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<InstanceProfile> profiles;
    for (std::uint64_t i = 0, count = 1 + draw(random, 60); i < count; ++i) {
      const std::string zone(1, static_cast<char>('a' + draw(random, 3)));
      profiles.push_back(instance("i" + std::to_string(i), 100'000 + 100 * (seed % 2), 100'000, {}, zone));
      if (draw(random, 5) > 0) profiles.back().attributes["rack"] = std::to_string(draw(random, 30));
    }
    std::vector<Strategy> chain;
    for (std::uint64_t i = 0, count = draw(random, 4); i < count; ++i) chain.push_back(all[draw(random, all.size())]);
    const auto given =
        scenario_with(profiles, {service("s", needs(100, 200), 1, chain), service("s", needs(300, 50), 1)});
    Occupancy occupancy(given);
    std::vector<StoppableTask> tasks, candidates;
    for (std::uint32_t task = 0; task < 100; ++task) {
      const auto on = static_cast<std::uint32_t>(draw(random, given.instances.size()));
      const auto workload = static_cast<std::uint32_t>(draw(random, 2));
      occupancy.take(workload, on);
      tasks.push_back({task, on, &given.workloads[workload].requirement});
      if (draw(random, 3) > 0) candidates.push_back(tasks.back());
    }
    StopOrder order(occupancy, candidates, tasks, 0);
    while (!candidates.empty()) {
      INFO("seed " << seed << ", " << candidates.size() << " left");
      const std::uint32_t expected = task_to_stop(occupancy, candidates, tasks, 0);
      REQUIRE(order.next() == expected);
      const auto is_it = [&](const StoppableTask& task) { return task.task == expected; };
      const StoppableTask stopped = *std::find_if(tasks.begin(), tasks.end(), is_it);
      const std::uint32_t workload = stopped.requirement == &given.workloads[0].requirement ? 0 : 1;
      occupancy.give_back(workload, stopped.instance, {});
      std::erase_if(tasks, is_it);
      std::erase_if(candidates, is_it);
      ++stops;
      if (draw(random, 2) == 0) {  // a new task of the service starts
        const auto on = static_cast<std::uint32_t>(draw(random, given.instances.size()));
        occupancy.take(0, on);
        tasks.push_back({1000 + static_cast<std::uint32_t>(tasks.size()), on, &given.workloads[0].requirement});
        order.count_started(on);
      }
      if (draw(random, 4) == 0)  // and one that is none of its tasks
        occupancy.take(1, static_cast<std::uint32_t>(draw(random, given.instances.size())));
      // More changes than the history keeps.
      for (int i = 0; i < 20'000 && seed == 1 && candidates.size() == 30; ++i)
        occupancy.give_back(0, 0, occupancy.take(0, 0));
    }
    CHECK_THROWS(order.next());
  }
  CHECK(stops > 10'000);
}
