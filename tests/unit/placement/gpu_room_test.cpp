#include "placement/engine/gpu_room.hpp"
#include "environment.hpp"

#include <algorithm>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/engine/gpu_demand.hpp"
#include "placement/random_scenario.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

std::vector<GpuRoom> compute_room(const Scenario& scenario) {
  return gpu_room(scenario, place(scenario));
}

std::int64_t stranded_by(const GpuRoom& room, Check check) {
  return room.stranded_by_check[static_cast<std::size_t>(check)];
}

Workload none_of(std::string family, capacity::TaskRequirement task) {
  return run_task(std::move(family), std::move(task), 0);
}

}  // namespace

TEST_CASE("free GPUs are counted in blocks, those out of reach not at all") {
  auto draining = instance("p3.8xlarge", 32768, 245000, {4, 16384});
  draining.status = InstanceStatus::kDraining;
  auto silent = instance("p3.8xlarge", 32768, 245000, {4, 16384});
  silent.agent_connected = false;
  const auto given =
      scenario_with({instance("p3.8xlarge", 32768, 245000, {4, 16384}), draining, silent,
                     instance("p3.8xlarge", 32768, 245000, {4, 16384}), instance("m5.large", 2048, 7000)},
                    {run_task("t", with_gpus(needs(1, 1), {3}), 1)});
  const auto blocks = free_gpus(given, place(given));
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].free == 4);
  CHECK(blocks[0].instances == 1);
  CHECK(blocks[1].free == 1);
  CHECK(blocks[1].instances == 1);
}

TEST_CASE("GPU room says what fits of each kind and what strands the rest") {
  // Two instances: one has two GPUs free, the other four but memory for one task only.
  auto small = instance("p3.8xlarge", 32768, 1500, {4, 16384});
  const auto given = scenario_with(
      {instance("p3.8xlarge", 32768, 245000, {4, 16384}), small},
      {run_task("first", with_gpus(needs(1, 2000), {2}), 1), none_of("two", with_gpus(needs(1, 1000), {2})),
       none_of("three", with_gpus(needs(1, 1), {3})), none_of("nine", with_gpus(needs(40000, 1), {1}))});
  const auto rooms = compute_room(given);
  REQUIRE(rooms.size() == 4);
  CHECK(rooms[1].copies == 2);
  CHECK(rooms[1].stranded == 2);
  CHECK(stranded_by(rooms[1], Check::kMemory) == 2);
  CHECK(rooms[2].copies == 1);
  CHECK(rooms[2].stranded == 3);
  CHECK(stranded_by(rooms[2], Check::kGpu) == 3);
  CHECK(rooms[3].copies == 0);
  CHECK(stranded_by(rooms[3], Check::kCpu) == 6);
}

TEST_CASE("GPU room keeps to constraints, to distinctInstance and to capacity providers") {
  auto mine = instance("p3.8xlarge", 32768, 245000, {4, 16384});
  mine.capacity_provider_name = "mine";
  auto other = instance("g4dn.12xlarge", 49152, 186000, {4, 16384});
  other.capacity_provider_name = "other";
  auto bound = none_of("bound", with_gpus(needs(1, 1), {1}));
  bound.constraints = {member_of("attribute:ecs.instance-type =~ p3.*")};
  auto apart = run_task("apart", with_gpus(needs(1, 1), {1}), 1);
  apart.constraints = {distinct_instance()};
  auto provided = none_of("provided", with_gpus(needs(1, 1), {1}));
  provided.capacity_providers = {{"mine", 0, 1}};
  const auto rooms = compute_room(scenario_with({mine, other}, {bound, apart, provided}));
  REQUIRE(rooms.size() == 3);
  CHECK(rooms[0].copies == 4);  // g4dn.12xlarge took the task of `apart`: it has less memory
  CHECK(stranded_by(rooms[0], Check::kMemberOf) == 3);
  CHECK(rooms[1].copies == 1);
  CHECK(stranded_by(rooms[1], Check::kDistinctInstance) == 3 + 3);
  CHECK(rooms[2].copies == 4);
  CHECK(stranded_by(rooms[2], Check::kCapacityProvider) == 3);
}

