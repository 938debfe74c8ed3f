#include "timeline/simulate.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

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
  auto made = scenario(std::move(instances), std::move(workloads));
  made.timetable.tasks.resize(made.workloads.size());
  made.timetable.has_time = true;
  return made;
}

std::vector<Seconds> starts(const History& history) {
  std::vector<Seconds> times;
  for (const auto& task : history.tasks) times.push_back(task.started_at.value_or(-1));
  return times;
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
  CHECK(history.failures[0].turn.capacity_provider == "gpu");
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
  made.timetable.happenings.push_back(
      {.at = 10 * kMinute, .kind = HappeningKind::kUpdateService, .service = 0, .workload = 1});
  const auto history = simulate(made);
  REQUIRE(history.deployments.size() == 2);
  CHECK(history.deployments[0].state == Deployment::State::kCompleted);
  CHECK(history.deployments[0].ended_at == 40);
  CHECK(history.deployments[1].state == Deployment::State::kCompleted);
  CHECK(starts(history) == std::vector<Seconds>{0, 0, 600, 600});
  CHECK(history.tasks[0].stopped_at == 600 + 40 + 30);
}

}  // namespace
}  // namespace bayplan::timeline
