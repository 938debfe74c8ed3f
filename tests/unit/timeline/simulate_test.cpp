#include "timeline/simulate.hpp"

#include <algorithm>
#include <map>

#include "catch.hpp"
#include "placement/build.hpp"
#include "timeline/verify_history.hpp"

namespace bayplan::timeline {
namespace {

using namespace placement;         // NOLINT: scenarios are about nothing else
using namespace placement::build;  // NOLINT

constexpr Seconds kMinute = 60;

InstanceProfile gpu_instance() {
  auto made = instance("p3.2xlarge", 8192, 61000, {}, "a");
  made.gpu_count = 1;
  return made;
}

Scenario over_time(std::vector<InstanceProfile> instances, std::vector<Workload> workloads) {
  auto made = scenario_with(std::move(instances), std::move(workloads));
  made.timetable.tasks.resize(made.workloads.size());
  made.timetable.has_time = true;
  return made;
}

std::vector<Seconds> starts(const History& history) {
  std::vector<Seconds> times;
  for (const auto& task : history.tasks) times.push_back(task.started_at.value_or(-1));
  return times;
}

TEST_CASE("a stopped task frees its EBS attachment for the next task of the queue") {
  auto made = over_time({with_attachments(instance("d3.8xlarge", 32768, 255'000), 2, true)},
                        {run_task("db", with_volume(needs(1024, 1000)), 5)});
  made.timetable.tasks[0].duration = 30 * kMinute;
  made.timetable.when_full = WhenFull::kWait;
  CHECK(starts(simulate(made)) == std::vector<Seconds>{0, 0, 1800, 1800, 3600});
}

TEST_CASE("a freed GPU starts the next task of the queue") {
  auto made = over_time({gpu_instance(), gpu_instance()}, {run_task("train", with_gpus(needs(1024, 1000), {1}), 5)});
  made.timetable.tasks[0].duration = 30 * kMinute;
  made.timetable.when_full = WhenFull::kWait;
  const auto history = simulate(made);
  CHECK(starts(history) == std::vector<Seconds>{0, 0, 1800, 1800, 3600});
  CHECK(history.end == 90 * kMinute);
  CHECK(history.end_reason == EndReason::kNothingLeft);
}

TEST_CASE("ECS launches at most 500 tasks of a service within a minute") {
  auto made = over_time({instance("m5.large", 2048, 100'000, {}, "a")}, {service("web", needs(0, 10), 4000)});
  made.workloads.push_back(made.workloads[0]);
  made.timetable.tasks.resize(2);
  made.timetable.services.push_back({.workload = 0, .desired_count = 4000});
  made.timetable.events.push_back({10 * kMinute, placement::UpdateService{.service = 0, .workload = 1}, {}});
  const auto launches = [&] {
    std::map<Seconds, std::int64_t> counts;
    for (const auto& task : simulate(made).tasks) ++counts[task.arrived_at];
    return counts;
  };
  std::map<Seconds, std::int64_t> expected{{0, 4000}};
  for (Seconds minute = 10; minute < 18; ++minute) expected[minute * kMinute] = 500;
  CHECK(launches() == expected);

  const auto history = simulate(made);
  CHECK(timeline::verify(made, history).empty());
  const auto& deployment = history.deployments.back();
  CHECK(deployment.state == Deployment::State::kCompleted);
  CHECK(deployment.ended_at == 17 * kMinute + made.timetable.timing.healthy_after + made.timetable.tasks[0].stop_delay);
  const auto told = std::count_if(history.events.begin(), history.events.end(),
                                  [](const Event& event) { return event.kind == EventKind::kLaunchRateReached; });
  CHECK(told == 1);

  made.timetable.timing.launch_rate = 499;  // the same history breaks this rule
  CHECK_FALSE(timeline::verify(made, history).empty());
  made.timetable.timing.launch_rate = 5000;
  CHECK(launches() == std::map<Seconds, std::int64_t>{{0, 4000}, {600, 4000}});
}

TEST_CASE("from zero a managed group starts two instances and gives one back") {
  auto made = over_time({}, {run_task("train", with_gpus(needs(1024, 1000), {1}), 1)});
  auto profile = gpu_instance();
  profile.capacity_provider_name = "gpu";
  made.profiles.push_back(profile);
  made.workloads[0].capacity_providers = {{"gpu", 0, 1}};
  made.timetable.groups.push_back(
      {.capacity_provider = "gpu", .types = {{{0}}}, .availability_zones = {"a"}, .max_size = 10, .is_managed = true});
  made.timetable.groups[0].has_termination_protection = true;
  made.timetable.tasks[0].duration = 60 * kMinute;
  const auto history = simulate(made);
  REQUIRE(history.instances.size() == 2);
  CHECK(history.instances[0].launched_at == kMinute);
  CHECK(history.instances[0].active_at == 4 * kMinute);
  CHECK(history.tasks[0].placed_at == 4 * kMinute);
  REQUIRE(history.failures.size() == 1);
  CHECK(capacity_provider_of(made, history.failures[0].attempt) == "gpu");
  CHECK(history.tasks[0].stopped_at == 64 * kMinute);
  // The data points from 4 to 18 minutes, and from 64 to 78, are below the target: 15 each time.
  CHECK(history.instances[0].terminated_at == 78 * kMinute);
  CHECK(history.instances[1].terminated_at == 18 * kMinute);
}

TEST_CASE("a rolling deployment replaces the tasks within the healthy percents") {
  auto made = over_time({instance("x", 4096, 4096, {}, "a")}, {service("web", needs(256, 1000), 2)});
  made.workloads.push_back(made.workloads[0]);
  made.timetable.tasks.resize(2);
  made.timetable.services.push_back({.workload = 0, .desired_count = 2});
  made.timetable.events.push_back({10 * kMinute, placement::UpdateService{.service = 0, .workload = 1}, {}});
  const auto history = simulate(made);
  REQUIRE(history.deployments.size() == 2);
  CHECK(history.deployments[0].state == Deployment::State::kCompleted);
  CHECK(history.deployments[0].ended_at == 40);
  CHECK(history.deployments[1].state == Deployment::State::kCompleted);
  CHECK(starts(history) == std::vector<Seconds>{0, 0, 600, 600});
  CHECK(history.tasks[0].stopped_at == 600 + 40 + 30);
}

TEST_CASE("ten thousand events of one instant happen in their order") {
  auto made = over_time({instance("x", 4096, 4096, {}, "a")}, {service("web", needs(64, 64), 1)});
  made.timetable.services.push_back({.workload = 0, .desired_count = 1});
  for (std::int64_t i = 1; i <= 10'000; ++i) {
    made.timetable.events.push_back({10 * kMinute, placement::UpdateService{.service = 0, .desired_count = i % 7}, {}});
  }
  const auto history = simulate(made);
  std::uint32_t updates = 0;
  for (const auto& event : history.events) {
    if (event.kind == EventKind::kServiceUpdated) CHECK(event.subject == updates++);
  }
  CHECK(updates == 10'000);
  CHECK(starts(history) == std::vector<Seconds>{0, 600, 600, 600});  // the last one says 4: 10,000 mod 7
}

TEST_CASE("tasks that last no time start and end at once, one after another") {
  auto made = over_time({instance("x", 100, 100)}, {run_task("blink", needs(100, 100), 3)});
  made.timetable.tasks[0].duration = 0;
  made.timetable.when_full = WhenFull::kWait;
  const auto history = simulate(made);
  CHECK(starts(history) == std::vector<Seconds>{0, 0, 0});
  CHECK(history.end == 0);
}

TEST_CASE("tasks of a century wait for each other") {
  constexpr Seconds kCentury = Seconds{876'600} * 3'600;
  auto made = over_time({instance("x", 100, 100)}, {run_task("long", needs(100, 100), 3)});
  made.timetable.tasks[0].duration = kCentury;
  made.timetable.when_full = WhenFull::kWait;
  const auto history = simulate(made);
  CHECK(starts(history) == std::vector<Seconds>{0, kCentury, 2 * kCentury});
  CHECK(history.end == 3 * kCentury);
  CHECK(history.end_reason == EndReason::kNothingLeft);
}

namespace {

/// Its task ends before it is healthy, again and again.
Scenario failing(Seconds duration) {
  auto made = over_time({instance("x", 4096, 4096, {}, "a")}, {service("web", needs(256, 1000), 1)});
  made.timetable.services.push_back({.workload = 0, .desired_count = 1});
  made.timetable.tasks[0].duration = duration;
  return made;
}

}  // namespace

TEST_CASE("a group that grows and shrinks for ever is ended") {
  auto made = failing(10);
  made.instances.clear();
  made.profiles[0].capacity_provider_name = "g";
  made.workloads[0].capacity_providers = {{"g", 0, 1}};
  made.timetable.groups.push_back(
      {.capacity_provider = "g", .types = {{{0}}}, .availability_zones = {"a"}, .max_size = 3, .is_managed = true});
  made.timetable.timing.restart_delay = 25 * kMinute;  // longer than the 15 data points of a scale-in
  const auto history = simulate(made);
  CHECK(history.end_reason == EndReason::kEndless);
  CHECK(history.end == made.timetable.timing.endless_after);
  std::map<EventKind, int> count;
  for (const auto& event : history.events) ++count[event.kind];
  CHECK(count[EventKind::kScaleOut] > 300);
  CHECK(count[EventKind::kScaleIn] == 2 * count[EventKind::kScaleOut] - 2);  // one instance a minute; ended in between
  CHECK(count[EventKind::kInstanceLaunched] == 2 * count[EventKind::kScaleOut]);
}

TEST_CASE("services do not start tasks again and again without an end") {
  auto made = failing(1);
  made.timetable.most_restarts = 1'000;
  made.timetable.events.push_back({Seconds{876'600} * 3'600, placement::DrainInstances{{}, "*"}, {}});
  const auto history = simulate(made);
  REQUIRE(history.errors.size() == 1);
  CHECK(history.errors[0].message ==
        "at 3h3m31s: more than 1000 tasks that services start after the beginning are too many for a run over time");
  CHECK(history.tasks.size() == 1'002);  // the first one came at the beginning
}

TEST_CASE("a run is not kept going for an event in the far future") {
  auto made = failing(1);
  made.timetable.most_tasks = 1'000;
  made.timetable.events.push_back({Seconds{876'600} * 3'600, placement::DrainInstances{{}, "*"}, {}});
  made.workloads[0].origin = {"s.yaml", 4, 3};
  const auto history = simulate(made);
  REQUIRE(history.errors.size() == 1);
  CHECK(history.errors[0].message == "at 3h3m20s: more than 1000 tasks are too many for a run over time");
  CHECK(history.errors[0].file == "s.yaml");
  CHECK(history.errors[0].line == 4);
  CHECK(history.tasks.size() == 1'001);
  CHECK(history.end == 11'000);  // a task ends after 1 s, the next begins 10 s later
}

}  // namespace
}  // namespace bayplan::timeline