TEST_CASE("GPU room of shared GPUs goes by memory") {
  const auto rooms = compute_room(scenario_with(
      {instance("g5.12xlarge", 49152, 186000, {4, 22563})},
      {run_task("eight", with_mps(needs(1, 1), {8000}), 1), none_of("large", with_mps(needs(1, 1), {23000}))}));
  REQUIRE(rooms.size() == 2);
  CHECK(rooms[0].copies == 1 + 3 * 2);
  CHECK(rooms[0].stranded == 0);
  CHECK(rooms[1].copies == 0);
  CHECK(stranded_by(rooms[1], Check::kGpu) == 3);
}

TEST_CASE("workloads that ask for the same thing are one kind") {
  auto given =
      scenario_with({instance("p3.8xlarge", 32768, 245000, {4, 16384})},
                    {run_task("t", with_gpus(needs(1, 1), {1}), 1), run_task("t", with_gpus(needs(1, 1), {1}), 1)});
  given.workloads[1].task_definition = 0;
  given.task_definitions.pop_back();
  const auto rooms = compute_room(given);
  REQUIRE(rooms.size() == 1);
  CHECK(rooms[0].copies == 2);
}

TEST_CASE("workloads that may stand on other instances are kinds of their own") {
  const auto on = [](const std::string& type) {
    auto task = run_task("t", with_gpus(needs(1, 1), {1}), 1);
    return constrained(std::move(task), {member_of("attribute:ecs.instance-type == " + type)});
  };
  auto given =
      scenario_with({instance("p3.8xlarge", 32768, 245000, {4, 16384}), instance("p2.xlarge", 4096, 60000, {1, 12288})},
                    {on("p3.8xlarge"), on("p2.xlarge")});
  given.workloads[1].task_definition = 0;
  given.task_definitions.pop_back();
  const auto rooms = compute_room(given);
  REQUIRE(rooms.size() == 2);
  CHECK(rooms[0].copies == 3);
  CHECK(rooms[1].copies == 0);
}

namespace {

bool looks_at_tasks(const Workload& kind) {
  return std::any_of(kind.constraints.begin(), kind.constraints.end(),
                     [](const Constraint& constraint) { return constraint.depends_on_tasks(); });
}

/// How many tasks of the kind are placed when it has the last turn, as many as fit.
std::int64_t placed_last(Scenario scenario, Workload kind) {
  kind.kind = WorkloadKind::kTasks;
  kind.all_or_nothing = false;
  kind.count.reset();
  const auto number = static_cast<std::uint32_t>(scenario.workloads.size());
  scenario.workloads.push_back(std::move(kind));
  const auto outcome = place(scenario);
  return std::count_if(outcome.placements.begin(), outcome.placements.end(),
                       [number](const Placement& placement) { return placement.attempt.workload == number; });
}

}  // namespace

TEST_CASE("GPU room agrees with placing as many as fit") {
  std::size_t with_room = 0;
  for (std::uint64_t seed = 0; seed < random_cases(3000); ++seed) {
    auto given = RandomScenario(seed, {.instances = 7, .workloads = 6, .count = 4}).make();
    given.order = TaskOrder::kGiven;  // else a large kind would not come last
    // A service that waits for other tasks is placed after all others: the kind would not come last.
    const bool waits = std::any_of(given.workloads.begin(), given.workloads.end(), [](const Workload& workload) {
      return workload.kind == WorkloadKind::kService && looks_at_tasks(workload);
    });
    if (waits) continue;
    const auto rooms = compute_room(given);
    const GpuDemand demand(given);
    for (std::size_t kind = 0; kind < rooms.size(); ++kind) {
      // A provider that is full ends "as many as fit", whatever room the others have.
      if (looks_at_tasks(demand.kind(kind)) || !demand.kind(kind).capacity_providers.empty()) continue;
      CAPTURE(seed, kind);
      CHECK(rooms[kind].copies == placed_last(given, demand.kind(kind)));
      if (rooms[kind].copies > 0) ++with_room;
    }
  }
  CHECK(with_room > at_least<std::size_t>(100));
}
