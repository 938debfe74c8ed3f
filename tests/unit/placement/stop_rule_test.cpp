#include "placement/model/stop_rule.hpp"

#include "catch.hpp"
#include "placement/build.hpp"
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
