#include "study/whatif/comparison.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"

namespace what_if_over_time_test {

using namespace bayplan;
using namespace bayplan::study;
using namespace bayplan::placement::build;
using placement::AddInstances;
using placement::InstantEvent;
using placement::RemoveInstances;
using placement::Scale;
using placement::Scenario;

namespace {

/// Four standalone tasks of ten minutes, two at the start and two at 5 minutes, and a service of two tasks.
Scenario experiment(std::size_t hosts) {
  std::vector<placement::InstanceProfile> instances;
  for (std::size_t i = 0; i < hosts; ++i) {
    instances.push_back(instance("host", 2048, 4096, {}, i % 2 == 0 ? "us-east-2a" : "us-east-2b"));
    instances.back().hourly_price = 1'000'000;
  }
  auto result =
      scenario_with(std::move(instances), {service("web", needs(256, 256), 2), run_task("job", needs(1024, 512), 4)});
  auto& timetable = result.timetable;
  timetable.has_time = true;
  timetable.when_full = placement::WhenFull::kWait;
  timetable.tasks.resize(2);
  timetable.tasks[1].duration = 600;
  timetable.services.push_back({.workload = 0, .desired_count = 2});
  timetable.until = 3'600;
  result.calls = {{.workload = 1, .count = 2}, {.workload = 1, .count = 2, .start_at = 300}};
  return result;
}

LoadedVariant losing(VariationKey key, const std::string& what) {
  LoadedVariant loaded;
  loaded.variant.name = std::string(name_of(key)) + " " + what;
  loaded.variant.timed_events = {{0, *timed_event(key, what), {}}};
  return loaded;
}

Variant with(InstantEvent event) {
  Variant variant;
  variant.events = {std::move(event)};
  return variant;
}

Scenario with_variant_at_start(const Scenario& scenario, const Variant& variant) {
  return with_variant(scenario, variant, 0);
}

Comparison compare_at_a_minute(const Scenario& scenario, LoadedVariant variant) {
  ComparisonRequest request{{std::move(variant)}};
  request.at = 60;
  return compare(scenario, request);
}

}  // namespace

TEST_CASE("what-if over time: fewer tasks are taken from the last calls") {
  const auto changed = with_variant_at_start(experiment(2), with(Scale{{1}, 1}));
  REQUIRE(changed.calls.size() == 1);
  CHECK(changed.calls[0].count == 1);
  CHECK(changed.calls[0].start_at == 0);
  CHECK(changed.workloads[1].count == 1);
}

TEST_CASE("what-if over time: more tasks join the last call") {
  const auto changed = with_variant_at_start(experiment(2), with(Scale{{1}, 7}));
  REQUIRE(changed.calls.size() == 2);
  CHECK(changed.calls[0].count == 2);
  CHECK(changed.calls[1].count == 5);
  CHECK(changed.calls[1].start_at == 300);
}

TEST_CASE("what-if over time: none of a family") {
  const auto changed = with_variant_at_start(experiment(2), with(Scale{{1}, 0}));
  CHECK(changed.calls.empty());
  CHECK(changed.workloads[1].count == 0);
  const auto run = run_over_time(experiment(2), with(Scale{{1}, 0}), 0);
  CHECK(run.mistakes.empty());
  CHECK(run.history.tasks.size() == 2);  // those of the service
}

TEST_CASE("what-if over time: a service has another size from the start") {
  CHECK(with_variant_at_start(experiment(2), with(Scale{{0}, 5})).timetable.services[0].desired_count == 5);
}

TEST_CASE("what-if over time: instances come and go from the start") {
  const auto scenario = experiment(3);
  const auto more = with_variant_at_start(scenario, with(AddInstances{{scenario.profiles[0]}, {{"host#4", 0}}}));
  REQUIRE(more.instances.size() == 4);
  CHECK(more.instances[3].id == "host#4");
  CHECK(more.profiles[more.instances[3].profile].instance_type == "host");
  const auto fewer = with_variant_at_start(scenario, with(RemoveInstances{"host", 2}));
  REQUIRE(fewer.instances.size() == 1);
  CHECK(fewer.instances[0].id == "host#1");
}

TEST_CASE("what-if over time: what runs decides which instance is given back") {
  auto scenario = experiment(2);
  scenario.in_use.resize(2);
  scenario.in_use[1] = {.cpu = 256, .memory = 256, .tasks = 1};
  placement::RunningTask task;
  task.id = "task";
  task.instance = 1;
  task.group = "service:web";
  scenario.running = {task};
  const auto changed = with_variant_at_start(scenario, with(RemoveInstances{"host", 1}));
  REQUIRE(changed.instances.size() == 1);
  CHECK(changed.instances[0].id == "host#2");
  REQUIRE(changed.running.size() == 1);
  CHECK(changed.running[0].instance == 0);
  REQUIRE(changed.in_use.size() == 1);
  CHECK(changed.in_use[0].tasks == 1);
}

TEST_CASE("what-if over time: events of the variant stand behind those of the scenario of the same time") {
  auto scenario = experiment(2);
  const placement::DrainInstances own{{}, "host#2"};
  scenario.timetable.events = {{600, own, {}}, {1'200, own, {}}};
  Variant variant;
  variant.timed_events = {{0, placement::TerminateInstances{}, {}}};
  const auto changed = with_variant(scenario, variant, 600);
  const auto& events = changed.timetable.events;
  REQUIRE(events.size() == 3);
  CHECK(std::holds_alternative<placement::TerminateInstances>(events[1].event));
  CHECK(events[1].at == 600);
}

TEST_CASE("what-if over time: a deployment in the middle of a run") {
  auto scenario = experiment(2);
  Variant variant;
  variant.deployments = {{0, 1}};
  const auto run = run_over_time(scenario, variant, 900);
  REQUIRE(run.deployments.size() == 1);
  const auto& deployment = run.history.deployments[run.deployments[0].deployment];
  CHECK(deployment.started_at == 900);
  CHECK(deployment.state == timeline::Deployment::State::kCompleted);
  CHECK(run.deployments[0].before == 0);
  const placement::Seconds after_the_end = 7'200;
  CHECK(run_over_time(scenario, variant, after_the_end).deployments.empty());
}

TEST_CASE("what-if over time: a zone that is lost cuts tasks off") {
  const auto comparison = compare_at_a_minute(experiment(2), losing(VariationKey::kLoseAz, "us-east-2a"));
  REQUIRE(comparison.variants.size() == 1);
  CHECK(comparison.errors.empty());
  CHECK(comparison.mistakes.empty());
  const auto& before = comparison.baseline_over_time->figures;
  const auto& after = *comparison.variants[0].over_time;
  CHECK(before.left() == 0);
  CHECK(after.figures.interrupted_tasks == 1);
  CHECK(after.at == 60);
  CHECK(comparison.any_is_worse());
  CHECK(after.figures.cost < before.cost);
}

TEST_CASE("what-if over time: what is not there is an error") {
  const auto comparison = compare_at_a_minute(experiment(2), losing(VariationKey::kTerminate, "host#9"));
  REQUIRE(comparison.errors.size() == 1);
  CHECK(comparison.errors[0].message == "at 1m: host#9: no such instance yet");
}

TEST_CASE("what-if over time: single failures, the worst first") {
  LoadedVariant loaded;
  loaded.each_az = true;
  loaded.each_instance = true;
  const auto comparison = compare_at_a_minute(experiment(3), loaded);
  std::vector<std::string> names;
  for (const auto& one : comparison.variants) {
    CHECK(one.asked.is_single_failure());
    names.push_back(one.name());
  }
  REQUIRE(names.size() == 5);
  CHECK(comparison.variants.front().over_time->figures.left() >= comparison.variants.back().over_time->figures.left());
  CHECK(comparison.left_out == 0);
}

TEST_CASE("what-if over time: what happens at an instant") {
  LoadedVariant loaded;
  CHECK_FALSE(happens_at_an_instant(loaded));
  CHECK(happens_at_an_instant(losing(VariationKey::kDrain, "host#1")));
  LoadedVariant scaled;
  scaled.variant = with(Scale{{0}, 3});
  CHECK_FALSE(happens_at_an_instant(scaled));
  CHECK_FALSE(timed_event(VariationKey::kScale, "web=3").has_value());
  loaded.variant.deployments = {{0, 1}};
  CHECK(happens_at_an_instant(loaded));
  LoadedVariant each;
  each.each_instance = true;
  CHECK(happens_at_an_instant(each));
}

}  // namespace what_if_over_time_test
