#include "timeline/run_figures.hpp"

#include "catch.hpp"
#include "timeline/final_state.hpp"
#include "timeline/simulate.hpp"
#include "timeline/story.hpp"

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;

namespace {

constexpr double kGpu = 1e6;

/// One group behind a provider; `type` launches its instances.
placement::Scenario with_group(std::vector<placement::InstanceProfile> profiles,
                               std::vector<placement::Workload> workloads) {
  auto result = placement::build::scenario_with(std::move(profiles), std::move(workloads));
  result.instances.clear();
  placement::InstanceGroup group;
  group.capacity_provider = "gpu";
  group.types = {{{0}}};
  group.availability_zones = {""};
  group.max_size = 10;
  result.timetable.groups.push_back(group);
  return result;
}

placement::InstanceProfile p3() {
  auto profile = instance("p3.2xlarge", 8192, 61308, {1, 16384});
  profile.hourly_price = 3'060'000;
  return profile;
}

}  // namespace

TEST_CASE("figures - five tasks on two GPUs") {
  const auto scenario = five_on_two();
  const auto history = five_on_two_history(scenario);
  const auto all = figures(scenario, history);
  CHECK(all.series.end == 6120);
  CHECK(all.all.arrived == 5);
  CHECK(all.all.placed == 5);
  CHECK(all.all.ended == 5);
  REQUIRE(all.all.to_place);
  CHECK(all.all.to_place->p50 == 2040);
  CHECK(all.all.to_place->p95 == 4080);
  CHECK(all.all.to_place->worst_task == 4);
  CHECK(all.all.to_running->p50 == 2040 + 240);
  CHECK(all.levels.of(Level::kGpuRegistered) == 2 * 6120 * kGpu);
  CHECK(all.levels.of(Level::kGpuReserved) == 5 * 2040 * kGpu);
  CHECK(all.levels.of(Level::kGpuStarting) == 5 * 240 * kGpu);
  CHECK(all.levels.gpu_idle() == 2040 * kGpu);
  CHECK(all.levels.of(Level::kWaiting) == 3 * 2040 + 2040);
  CHECK(all.levels.of(Level::kRunning) == 5 * 1800);
  CHECK(all.worst_waiting == 3);
  CHECK(all.cost.total == 10'404'000);
  CHECK(all.cost.idle == 1'734'000);
  REQUIRE(all.cost.types.size() == 1);
  CHECK(all.cost.types[0].each == std::optional<Seconds>(6120));
}

TEST_CASE("figures - the buckets add up to the whole run") {
  const auto scenario = five_on_two();
  const auto history = five_on_two_history(scenario);
  const auto all = figures(scenario, history);
  CHECK(all.series.width == 5);
  LevelSeconds sum;
  Seconds length = 0;
  for (std::size_t i = 0; i < all.series.buckets.size(); ++i) {
    sum.add(all.series.buckets[i].levels);
    length += all.series.seconds_of(i);
  }
  CHECK(length == 6120);
  for (std::size_t i = 0; i < kLevels; ++i) {
    CHECK(sum.of(static_cast<Level>(i)) == all.levels.of(static_cast<Level>(i)));
  }
  const auto& first = all.series.buckets.front();
  CHECK(first.worst_waiting == 3);
  CHECK(all.series.mean(0, first.levels.of(Level::kPending)) == 2);
}

