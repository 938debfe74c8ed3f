// What the log gives as the cause of an event, why a task has no place, and what else depends on which came first.
#include <utility>

#include "catch.hpp"
#include "placement/build.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace bayplan::timeline {
namespace {

using namespace placement;         // NOLINT: scenarios are about nothing else
using namespace placement::build;  // NOLINT

Scenario timed(std::vector<InstanceProfile> instances, std::vector<Workload> workloads) {
  auto made = scenario_with(std::move(instances), std::move(workloads));
  made.timetable.tasks.resize(made.workloads.size());
  made.timetable.has_time = true;
  return made;
}

InstanceProfile room(CpuUnits cpu, std::string provider = "") {
  auto made = instance("x", cpu, 8192, {}, "a");
  made.capacity_provider_name = std::move(provider);
  return made;
}

/// Of instances as the first profile.
InstanceGroup group_of_first(std::int64_t least, std::int64_t most) {
  return {.capacity_provider = "g",
          .types = {{{0}}},
          .availability_zones = {"a"},
          .min_size = least,
          .max_size = most,
          .boot_time = 180};
}

TimedEvent drain(Seconds at, std::string instances) {
  return {at, DrainInstances{{}, std::move(instances)}, {}};
}

TimedEvent terminate(Seconds at, std::string instances) {
  return {at, TerminateInstances{{}, std::move(instances)}, {}};
}

TimedEvent add(Seconds at, std::uint32_t profile) {
  return {at, AddInstances{{}, {{{}, profile}}}, {}};
}

using Told = std::pair<EventKind, std::uint32_t>;

/// The event that led to the first of the kind about the subject.
Told find_cause(const History& history, EventKind kind, std::uint32_t subject) {
  for (const auto& event : history.events) {
    if (event.kind != kind || event.subject != subject) continue;
    REQUIRE(event.cause != kNoIndex);
    return {history.events[*event.cause].kind, history.events[*event.cause].subject};
  }
  FAIL("no such event");
  return {};
}

const Failure& find_failure(const History& history, std::uint32_t task) {
  REQUIRE(history.tasks.at(task).failure != kNoIndex);
  return history.failures.at(*history.tasks[task].failure);
}

}  // namespace

TEST_CASE("causes - a service starts tasks for its deployment, and for one that ended") {
  auto made = timed({room(4096)}, {service("web", needs(256, 1000), 1)});
  made.timetable.services.push_back({.workload = 0, .desired_count = 1});
  made.timetable.tasks[0].duration = 10;
  made.timetable.until = 25;
  const auto history = simulate(made);
  CHECK(find_cause(history, EventKind::kTaskArrived, 0) == Told(EventKind::kDeploymentStarted, 0));
  CHECK(find_cause(history, EventKind::kTaskArrived, 1) == Told(EventKind::kTaskStopped, 0));
}

TEST_CASE("causes - what goes with an instance, and the instance that comes in its place") {
  auto made = timed({room(4096, "g")}, {run_task("short", needs(256, 1000), 1), run_task("long", needs(256, 1000), 1)});
  made.timetable.tasks[0].duration = 10;
  made.timetable.tasks[1].duration = 100;
  made.timetable.groups.push_back(group_of_first(1, 1));
  made.timetable.events.push_back(terminate(20, "x#1"));
  const auto history = simulate(made);
  CHECK(find_cause(history, EventKind::kTaskStopped, 0) == Told(EventKind::kTaskRunning, 0));
  CHECK(find_cause(history, EventKind::kTaskStopped, 1) == Told(EventKind::kInstanceTerminated, 0));
  CHECK(find_cause(history, EventKind::kInstanceLaunched, 1) == Told(EventKind::kInstanceTerminated, 0));
}

