#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catch.hpp"
#include "report/document/figures.hpp"
#include "report/place/rollout_words.hpp"
#include "report/timeline/timeline_report.hpp"
#include "report_schema.hpp"
#include "timeline/story.hpp"

namespace timeline_report_test {

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;
using nlohmann::json;

namespace {

const report::TextOptions kVerbose{.verbose = true};

std::string text_of(const placement::Scenario& scenario, const History& history,
                    const report::TextOptions& options = kVerbose, std::vector<study::BlockedDeployment> held = {}) {
  std::ostringstream out;
  const report::TimelineReport run(scenario, history, {}, std::move(held));
  report::write_text(out, report::timeline_document(run), options);
  return out.str();
}

json json_of(const placement::Scenario& scenario, const History& history,
             std::vector<study::BlockedDeployment> held = {}) {
  std::ostringstream out;
  report::write_timeline_json(out, report::TimelineReport(scenario, history, {}, std::move(held)), {});
  check_against_schema(out.str(), "place-report");
  return json::parse(out.str());
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

/// Three GPU tasks for one instance, of which one still waits at the end.
History one_of_three_waits(const placement::Scenario& scenario) {
  Story story(scenario);
  for (std::int64_t number = 1; number <= 3; ++number) story.arrive(0, 0, number);
  story.history.failures.push_back(placement::place(scenario).failures.front());
  for (std::uint32_t task = 0; task < 2; ++task) {
    story.place(0, task, task, {0});
    story.run(0, task);
  }
  story.history.tasks[2].failure = 0;
  story.wait(0, 2);
  story.history.end = 600;
  story.history.end_reason = EndReason::kUntil;
  return std::move(story.history);
}

}  // namespace

TEST_CASE("durations in words") {
  CHECK(report::duration(0) == "0s");
  CHECK(report::duration(30) == "30s");
  CHECK(report::duration(240) == "4m");
  CHECK(report::duration(5400) == "1h30m");
  CHECK(report::duration(3 * 86'400 + 4 * 3'600) == "3d4h");
  CHECK(report::duration(3661) == "1h1m1s");
  CHECK(report::duration(9 * 365 * 86'400 + 5) == "3285d5s");
  CHECK(report::duration(Seconds{42'370} * 86'400 + 5) == "116y30d");
  CHECK(report::duration(-90) == "-1m30s");
}

TEST_CASE("timeline report - the first lines answer") {
  const auto scenario = five_on_two();
  const auto text = text_of(scenario, five_on_two_history(scenario));
  CHECK(first_line(text) == "YES 5 of 5 tasks ran; the last ended at 1h42m");
  CHECK(says(text, "Simulated cost: $10.40 (us-east-2): 2 p3.2xlarge for 1h42m; including $1.73"));
  CHECK(says(text, "  train#5       0s   1h8m    1h8m    1h12m  1h42m  p3.2xlarge#1\n"));
  CHECK(says(text, "Waiting time: p50 34m, p95 1h8m, worst 1h8m (train#5)\n"));
  CHECK(says(text,
             "3.4 GPU-hours paid: 2.5 used (73%), 0.33 reserved but idle (starting tasks),\n"
             "  0.57 unreserved\n"));
  const report::TextOptions quiet{.quiet = true};
  CHECK(text_of(scenario, five_on_two_history(scenario), quiet) == "YES 5 of 5 tasks ran; the last ended at 1h42m\n");
}

TEST_CASE("timeline report - what happened, alike events in one line") {
  const auto scenario = five_on_two();
  const auto text = text_of(scenario, five_on_two_history(scenario));
  CHECK(says(text,
             "Events\n"
             "     0s  train#1-2 are placed on p3.2xlarge#1-2\n"
             "         train#3 waits: 0 of 2 instances have 1 free GPU\n"
             "         train#4-5 wait behind others in the queue\n"
             "     4m  train#1-2 are RUNNING\n"
             "    34m  train#1-2 end\n"
             "         train#3-4 are placed on p3.2xlarge#1-2 (each waited 34m)\n"));
}

TEST_CASE("timeline report - the chart fits and has an axis, in ASCII where asked for") {
  const auto scenario = five_on_two();
  const auto history = five_on_two_history(scenario);
  const auto text = text_of(scenario, history);
  for (const auto line : split(text, '\n')) CHECK(display_width(line) <= 80);
  const auto ascii = text_of(scenario, history, {report::Style(false), report::Glyphs::ascii()});
  CHECK(std::all_of(ascii.begin(), ascii.end(), [](char sign) { return static_cast<unsigned char>(sign) < 128; }));
  CHECK(says(ascii, "  GPU        ##################################%=================  mean 83%\n"));
  CHECK(says(ascii, "  waiting    ##################-----------------                   most 3\n"));
  CHECK(says(ascii, "             0              30m            1h             1h30m\n"));
}

TEST_CASE("timeline report - a short peak is told by its height, not by the mean of its column") {
  auto scenario = five_on_two();
  Story story(scenario);
  for (int i = 0; i < 8; ++i) {
    const auto instance = story.launch(0, 0, kNoIndex, "p3.2xlarge#" + std::to_string(i + 3));
    story.activate(0, instance);
    story.terminate(60, instance);
  }
  story.history.end = 7 * 86'400;
  const auto text = text_of(scenario, story.history, {report::Style(false), report::Glyphs::ascii()});
  CHECK(says(text, "  instances  " + std::string(52, ':') + "  most 10\n"));
  auto whole = kVerbose;
  whole.glyphs = report::Glyphs::ascii();
  CHECK(says(text_of(scenario, story.history, whole), "  $/h        " + std::string(52, ':') + "  most 30.60\n"));
}

TEST_CASE("timeline report - tasks without a place at the end") {
  auto scenario = five_on_two();
  scenario.workloads[0].count = 3;
  const auto history = one_of_three_waits(scenario);
  const report::TimelineReport report(scenario, history);
  CHECK(report.has_failures());
  const auto text = text_of(scenario, history);
  CHECK(says(text, "NO  1 of 3 tasks still waits at 10m; train#3: 0 of 2 instances have 1 free GPU\n"));
  CHECK(says(text, "Stopped at 10m with events pending\n"));
  CHECK(says(text,
             "Not placed\n  train#3  1 GPU, 4 vCPU, 30000 MiB\n"
             "    waiting since 0s: 0 of 2 instances have 1 free GPU\n"
             "    closest match: p3.2xlarge#1, RESOURCE:GPU (1 GPU short)\n"));
  CHECK(says(text,
             "2 instances: $6.12/h, about $4,468/month at 730 h (us-east-2), CPU 50%, MEM\n  48%, GPU 2 of 2 in use, "
             "seed 1\n"));
  const auto all = json_of(scenario, history);
  REQUIRE(all["failures"].size() == 1);
  CHECK(all["failures"][0]["state"] == "WAITING");
  CHECK(all["failures"][0]["at"] == 0);
  CHECK(all["failures"][0]["reason"] == "RESOURCE:GPU");
  CHECK(all["timeline"]["endReason"] == "until");
  CHECK(all["containerInstances"][0]["gpus"][0]["tasks"] == json::array({"train#1"}));
  CHECK(all["containerInstances"][0]["remaining"]["GPU"] == 0);
  CHECK(all["summary"]["unplaced"] == 1);
}

TEST_CASE("timeline report - JSON has every task, event and figure") {
  const auto scenario = five_on_two();
  const auto all = json_of(scenario, five_on_two_history(scenario));
  CHECK(all["schema"] == "bayplan/place-report/1");
  REQUIRE(all["placements"].size() == 5);
  const auto& fifth = all["placements"][4];
  CHECK(fifth["task"] == "train#5");
  CHECK(fifth["arrivedAt"] == 0);
  CHECK(fifth["placedAt"] == 4080);
  CHECK(fifth["startedAt"] == 4320);
  CHECK(fifth["stoppedAt"] == 6120);
  CHECK(fifth["stopCause"] == "ended");
  CHECK(fifth["containers"][0]["gpuIds"] == json::array({"p3.2xlarge#1/gpu0"}));
  CHECK(all["summary"]["totalCost"] == 10.404);
  CHECK(all["summary"]["placed"] == 5);
  REQUIRE(all["events"].size() == 23);
  CHECK(all["events"][7] == json::parse(R"({"at": 0, "eventName": "TASK_WAITING", "task": "train#3",
    "reason": "RESOURCE:GPU", "cause": null, "message": "train#3 waits: 0 of 2 instances have 1 free GPU"})"));
  CHECK(all["events"][14]["cause"] == 12);
  const auto& timeline = all["timeline"];
  CHECK(timeline["end"] == 6120);
  CHECK(timeline["waiting"]["all"]["toPlacement"] ==
        json::parse(R"({"p50": 2040, "p95": 4080, "worst": 4080, "worstTask": "train#5"})"));
  CHECK(timeline["gpu"]["pinned"]["startDelay"] == 1200);
  CHECK(timeline["gpu"]["idle"] == 2040);
  CHECK(timeline["cost"]["idle"] == 1.734);
  CHECK(timeline["instances"][1]["idleSeconds"] == 2040);
  CHECK(timeline["series"]["gpuReserved"].size() == 1224);
  CHECK(timeline["series"]["gpuReserved"][1000] == 1);
  CHECK(timeline["series"]["totalCost"][1223] == 10.404);
}

TEST_CASE("timeline report - CSV is a row a bucket") {
  const auto scenario = five_on_two();
  const auto series = figures(scenario, five_on_two_history(scenario)).series;
  std::ostringstream out;
  report::write_timeline_csv(out, series);
  const auto text = out.str();
  const auto lines = split(text, '\n');
  REQUIRE(lines.size() == 1226);
  CHECK(lines[0] ==
        "from,to,instancesActive,instancesBooting,instancesDraining,tasksRunning,tasksPending,tasksStopping,"
        "tasksWaiting,tasksProvisioning,mostWaiting,cpuReserved,cpuRegistered,memoryReserved,memoryRegistered,"
        "gpuReserved,gpuRegistered,gpuPinned,gpuIdle,hourlyCost,totalCost\r");
  CHECK(lines[1] == "0,5,2,0,0,0,2,0,3,0,3,8192,16384,60000,122616,2,2,2,0,6.12,0.0085\r");
  CHECK(lines[1224].substr(0, 10) == "6115,6120,");
  CHECK(lines[1225].empty());
}

TEST_CASE("timeline report - scaling is told with its causes") {
  auto p3 = instance("p3.2xlarge", 8192, 61308, {1, 16384});
  p3.hourly_price = 3'060'000;
  auto scenario = placement::build::scenario_with({p3}, {run_task("train", with_gpus(needs(4096, 30000), {1}), 1)});
  scenario.instances.clear();
  placement::InstanceGroup group;
  group.capacity_provider = "gpu";
  group.types = {{{0}}};
  group.availability_zones = {""};
  group.max_size = 10;
  group.is_managed = true;
  scenario.timetable.groups.push_back(group);
  scenario.workloads[0].capacity_providers = {{"gpu", 0, 1}};
  Story story(scenario);
  const auto task = story.arrive(0, 0, 1);
  story.history.tasks[task].capacity_provider = 0;
  story.wait(0, task, EventKind::kTaskProvisioning);
  story.history.metrics.push_back({60, 0, 1, 0, 200'000'000, 0});
  const auto out = story.log(60, EventKind::kScaleOut, 0, kNoIndex, StopCause::kNone, 1, 2);
  const auto one = story.launch(60, 0, 0, "p3.2xlarge#1", out);
  const auto two = story.launch(60, 0, 0, "p3.2xlarge#2", out);
  story.activate(240, one, 3);
  story.activate(240, two, 4);
  story.place(240, task, one, {0});
  story.run(240, task);
  const auto in = story.log(1440, EventKind::kScaleIn, 0, kNoIndex, StopCause::kNone, kNoIndex, 1);
  story.terminate(1440, two, in);
  story.stop(2040, task);
  const auto text = text_of(scenario, story.history);
  CHECK(says(text,
             "Events\n"
             "   0s  train#1 is PROVISIONING\n"
             "   1m  gpu scales out to 2 instances (M 1, N 0) because train#1 waits\n"
             "       p3.2xlarge#1-2 are launched because train#1 waits\n"
             "   4m  p3.2xlarge#1-2 are ACTIVE, launched at 1m because train#1 waits\n"
             "       train#1 starts on p3.2xlarge#1 (waited 4m)\n"
             "  24m  gpu scales in to 1 instance (M 1, N 0)\n"));
  CHECK(says(text, "Auto Scaling groups\n  gpu  0 to 10 instances allowed: at most 2 at a time, 1 at the end, 2"));
  CHECK(says(text, "$2.86, including $1.02"));
  CHECK(says(text, "pays for 2 but needs only 1 for 23m (1m to 24m)"));
  const auto all = json_of(scenario, story.history);
  CHECK(all["timeline"]["metrics"][0] == json::parse(R"({"at": 60, "capacityProviderName": "gpu", "M": 1, "N": 0,
    "percent": 200, "desiredCapacity": 0})"));
  CHECK(all["timeline"]["groups"][0]["longestSurplus"] ==
        json::parse(R"({"from": 60, "to": 1440, "needed": 1, "paid": 2})"));
}

TEST_CASE("timeline report - a deployment that never finishes") {
  auto scenario =
      placement::build::scenario_with({instance("c5.large", 2048, 3700)}, {service("web", needs(2000, 1), 2)});
  scenario.timetable.services.push_back({0, 2, {}, false});
  Story story(scenario);
  story.history.deployments.push_back({0, 0, 0, {}, Deployment::State::kInProgress, true, 1});
  story.history.failures.push_back(placement::place(scenario).failures.front());
  const auto one = story.arrive(0, 0, 1);
  const auto two = story.arrive(0, 0, 2);
  story.history.tasks[one].deployment = story.history.tasks[two].deployment = 0;
  story.history.tasks[two].failure = 0;
  story.place(0, one, 0);
  story.run(0, one);
  story.wait(0, two);
  story.log(40, EventKind::kTaskHealthy, one, 0);
  story.log(40, EventKind::kDeploymentStuck, 0);
  study::BlockedDeployment held;
  held.terms.minimum_healthy_percent = 100;
  held.failure = 0;
  held.without_place = 1;
  held.old_tasks = 2;
  auto cheap = scenario.profiles[0];
  cheap.availability_zone.clear();
  held.remedies = {{.change = study::SetMinimumHealthyPercent{0, 50}, .hourly_cost = 0, .takes = 70},
                   {.change = study::SetMaximumPercent{0, 150}, .hourly_cost = 0, .takes = 45},
                   {.change = study::ChangePorts{0, {{false, 80, 0}, {true, 53, 0}}}, .hourly_cost = 0, .takes = 40},
                   {.change = study::one_more(scenario.profiles[0]), .hourly_cost = 85'000, .takes = 40},
                   {.change = study::one_more(cheap), .hourly_cost = std::nullopt, .takes = 40}};
  const auto text = text_of(scenario, story.history, kVerbose, {held});
  CHECK(first_line(text) == "NO  the deployment of web (web:1) never finishes");
  CHECK(says(text,
             "Deployments\n"
             "  web (web:1)  at 0s: never finishes: 1 new task cannot be placed: 0 of 1\n"
             "    instances have 2000 CPU units left; 2 old tasks cannot be stopped\n"
             "    (minimumHealthyPercent 100)\n"
             "    Fix: minimumHealthyPercent 50; finishes in 1m10s\n"
             "    Fix: maximumPercent 150; finishes in 45s\n"
             "    Fix: hostPort 0 (dynamic) instead of TCP 80, UDP 53; finishes in 40s\n"
             "    Fix: 1 more c5.large in us-east-1a (+$0.085/h, +$62/month); finishes in\n"
             "      40s\n"
             "    Fix: 1 more c5.large (price unknown); finishes in 40s\n"));
  const auto all = json_of(scenario, story.history, {held});
  const auto& deployment = all["timeline"]["deployments"][0];
  CHECK(deployment["stuck"] == true);
  CHECK(deployment["holdup"] == "noPlace");
  CHECK(deployment["remedies"].size() == 5);
  const auto& instance_remedy = deployment["remedies"][3];
  CHECK(instance_remedy["kind"] == "instance");
  CHECK(instance_remedy["change"] == "1 more c5.large in us-east-1a (+$0.085/h, +$62/month)");
  CHECK(instance_remedy["seconds"] == 40);
  CHECK(instance_remedy["hourlyCost"] == 0.085);
  CHECK(deployment["remedies"][4]["hourlyCost"].is_null());
  CHECK(deployment["effortExhausted"] == false);
  CHECK(all["events"].back()["serviceName"] == "web");
}

namespace {

/// A service whose deployments ended so, one after the other; the last of them by a rollback where asked.
std::string answer_of(const std::vector<Deployment::State>& states, bool rolled_back = false) {
  auto scenario = placement::build::scenario_with({instance("c5.large", 2048, 3700)}, {service("web", needs(1, 1), 1)});
  scenario.timetable.services.push_back({0, 1, {}, false});
  Story story(scenario);
  const auto task = story.arrive(0, 0, 1);
  story.place(0, task, 0);
  story.run(0, task);
  for (const auto state : states) story.history.deployments.push_back({0, 0, 0, 60, state, false, 3});
  const auto last = static_cast<std::uint32_t>(states.size() - 1);
  if (rolled_back) story.log(60, EventKind::kRollback, last);
  story.history.end = 600;
  const report::TimelineReport report(scenario, story.history);
  const auto line = first_line(text_of(scenario, story.history));
  CHECK((line.substr(0, 3) == "NO ") == report.has_failures());
  return line;
}

}  // namespace

TEST_CASE("timeline report - the newest deployment counts") {
  using State = Deployment::State;
  CHECK(answer_of({State::kCompleted}) == "YES 1 of 1 task ran; 1 is still running at 10m");
  CHECK(answer_of({State::kFailed, State::kCompleted}) == "YES 1 of 1 task ran; 1 is still running at 10m");
  CHECK(answer_of({State::kFailed, State::kCompleted}, true) == "NO  the deployment of web (web:1) failed at 1m");
  CHECK(answer_of({State::kCompleted, State::kFailed}) == "NO  the deployment of web (web:1) failed at 1m");
  CHECK(answer_of({State::kInProgress}) == "NO  the deployment of web (web:1) is not complete at 10m");
}

TEST_CASE("timeline report - a task that was cut off did not run to its end") {
  const auto scenario = five_on_two();
  Story story(scenario);
  for (std::int64_t number = 1; number <= 2; ++number) {
    const auto task = story.arrive(0, 0, number);
    story.place(0, task, task, {0});
    story.run(0, task);
  }
  story.terminate(300, 0);
  story.log(300, EventKind::kTaskStopped, 0, 0, StopCause::kInstanceGone, 6);
  story.history.tasks[0].stopped_at = 300;
  story.history.tasks[0].stop = StopCause::kInstanceGone;
  story.stop(600, 1);
  const auto text = text_of(scenario, story.history);
  CHECK(first_line(text) == "NO  1 of 2 tasks was interrupted; train#1: p3.2xlarge#1 was terminated at 5m");
  CHECK(says(text, "used (100%; 5 of it lost with interrupted tasks)"));
  CHECK(says(text, "Interrupted\n  train#1  after 5m: p3.2xlarge#1 was terminated at 5m\n"));
  const auto all = json_of(scenario, story.history);
  CHECK(all["timeline"]["gpu"]["cutOff"] == 300);
  CHECK(all["timeline"]["cutOff"][0]["ran"] == 300);
}

TEST_CASE("timeline report - tasks that failed for the same reason at different times are told together") {
  auto scenario = five_on_two();
  scenario.workloads[0].count = 3;
  auto history = one_of_three_waits(scenario);
  history.failures.push_back(history.failures.front());
  Task fourth = history.tasks[2];
  fourth.number = 4;
  fourth.failure = 1;
  for (Task* task : {&history.tasks[2], &fourth}) {
    task->failed = true;
    task->stopped_at = 60 * task->number;
  }
  history.tasks.push_back(fourth);
  const auto text = text_of(scenario, history);
  CHECK(says(text, "Not placed\n  train#3-4  1 GPU, 4 vCPU, 30000 MiB\n    failed at 3m to 4m: "));
}

TEST_CASE("timeline report - a stopTask of the scenario is no failure") {
  const auto scenario = five_on_two();
  Story story(scenario);
  const auto task = story.arrive(0, 0, 1);
  story.place(0, task, 0, {0});
  story.run(0, task);
  story.stop(300, task, StopCause::kStopTask);
  CHECK(first_line(text_of(scenario, story.history)) == "YES 1 of 1 task ran, 1 until stopTask; the last ended at 5m");
}

TEST_CASE("timeline report - a drain that can never finish") {
  auto scenario = placement::build::scenario_with({instance("c5.large", 2048, 3700)}, {service("web", needs(1, 1), 1)});
  scenario.workloads[0].maximum_percent = 100;
  scenario.timetable.services.push_back({0, 1, {}, false});
  Story story(scenario);
  story.history.deployments.push_back({0, 0, 0, 40, Deployment::State::kCompleted, false, 0});
  const auto task = story.arrive(0, 0, 1);
  story.history.tasks[task].deployment = 0;
  story.place(0, task, 0);
  story.run(0, task);
  story.history.instances[0].draining_at = 600;
  story.log(600, EventKind::kInstanceDraining, 0, 0);
  const auto text = text_of(scenario, story.history);
  CHECK(says(text,
             "NO  the drain of c5.large#1 never finishes: web must keep 1 of 1 healthy\n"
             "    (minimumHealthyPercent 100) and cannot start any in addition (maximumPercent\n    100)\n"));
  CHECK(says(text, "Never drained\n  c5.large#1  web#1 stays: web must keep 1 of 1 healthy"));
  CHECK(json_of(scenario, story.history)["timeline"]["heldDrains"][0]["tasks"] == json::array({"web#1"}));
  story.history.end_reason = EndReason::kUntil;
  CHECK(first_line(text_of(scenario, story.history)) == "YES 1 of 1 task ran; 1 is still running at 10m");
  story.history.end_reason = EndReason::kNothingLeft;
  story.stop(660, task, StopCause::kDraining);
  CHECK(first_line(text_of(scenario, story.history)) == "YES 1 of 1 task ran; the last ended at 11m");
}

TEST_CASE("timeline report - a job fails as a whole") {
  const auto scenario = five_on_two();
  Story story(scenario);
  for (std::int64_t number = 1; number <= 2; ++number) story.arrive(0, 0, number);
  story.history.jobs.push_back({{0, 1}, {}, true});
  for (auto& task : story.history.tasks) task.job = 0;
  story.place(0, 0, 0, {0});
  story.stop(60, 0, StopCause::kJobFailed);
  auto& failed = story.history.tasks[1];
  failed.failed = true;
  failed.stop = StopCause::kProvisioningLimit;
  failed.stopped_at = 60;
  CHECK(first_line(text_of(scenario, story.history)) ==
        "NO  a job of 2 tasks failed; train#2: 500 tasks are PROVISIONING already");
}

TEST_CASE("timeline report - what keeps a group from growing comes first") {
  auto p3 = instance("p3.2xlarge", 8192, 61308, {1, 16384});
  auto scenario = placement::build::scenario_with({p3}, {run_task("train", with_gpus(needs(4096, 30000), {1}), 1)});
  scenario.instances.clear();
  placement::InstanceGroup group;
  group.capacity_provider = "gpu";
  group.types = {{{0}}};
  group.availability_zones = {""};
  group.is_managed = true;
  scenario.timetable.groups.push_back(group);
  scenario.workloads[0].capacity_providers = {{"gpu", 0, 1}};
  Story story(scenario);
  story.history.failures.push_back({});
  const auto task = story.arrive(0, 0, 1);
  story.wait(0, task, EventKind::kTaskProvisioning);
  auto& own = story.history.tasks[task];
  own.capacity_provider = 0;
  own.failure = 0;
  const auto end_of_line = [&] {
    const auto line = first_line(text_of(scenario, story.history, {report::Style(false), {}, true}));
    return line.substr(line.find(": ") + 2);
  };
  CHECK(end_of_line() == "gpu is at its maxSize of 0");
  scenario.timetable.groups[0].max_size = 1;
  CHECK(end_of_line() == "the cluster has no container instances");
  scenario.workloads[0].requirement = with_gpus(needs(4096, 30000), {4});
  CHECK(end_of_line() == "gpu does not grow for it: p3.2xlarge does not hold one");
}

TEST_CASE("timeline report - what holds a deployment up, in words") {
  const auto scenario = placement::build::scenario_with({instance("c5.large", 1, 1)}, {service("web", needs(1, 1), 2)});
  const History history;
  const report::TimelineReport report(scenario, history);
  study::BlockedDeployment held;
  held.blocker = study::DeploymentBlocker::kHealthyPercents;
  held.terms.minimum_healthy_percent = held.terms.maximum_percent = 100;
  CHECK(report::blocker_words(report, held) ==
        "no task may start (maximumPercent 100) and none may be stopped (minimumHealthyPercent 100)");
  CHECK(report::remedy_lines(held) == std::vector<std::string>{"No single change that was simulated fixes it"});
  held.exhausted = true;
  CHECK(report::remedy_lines(held) == std::vector<std::string>{"Not all fixes were simulated: the run is long"});
  held = {};
  held.blocker = study::DeploymentBlocker::kTasksEnd;
  CHECK(report::blocker_words(report, held) == "its tasks end before they are healthy");
  CHECK(report::remedy_lines(held).empty());
}

TEST_CASE("timeline report - long logs are cut") {
  const auto scenario =
      placement::build::scenario_with({instance("c5.large", 2048, 3700)}, {run_task("t", needs(1, 1), 99)});
  Story story(scenario);
  for (std::int64_t number = 1; number <= 99; ++number) {
    const auto task = story.arrive(number, 0, number);
    story.place(number, task, 0);
    story.run(number, task);
  }
  const auto text = text_of(scenario, story.history, {});
  CHECK(says(text, " more (-v)\n"));
  CHECK(says(text,
             "  tasks of  arrived  ran  ended  first starts  last ends\n"
             "  t              99   99      0            1s          -\n"));
  CHECK_FALSE(says(text_of(scenario, story.history), "more (-v)"));
}

}  // namespace timeline_report_test