TEST_CASE("figures - a width for every length") {
  CHECK(bucket_width(0) == 1);
  CHECK(bucket_width(2000) == 1);
  CHECK(bucket_width(2001) == 2);
  CHECK(bucket_width(7 * 86'400) == 600);
  const Seconds century = Seconds{100} * 366 * 86'400;
  CHECK(century <= bucket_width(century) * kMaxBuckets);
}

TEST_CASE("figures - nothing happens at all") {
  const auto scenario = five_on_two();
  const auto all = figures(scenario, Story(scenario).history);
  CHECK(all.series.buckets.size() == 1);
  CHECK(all.cost.total == 0);
  CHECK_FALSE(all.all.to_place);
}

TEST_CASE("figures - a group that has more than it needs") {
  const auto scenario = with_group({p3()}, {run_task("train", with_gpus(needs(4096, 30000), {1}), 2)});
  Story story(scenario);
  const auto a = story.arrive(0, 0, 1);
  const auto b = story.arrive(0, 0, 2);
  story.wait(0, a, EventKind::kTaskProvisioning);
  story.wait(0, b, EventKind::kTaskProvisioning);
  const auto one = story.launch(60, 0, 0, "p3.2xlarge#1");
  const auto two = story.launch(60, 0, 0, "p3.2xlarge#2");
  story.activate(240, one);
  story.activate(240, two);
  story.place(240, a, one, {0});
  story.run(240, a);
  story.place(240, b, two, {0});
  story.run(240, b);
  story.stop(840, b);
  story.terminate(2040, two);
  story.stop(3840, a);
  const auto all = figures(scenario, story.history);
  CHECK(all.levels.of(Level::kProvisioning) == 2 * 240);
  CHECK(all.levels.of(Level::kBooting) == 2 * 180);
  CHECK(all.levels.of(Level::kGpuBooting) == 2 * 180 * kGpu);
  CHECK(all.levels.of(Level::kGpuRegistered) == (3600 + 1800) * kGpu);
  REQUIRE(all.groups.size() == 1);
  const auto& use = all.groups[0];
  CHECK(use.launched == 2);
  CHECK(use.least == 0);
  CHECK(use.most == 2);
  CHECK(use.last == 1);
  CHECK(use.idle_seconds == 1200);
  CHECK(use.idle_cost == 1'020'000);
  REQUIRE(use.longest);
  CHECK(use.longest->from == 840);
  CHECK(use.longest->to == 2040);
  CHECK(use.longest->needed == 1);
  CHECK(use.longest->paid == 2);
  CHECK(all.cost.booting == 2 * 153'000);
  CHECK(all.cost.instances[1].seconds == 1980);
}

TEST_CASE("figures - an instance is paid for a minute at least") {
  auto scenario = with_group({p3()}, {});
  Story story(scenario);
  const auto one = story.launch(10, 0, 0, "p3.2xlarge#1");
  story.terminate(15, one);
  const auto two = story.launch(20, 0, 0, "p3.2xlarge#2");
  story.activate(20, two);
  story.history.end = 40;
  const auto all = figures(scenario, story.history);
  CHECK(all.cost.instances[0].seconds == 60);
  CHECK(all.cost.instances[0].cost == std::optional<MicroUsd>(51'000));
  CHECK(all.cost.instances[1].seconds == 20);
  scenario.profiles[0].hourly_price.reset();
  const auto unpriced = figures(scenario, story.history);
  CHECK(unpriced.cost.unpriced == 2);
  CHECK(unpriced.cost.total == 0);
  CHECK_FALSE(unpriced.cost.instances[0].cost);
}

TEST_CASE("figures - GPUs that a job holds while it waits for its last place") {
  auto scenario = placement::build::scenario_with({p3(), p3()}, {run_task("pair", with_gpus(needs(1, 1), {1}), 2)});
  Story story(scenario);
  const auto a = story.arrive(0, 0, 1);
  const auto b = story.arrive(0, 0, 2);
  story.history.tasks[a].job = story.history.tasks[b].job = 0;
  story.history.jobs.push_back({{a, b}, 100, false});
  story.place(0, a, 0, {0});
  story.wait(0, b);
  story.place(100, b, 1, {0});
  story.log(100, EventKind::kJobStarted, 0);
  story.run(130, a);
  story.run(130, b);
  story.log(150, EventKind::kTaskStopping, a, 0, StopCause::kStopTask);
  story.stop(180, a, StopCause::kStopTask);
  story.stop(180, b);
  const auto all = figures(scenario, story.history);
  CHECK(all.levels.of(Level::kGpuJob) == 100 * kGpu);
  CHECK(all.levels.of(Level::kGpuStarting) == 2 * 30 * kGpu);
  CHECK(all.levels.of(Level::kGpuStopping) == 30 * kGpu);
  CHECK(all.levels.gpu_pinned() == (100 + 60 + 30) * kGpu);
}

TEST_CASE("figures - shares of a GPU count as parts of one") {
  auto shared = p3();
  shared.gpu_sharing = true;
  auto scenario = placement::build::scenario_with({shared}, {run_task("mps", with_mps(needs(1, 1), {4096}), 1)});
  Story story(scenario);
  const auto a = story.arrive(0, 0, 1);
  story.place(0, a, 0, {0});
  story.run(0, a);
  story.stop(100, a);
  CHECK(figures(scenario, story.history).levels.of(Level::kGpuReserved) == 100 * kGpu / 4);
}

TEST_CASE("figures - what went with an instance is not given back twice") {
  const auto scenario = five_on_two();
  Story story(scenario);
  const auto a = story.arrive(0, 0, 1);
  const auto b = story.arrive(0, 0, 2);
  story.place(0, a, 0, {0});
  story.run(0, a);
  story.place(0, b, 1, {0});
  story.run(0, b);
  story.terminate(50, 0);
  story.stop(50, a, StopCause::kInstanceGone);
  story.history.end = 100;
  const auto all = figures(scenario, story.history);
  CHECK(all.levels.of(Level::kGpuReserved) == (50 + 100) * kGpu);
  CHECK(all.levels.of(Level::kGpuRegistered) == (50 + 100) * kGpu);
  CHECK(all.levels.gpu_idle() == 0);
  CHECK(all.cost.total == 3'060'000 * 150 / 3600);
  CHECK(all.all.ended == 0);
}

TEST_CASE("final state - tasks hold the GPUs that they were given") {
  auto four = instance("p3.8xlarge", 32768, 245213, {4, 16384});
  auto scenario = placement::build::scenario_with({four, four}, {run_task("t", with_gpus(needs(1024, 2000), {1}), 3)});
  Story story(scenario);
  for (std::int64_t number = 1; number <= 3; ++number) story.arrive(0, 0, number);
  for (std::uint32_t task = 0; task < 3; ++task) story.place(0, task, 1, {task});
  for (std::uint32_t task = 0; task < 3; ++task) story.run(0, task);
  story.stop(60, 0);
  story.terminate(70, 0);
  const auto end = final_state(scenario, story.history);
  REQUIRE(end.scenario.instances.size() == 1);
  CHECK(end.scenario.instances[0].id == "p3.8xlarge#2");
  REQUIRE(end.outcome.placements.size() == 2);
  CHECK(end.outcome.placements[0].instance == 0);
  const auto& state = end.outcome.instances[0];
  CHECK(state.cpu == 32768 - 2 * 1024);
  CHECK(state.memory == 245213 - 2 * 2000);
  CHECK(state.tasks == 2);
  CHECK(state.gpus[0].state == placement::GpuState::kIdle);
  CHECK(state.gpus[1].state == placement::GpuState::kDedicated);
  CHECK(state.gpus[2].state == placement::GpuState::kDedicated);
  CHECK(placement::idle_gpus(state.gpus) == 2);
}

TEST_CASE("final state - what is left is what placing the same anew leaves") {
  auto scenario = five_on_two();
  scenario.workloads[0].count = 2;
  const auto outcome = placement::place(scenario);
  Story story(scenario);
  for (const auto& placement : outcome.placements) {
    const auto task = story.arrive(0, 0, placement.attempt.number);
    story.history.tasks[task].instance = placement.instance;
    story.history.tasks[task].placed_at = 0;
    story.history.tasks[task].gpus = placement.gpus;
    story.log(0, EventKind::kTaskPlaced, task, placement.instance);
  }
  const auto end = final_state(scenario, story.history);
  CHECK(end.outcome.instances == outcome.instances);
}

TEST_CASE("final state - instances that drain or boot") {
  auto scenario = with_group({p3()}, {});
  Story story(scenario);
  const auto one = story.launch(0, 0, 0, "p3.2xlarge#1");
  story.activate(10, one);
  story.launch(20, 0, 0, "p3.2xlarge#2");
  story.history.instances[one].draining_at = 30;
  story.log(30, EventKind::kInstanceDraining, one, one);
  const auto end = final_state(scenario, story.history);
  REQUIRE(end.scenario.instances.size() == 1);
  CHECK(end.booting == 1);
  CHECK(end.scenario.profiles[end.scenario.instances[0].profile].status == placement::InstanceStatus::kDraining);
  const auto all = figures(scenario, story.history);
  CHECK(all.levels.of(Level::kDraining) == 0);
  CHECK(all.levels.of(Level::kActive) == 20);
}

TEST_CASE("figures - an event past the end of the run is measured all the same") {
  const auto scenario = five_on_two();
  auto history = five_on_two_history(scenario);
  history.end = 600;
  const auto all = figures(scenario, history);
  CHECK(all.series.end == 6120);
  CHECK(all.levels.of(Level::kGpuReserved) == 5 * 2040 * kGpu);
}

TEST_CASE("figures - a run of a century") {
  auto scenario = five_on_two();
  Story story(scenario);
  const Seconds century = Seconds{100} * 366 * 86'400;
  const auto task = story.arrive(0, 0, 1);
  story.place(0, task, 0, {0});
  story.run(0, task);
  story.stop(century, task);
  const auto all = figures(scenario, story.history);
  CHECK(all.series.end == century);
  CHECK(all.levels.of(Level::kGpuReserved) == static_cast<double>(century) * kGpu);
  CHECK(all.cost.total == 2 * 3'060'000 * (century / 3600));
}

TEST_CASE("figures - what is launched and gone at once is paid for a minute, in the series too") {
  const auto scenario = with_group({p3()}, {});
  Story story(scenario);
  const auto one = story.launch(60, 0, 0, "p3.2xlarge#1");
  story.terminate(60, one);
  const auto two = story.launch(90, 0, 0, "p3.2xlarge#2");
  story.terminate(120, two);
  const auto all = figures(scenario, story.history);
  CHECK(all.cost.total == 2 * 51'000);
  MicroUsd least = 0;
  for (const auto& bucket : all.series.buckets) least += bucket.least_paid;
  CHECK(least == 51'000 + 25'500);
  CHECK(all.series.buckets[60].least_paid == 51'000);
}

TEST_CASE("figures - an instance that never gets a task is too much from its launch on") {
  const auto scenario = with_group({p3()}, {run_task("train", with_gpus(needs(4096, 30000), {1}), 1)});
  Story story(scenario);
  const auto one = story.launch(60, 0, 0, "p3.2xlarge#1");
  const auto two = story.launch(60, 0, 0, "p3.2xlarge#2");
  story.activate(240, one);
  story.activate(240, two);
  const auto task = story.arrive(240, 0, 1);
  story.place(240, task, one, {0});
  story.run(240, task);
  story.terminate(1080, two);
  story.stop(1200, task);
  const auto all = figures(scenario, story.history);
  REQUIRE(all.groups[0].longest);
  CHECK(all.groups[0].longest->from == 60);
  CHECK(all.groups[0].longest->to == 1080);
  CHECK(all.groups[0].longest->needed == 1);
}

TEST_CASE("figures - a group at its maxSize while tasks wait") {
  auto scenario = with_group({p3()}, {run_task("train", with_gpus(needs(4096, 30000), {1}), 2)});
  scenario.timetable.groups[0].max_size = 1;
  scenario.workloads[0].capacity_providers = {{"gpu", 0, 1}};
  Story story(scenario);
  for (std::int64_t number = 1; number <= 2; ++number) {
    const auto task = story.arrive(0, 0, number);
    story.history.tasks[task].capacity_provider = 0;
    story.wait(0, task, EventKind::kTaskProvisioning);
  }
  const auto one = story.launch(60, 0, 0, "p3.2xlarge#1");
  story.activate(240, one);
  story.place(240, 0, one, {0});
  story.stop(600, 0);
  story.place(600, 1, one, {0});
  story.stop(900, 1);
  const auto all = figures(scenario, story.history);
  CHECK(all.groups[0].full_from == 60);
  CHECK(all.groups[0].full_seconds == 540);
}

TEST_CASE("figures - tasks that were cut off") {
  const auto scenario = five_on_two();
  Story story(scenario);
  for (std::int64_t number = 1; number <= 2; ++number) {
    const auto task = story.arrive(0, 0, number);
    story.place(0, task, task, {0});
    story.run(60, task);
  }
  const auto gone = story.log(300, EventKind::kInstanceTerminated, 0, 0);
  story.log(300, EventKind::kTaskStopped, 0, 0, StopCause::kInstanceGone, gone);
  story.stop(300, 1, StopCause::kStopTask);
  const auto all = figures(scenario, story.history);
  REQUIRE(all.interrupted_tasks.size() == 1);
  CHECK(all.interrupted_tasks[0].task == 0);
  CHECK(all.interrupted_tasks[0].ran == 240);
  CHECK(all.interrupted_tasks[0].cause == gone);
  CHECK(all.gpu_cut_off == 240 * kGpu);
}

namespace {

/// Two tasks of which one has an instance, and a group that may launch no other.
placement::Scenario one_of_two() {
  auto profile = p3();
  profile.capacity_provider_name = "gpu";
  auto made = placement::build::scenario_with({profile}, {service("serve", with_gpus(needs(1024, 1000), {1}), 2)});
  placement::InstanceGroup group;
  group.capacity_provider = "gpu";
  group.types = {{{0}}};
  group.availability_zones = {""};
  group.max_size = 1;
  group.is_managed = true;
  made.timetable.groups.push_back(group);
  made.workloads[0].capacity_providers = {{"gpu", 0, 1}};
  made.timetable.services.push_back({.workload = 0, .desired_count = 2});
  made.timetable.tasks.resize(1);
  made.timetable.has_time = true;
  return made;
}

}  // namespace

TEST_CASE("figures - a task that timed out and that its service will try again waits") {
  auto scenario = one_of_two();
  const auto& timing = scenario.timetable.timing;
  const Seconds first_end = timing.provisioning_timeout;
  for (const Seconds until : {first_end - 1, first_end + 1, first_end + timing.restart_delay + 1}) {
    scenario.timetable.until = until;
    const auto history = simulate(scenario);
    const auto all = figures(scenario, history);
    INFO("until " << until);
    REQUIRE(all.waiting.size() == 1);
    CHECK(all.waiting[0].is_provisioning == (until != first_end + 1));
    CHECK(all.waiting[0].task == history.tasks.size() - 1);
    CHECK(all.all.waiting == 1);
    CHECK(all.all.given_up == static_cast<std::int64_t>(history.tasks.size()) - 2);
    CHECK(all.unfinished == std::vector<std::uint32_t>{0});
  }
}

TEST_CASE("figures - a task that timed out in a deployment that failed waits no more") {
  auto scenario = one_of_two();
  scenario.timetable.services[0].circuit_breaker.enabled = true;
  const auto history = simulate(scenario);
  REQUIRE(history.deployments.size() == 1);
  REQUIRE(history.deployments[0].state == Deployment::State::kFailed);
  const auto all = figures(scenario, history);
  CHECK(all.waiting.empty());
  CHECK(all.all.given_up > 0);
  CHECK(all.unfinished == std::vector<std::uint32_t>{0});
}