TEST_CASE("causes - a daemon comes with its instance, and gives up with it") {
  auto daemon = service("log", needs(256, 1000), 1);
  daemon.kind = WorkloadKind::kDaemon;
  auto made = timed({room(4096), room(4096)}, {daemon});
  made.in_use.resize(2);
  made.in_use[1].cpu = 4000;
  made.timetable.services.push_back({.workload = 0});
  made.timetable.events = {add(10, 0), drain(20, "x#2")};
  const auto history = simulate(made);
  REQUIRE(history.tasks.size() == 3);
  CHECK(find_cause(history, EventKind::kTaskArrived, 0) == Told(EventKind::kDeploymentStarted, 0));
  CHECK(find_cause(history, EventKind::kTaskArrived, 2) == Told(EventKind::kInstanceActive, 2));
  CHECK(history.tasks[1].stop == StopCause::kDraining);
  CHECK(find_cause(history, EventKind::kTaskStopped, 1) == Told(EventKind::kInstanceDraining, 1));
  REQUIRE(find_failure(history, 1).instances.size() == 1);
  CHECK(find_failure(history, 1).instances.front().instance == 1);
}

TEST_CASE("an event that drains an instance too early is told why") {
  auto made = timed({room(4096, "g")}, {});
  made.timetable.groups.push_back(group_of_first(1, 1));
  const auto message = [&](std::string subject) {
    made.timetable.events = {terminate(10, "x#1"), drain(20, std::move(subject))};
    const auto history = simulate(made);
    return history.errors.empty() ? "" : history.errors[0].message;
  };
  CHECK(message("x#2") == "at 20s: x#2: this instance is not ACTIVE yet");
  CHECK(message("x#9") == "at 20s: x#9: no such instance yet");
}

TEST_CASE("reasons - who comes to the front of the queue is told why it waits there") {
  auto made = timed({room(100)}, {run_task("train", needs(100, 100), 3)});
  made.timetable.tasks[0].duration = 60;
  made.timetable.when_full = WhenFull::kWait;
  const auto history = simulate(made);
  CHECK(history.tasks[0].failure == kNoIndex);
  CHECK(history.tasks[1].failure == 0);
  CHECK(history.tasks[2].failure == 1);
  CHECK(history.failures.size() == 2);
}

TEST_CASE("reasons - of a task that waits to the end, as things are at the end") {
  auto made = timed({room(100)}, {run_task("train", needs(100, 100), 2)});
  made.timetable.when_full = WhenFull::kWait;
  CHECK(find_failure(simulate(made), 1).closest == std::optional<std::uint32_t>(0));
  made.timetable.events.push_back(drain(60, "x#1"));
  CHECK_FALSE(find_failure(simulate(made), 1).closest);  // no instance is ACTIVE any more
}

TEST_CASE("reasons - of a task that was PROVISIONING for too long, as things are by then") {
  auto made = timed({room(100, "g")}, {run_task("train", needs(100, 100), 2)});
  made.instances.clear();
  made.workloads[0].capacity_providers = {{"g", 0, 1}};
  made.timetable.groups.push_back(group_of_first(0, 1));
  made.timetable.groups[0].is_managed = true;
  const auto history = simulate(made);
  REQUIRE(history.tasks[1].stop == StopCause::kProvisioningTimeout);
  CHECK(find_failure(history, 0).instances.empty());
  CHECK(find_failure(history, 1).instances.size() == 1);
}

TEST_CASE("reasons - a call that is placed as a whole tells how many would have fitted") {
  auto made = timed({room(200)}, {run_task("trio", needs(100, 100), 3)});
  made.workloads[0].all_or_nothing = true;
  const auto history = simulate(made);
  REQUIRE(history.failures.size() == 1);
  CHECK(history.failures[0].would_fit == std::optional<std::int64_t>(2));
  for (const auto& task : history.tasks) CHECK(task.failure == 0);
}

