// What runs before the start: in the figures, at the end, and on instances that drain.
#include <algorithm>

#include "catch.hpp"
#include "timeline/final_state.hpp"
#include "timeline/run_figures.hpp"
#include "timeline/story.hpp"
#include "timeline/tasks.hpp"

namespace live_cluster_test {

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;

namespace {

constexpr double kOneGpu = 1e6;

placement::RunningTask runs(std::string id, std::uint32_t instance, std::string group, std::string definition = "") {
  placement::RunningTask task;
  task.id = std::move(id);
  task.instance = instance;
  task.group = std::move(group);
  task.task_definition = std::move(definition);
  return task;
}

placement::RunningTask stopping(placement::RunningTask task) {
  task.stopping = true;
  return task;
}

placement::RunningTask of_daemon(placement::RunningTask task) {
  task.daemon = true;
  return task;
}

/// Begins with the tasks that run before the start, as the simulator does.
Story live_story(const placement::Scenario& scenario) {
  Story story(scenario);
  for (std::uint32_t i = 0; i < scenario.running.size(); ++i) {
    Task task;
    task.running = i;
    task.workload = kNoIndex;
    task.instance = scenario.running[i].instance;
    task.placed_at = task.started_at = 0;
    story.history.tasks.push_back(task);
  }
  return story;
}

placement::InstanceProfile priced(placement::InstanceStatus status = placement::InstanceStatus::kActive) {
  auto profile = instance("m5.large", 2048, 8192);
  profile.hourly_price = 96'000;
  profile.status = status;
  return profile;
}

}  // namespace

TEST_CASE("figures - a live cluster begins with its instances and its tasks") {
  using placement::InstanceStatus;
  auto made =
      scenario_with({priced(), priced(InstanceStatus::kDraining), priced(InstanceStatus::kRegistering), priced()}, {});
  made.running = {runs("busy", 0, "family:a"), stopping(runs("last", 1, "family:a")),
                  of_daemon(runs("watch", 3, "service:log"))};
  auto story = live_story(made);
  story.history.end = 100;
  const auto all = figures(made, story.history);
  CHECK(all.levels.of(Level::kActive) == 2 * 100);
  CHECK(all.levels.of(Level::kDraining) == 100);
  CHECK(all.levels.of(Level::kHourlyCost) == 4 * 96'000 * 100.0);
  CHECK(all.levels.of(Level::kRunning) == 2 * 100);
  CHECK(all.levels.of(Level::kStopping) == 100);
  std::vector<Seconds> idle;
  for (const auto& one : all.cost.instances) idle.push_back(one.idle_seconds);
  CHECK(idle == std::vector<Seconds>{0, 0, 0, 100});
}

TEST_CASE("figures - what is in use of a live cluster is reserved from the start") {
  auto fraction = instance("g6f.large", 2048, 8192, {1, 3072});
  fraction.gpu_fraction_millionths = 125'000;
  auto made = scenario_with({instance("p3.2xlarge", 8192, 61308, {1, 16384}), fraction,
                             instance("g5.xlarge", 4096, 16384, {1, 16384}), instance("x", 4096, 16384, {1, 0})},
                            {});
  made.in_use.resize(4);
  made.in_use[0].cpu = 1024;
  made.in_use[0].memory = 2000;
  made.in_use[0].gpus = {{.dedicated = true}};
  made.in_use[1].gpus = {{.share_millionths = 62'500}};
  made.in_use[2].gpus = {{.shared_memory = 4096, .is_shared = true}};
  made.in_use[3].gpus = {{.shared_memory = 100, .is_shared = true}};  // of a GPU whose memory nobody knows
  auto story = live_story(made);
  story.history.end = 100;
  const auto all = figures(made, story.history);
  CHECK(all.levels.of(Level::kCpuReserved) == 1024 * 100);
  CHECK(all.levels.of(Level::kMemoryReserved) == 2000 * 100);
  CHECK(all.levels.of(Level::kGpuReserved) == (1'000'000 + 62'500 + 250'000) * 100.0);
}

TEST_CASE("figures - a task that ran before the start gives back what is known of it") {
  auto made = scenario_with({instance("p3.8xlarge", 32768, 245213, {4, 16384})},
                            {run_task("train", with_gpus(needs(1024, 2000), {2}), 1)});
  made.running = {runs("known", 0, "family:train", "train:1"), runs("unknown", 0, "family:old", "old:7")};
  made.running[0].gpus = {0, 1};
  made.running[1].gpus = {2};
  made.in_use.resize(1);
  made.in_use[0].cpu = 1024 + 512;
  made.in_use[0].gpus = {{.dedicated = true}, {.dedicated = true}, {.dedicated = true}, {}};
  auto story = live_story(made);
  story.stop(40, 0, StopCause::kStopTask);
  story.stop(60, 1, StopCause::kStopTask);
  const auto late = story.arrive(80, 0, 1);
  story.place(80, late, 0, {0, 1});
  story.history.end = 100;
  const auto all = figures(made, story.history);
  CHECK(all.levels.of(Level::kCpuReserved) == 1024 * (40 + 20) + 512 * 100);  // nobody says what the old one took
  CHECK(all.levels.of(Level::kGpuReserved) == (2 * 40 + 60 + 2 * 20) * kOneGpu);
  CHECK(all.cost.instances[0].idle_seconds == 20);
  CHECK(all.all.arrived == 1);
  CHECK(task_id(made, story.history.tasks[0]) == "known");
  CHECK(task_id(made, story.history.tasks[late]) == "train#1");
}

TEST_CASE("figures - an instance is idle until its first task comes") {
  const auto given = five_on_two();
  Story story(given);
  const auto task = story.arrive(100, 0, 1);
  story.place(100, task, 0, {0});
  story.history.end = 150;
  const auto all = figures(given, story.history);
  CHECK(all.cost.instances[0].idle_seconds == 100);
  CHECK(all.cost.instances[1].idle_seconds == 150);
}

TEST_CASE("figures - who waits behind others, and names of which nothing came") {
  auto given = five_on_two();
  given.workloads.push_back(run_task("never", needs(1, 1), 1));
  const auto all = figures(given, five_on_two_history(given));
  CHECK(all.was_behind == std::vector<bool>{false, false, false, true, true});
  REQUIRE(all.names.size() == 1);
  CHECK(all.names[0].name == "train");
}

TEST_CASE("final state - what ran before the start stays, or gives back what it held") {
  const auto x = instance("x", 4096, 8192);
  auto made = scenario_with({x, x, x}, {run_task("web", needs(256, 512), 1)});
  made.running = {runs("gone", 0, "family:web", "web:1"), runs("stopped", 1, "family:web", "web:1"),
                  stopping(runs("last", 1, "family:other", "web:1")), runs("stays", 2, "family:web", "web:1")};
  made.in_use.resize(3);
  for (const auto& task : made.running) {
    made.in_use[task.instance].cpu += 256;
    made.in_use[task.instance].memory += 512;
    ++made.in_use[task.instance].tasks;
  }
  auto story = live_story(made);
  story.stop(30, 2, StopCause::kNone);
  story.stop(50, 1, StopCause::kStopTask);
  story.terminate(60, 0);
  story.stop(60, 0, StopCause::kInstanceGone);
  const auto added = story.launch(70, 0, kNoIndex, "x#4");
  story.activate(70, added);
  const auto end = final_state(made, story.history);
  REQUIRE(end.scenario.instances.size() == 3);
  CHECK(end.scenario.instances[0].id == "x#2");
  REQUIRE(end.scenario.running.size() == 1);
  CHECK(end.scenario.running[0].id == "stays");
  CHECK(end.scenario.running[0].instance == 1);
  REQUIRE(end.scenario.in_use.size() == 2);
  CHECK(end.scenario.in_use[1].cpu == 256);
  const auto& states = end.outcome.instances;
  CHECK(states[0].cpu == 4096);
  CHECK(states[0].memory == 8192);
  CHECK(states[0].tasks == 0);
  CHECK(std::none_of(states[0].tasks_by_group.begin(), states[0].tasks_by_group.end(),
                     [](const auto& one) { return one.tasks > 0; }));
  CHECK(states[1].cpu == 4096 - 256);
  CHECK(states[1].tasks == 1);
  CHECK(states[2].cpu == 4096);
}

TEST_CASE("final state - the ports of a task are taken") {
  auto task = with_tcp(needs(256, 512), {80, 8080});
  task.udp_ports = {53};
  const auto given = scenario_with({instance("x", 4096, 8192)}, {run_task("web", task, 1)});
  Story story(given);
  story.place(0, story.arrive(0, 0, 1), 0);
  const auto end = final_state(given, story.history);
  CHECK(end.outcome.instances[0].tcp_ports == std::vector<std::uint16_t>{22, 80, 2375, 2376, 8080, 51678, 51679});
  CHECK(end.outcome.instances[0].udp_ports == std::vector<std::uint16_t>{53});
}

namespace {

/// x#1 drains from the start, x#2 does later, x#3 never; what else is on x#1 holds up nothing.
placement::Scenario three_services() {
  auto draining = instance("x", 4096, 8192);
  draining.status = placement::InstanceStatus::kDraining;
  auto daemon = service("log", needs(64, 64), 1);
  daemon.kind = placement::WorkloadKind::kDaemon;
  const auto x = instance("x", 4096, 8192);
  auto made =
      scenario_with({draining, x, x}, {daemon, service("web", needs(256, 512), 2), service("api", needs(1, 1), 1)});
  made.timetable.services = {{.workload = 0}, {.workload = 1, .desired_count = 2}, {.workload = 2, .desired_count = 1}};
  made.running = {runs("web-1", 0, "service:web"),
                  stopping(runs("web-2", 0, "service:web")),
                  runs("web-3", 0, "service:web"),
                  runs("web-4", 0, "service:web"),
                  of_daemon(runs("log-1", 0, "service:log")),
                  runs("alone", 0, "family:alone"),
                  runs("api-1", 0, "service:api"),
                  runs("web-5", 2, "service:web")};
  using placement::UpdateService;
  made.timetable.events = {{5, UpdateService{.service = 1, .desired_count = 3, .minimum_healthy_percent = 50}, {}},
                           {6, UpdateService{.service = 2, .maximum_percent = 150}, {}},
                           {10, placement::DrainInstances{{}, "x#2"}, {}},
                           {101, UpdateService{.service = 1, .desired_count = 9}, {}}};
  return made;
}

}  // namespace

TEST_CASE("figures - drains that tasks of replica services hold up") {
  const auto made = three_services();
  auto story = live_story(made);
  for (std::uint32_t i = 0; i < 3; ++i) story.history.deployments.push_back({.service = i, .workload = i});
  story.stop(3, 3);
  const auto own = story.arrive(4, 2, 1);
  story.history.tasks[own].deployment = 2;
  story.place(4, own, 1);
  story.history.tasks[story.arrive(4, 2, 2)].deployment = 2;
  story.history.instances[1].draining_at = 10;
  story.log(10, EventKind::kInstanceDraining, 1, 1);
  story.history.end = 100;
  const auto held = figures(made, story.history).held_drains;
  REQUIRE(held.size() == 3);
  CHECK(held[0].instance == 0);
  CHECK(held[0].service == 1);
  CHECK(held[0].tasks == std::vector<std::uint32_t>{0, 2});
  CHECK(held[0].terms.desired == 3);
  CHECK(held[0].terms.minimum_healthy_percent == 50);
  CHECK(held[0].terms.maximum_percent == 200);
  CHECK(held[1].instance == 0);
  CHECK(held[1].service == 2);
  CHECK(held[1].tasks == std::vector<std::uint32_t>{6});
  CHECK(held[1].terms.desired == 1);
  CHECK(held[1].terms.maximum_percent == 150);
  CHECK(held[2].instance == 1);
  CHECK(held[2].service == 2);
  CHECK(held[2].tasks == std::vector<std::uint32_t>{own});
  story.history.end_reason = EndReason::kUntil;  // they may leave yet
  CHECK(figures(made, story.history).held_drains.empty());
}

}  // namespace live_cluster_test