TEST_CASE("reasons - ten thousand tasks that fail have one each, and more") {
  constexpr Seconds kTimes = 10'001;
  auto made = timed({room(100)}, {run_task("blink", needs(100, 100), 1), run_task("big", needs(200, 100), 1)});
  made.timetable.tasks[0].duration = 0;
  for (Seconds at = 0; at < kTimes; ++at) {
    for (const std::uint32_t workload : {0u, 1u}) made.calls.push_back({.workload = workload, .start_at = at});
  }
  const auto history = simulate(made);
  CHECK(history.failures.size() == static_cast<std::size_t>(kTimes));
  CHECK(history.tasks.back().failure == kTimes - 1);
}

TEST_CASE("a task that waits for its managed capacity provider is in nobody's way") {
  auto made = timed({room(100)}, {run_task("late", needs(100, 100), 1), run_task("now", needs(100, 100), 1)});
  made.profiles.push_back(room(100, "g"));
  made.workloads[0].capacity_providers = {{"g", 0, 1}};
  made.timetable.groups.push_back(group_of_first(0, 1));
  made.timetable.groups[0].types = {{{1}}};
  made.timetable.groups[0].is_managed = true;
  made.timetable.when_full = WhenFull::kWait;
  const auto history = simulate(made);
  CHECK(history.tasks[0].placed_at > 0);
  CHECK(history.tasks[1].placed_at == 0);
  CHECK(verify(made, history) == std::vector<std::string>{});
}

TEST_CASE("a new deployment does not go on with a task that was to even out the zones") {
  auto other_zone = room(4096);
  other_zone.availability_zone = "b";
  auto made = timed({room(4096)}, {service("web", needs(256, 1000), 2), service("web", needs(256, 1000), 2)});
  made.profiles.push_back(other_zone);
  made.workloads[0].maximum_percent = 400;  // room for all at once
  made.timetable.services.push_back({.workload = 0, .desired_count = 2, .rebalances = true});
  made.timetable.events = {add(100, 1), {110, UpdateService{.service = 0, .workload = 1, .desired_count = 2}, {}}};
  made.timetable.until = 120;
  const auto history = simulate(made);
  CHECK(find_cause(history, EventKind::kTaskArrived, 2) == Told(EventKind::kRebalancingStarted, 0));
  std::int64_t own = 0;
  for (const auto& task : history.tasks) own += task.deployment == 1 ? 1 : 0;
  CHECK(own == 2);
}

TEST_CASE("a task has the place that would not have evened out the zones") {
  auto full = room(200);
  full.availability_zone = "b";
  auto made = timed({room(4096), full}, {service("web", needs(256, 1000), 2)});
  made.timetable.services.push_back({.workload = 0, .desired_count = 2, .rebalances = true});
  made.timetable.events = {{100, UpdateService{.service = 0, .desired_count = 3}, {}}};
  const auto history = simulate(made);
  REQUIRE(history.tasks.size() == 3);
  CHECK(history.tasks[2].placed_at == 100);
}

TEST_CASE("a rollback starts what lacks in the same turn, before the queue has its own") {
  auto made = timed({room(512)}, {service("web", needs(256, 100), 1), service("web", needs(5000, 100), 1),
                                  run_task("job", needs(256, 100), 1)});
  made.calls = {{.workload = 2, .start_at = 600}};
  made.timetable.services.push_back({.workload = 0, .desired_count = 1});
  made.timetable.services[0].circuit_breaker = {
      .enabled = true, .rollback = true, .type = ThresholdType::kCount, .value = 1};
  made.timetable.events = {{600, UpdateService{.service = 0, .workload = 1, .desired_count = 2}, {}}};
  const auto history = simulate(made);
  REQUIRE(history.deployments.size() == 3);
  CHECK(history.deployments[1].state == Deployment::State::kFailed);
  std::int64_t placed = 0;
  for (const auto& task : history.tasks) placed += task.workload == 0 && task.placed_at ? 1 : 0;
  CHECK(placed == 2);
  for (const auto& task : history.tasks) CHECK((task.workload != 2 || task.failed));
}

}  // namespace bayplan::timeline
