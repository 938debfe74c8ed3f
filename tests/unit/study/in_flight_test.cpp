#include "study/in_flight.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/describe.hpp"
#include "study/whatif/comparison.hpp"
#include "study/whatif/what_if.hpp"

namespace in_flight_test {

using namespace bayplan;
using namespace bayplan::study;
using placement::Scenario;

namespace {

using Lines = std::vector<std::string>;

/// Room for four tasks of 512 CPU units, with so many units left.
describe::Instance instance(const std::string& id, std::int64_t cpu_left, const std::string& status = "ACTIVE") {
  describe::Instance one;
  one.id = id;
  one.type = "m5.large";
  one.zone = "us-east-2" + id;
  one.cpu = 2048;
  one.memory = 7000;
  one.cpu_left = cpu_left;
  one.memory_left = 7000 - (2048 - cpu_left) / 512 * 1000;
  one.more = R"(, "status": ")" + status + "\"";
  return one;
}

describe::Task task(const std::string& id, const std::string& on, const std::string& definition = "web:1",
                    const std::string& more = {}, const std::string& group = "service:web") {
  return {.id = id, .instance = on, .definition = definition, .group = group, .cpu = 512, .more = more};
}

std::string service(const std::string& name, const std::string& definition, const std::string& counts,
                    const std::string& percents = "100, \"maximumPercent\": 200", const std::string& more = {}) {
  return R"({"serviceArn": ")" + describe::arn("service", "prod/" + name) + R"(", "serviceName": ")" + name +
         R"(", "launchType": "EC2", "taskDefinition": ")" + describe::arn("task-definition", definition) + "\", " +
         counts + R"(, "deploymentConfiguration": {"minimumHealthyPercent": )" + percents + more + "}}";
}

std::string definition(const std::string& family, int revision) {
  auto text = describe::definition(family, R"("cpu": 512, "memory": 1000)");
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(family + ":1\"", family + ":" + std::to_string(revision) + "\"");
  replace("\"revision\": 1", "\"revision\": " + std::to_string(revision));
  return text;
}

struct Given {
  catalog::Catalog catalog = catalog::Catalog::load();
  Scenario scenario;
};

std::unique_ptr<Given> given(const std::vector<describe::Instance>& instances, const std::vector<describe::Task>& tasks,
                             const std::vector<std::string>& services, bool takes_services,
                             const std::vector<std::string>& asked = {}) {
  std::string list;
  for (const auto& one : services) list += (list.empty() ? "" : ", ") + one;
  const MemoryFiles files({{"prod/instances.json", describe::page("containerInstances", instances)},
                           {"prod/tasks.json", describe::page("tasks", tasks)},
                           {"prod/services.json", "{\"services\": [" + list + "]}"},
                           {"prod/web1.json", definition("web", 1)},
                           {"prod/web2.json", definition("web", 2)},
                           {"prod/job.json", definition("job", 1)}});
  auto made = std::make_unique<Given>();
  auto loaded = load_settled({.cluster = "prod", .tasks = asked, .takes_services = takes_services, .may_be_idle = true},
                             files, made->catalog, {});
  for (const auto& error : loaded.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded.scenario);
  made->scenario = std::move(*loaded.scenario);
  return made;
}

/// "i-a service:web web:1" of every task that runs.
Lines running(const Scenario& scenario) {
  Lines lines;
  for (const auto& own : scenario.running)
    lines.push_back(scenario.instances[own.instance].id + " " + own.group + " " + own.task_definition);
  return lines;
}

/// What is left of each instance.
std::vector<std::int64_t> free_cpu(const Scenario& scenario) {
  std::vector<std::int64_t> left;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i)
    left.push_back(scenario.profiles[scenario.instances[i].profile].cpu - scenario.in_use[i].cpu);
  return left;
}

Lines findings(const Scenario& scenario) {
  Lines lines;
  for (const auto& one : scenario.findings) {
    if (one.id == "remaining-differs") continue;  // these tests do not describe every task
    lines.push_back(one.id + " (" + one.subject + "): " + one.text);
  }
  return lines;
}

std::int64_t unplaced(Scenario scenario) {
  ask_for_unsettled(scenario);
  const auto outcome = placement::place(scenario);
  CHECK(placement::verify(scenario, outcome) == Lines{});
  return static_cast<std::int64_t>(outcome.failures.size());
}

}  // namespace

TEST_CASE("service tasks leave DRAINING instances before a question") {
  // Both tasks of b may start again on a before they stop (maximumPercent 200): a has 2 of its 4 places left.
  for (const bool takes : {false, true}) {
    const auto made = given({instance("a", 2048), instance("b", 1024, "DRAINING")}, {task("1", "b"), task("2", "b")},
                            {service("web", "web:1", R"("desiredCount": 2, "runningCount": 2)")}, takes);
    CHECK(running(made->scenario) == Lines{"i-a service:web web:1", "i-a service:web web:1"});
    CHECK(free_cpu(made->scenario) == std::vector<std::int64_t>{1024, 2048});
    CHECK(findings(made->scenario) == Lines{});
    CHECK(unplaced(made->scenario) == 0);
  }
}

TEST_CASE("a drain without room for it is a finding, and its tasks stay") {
  // One of two may start elsewhere, after which one may stop; the other finds no room.
  const auto made = given({instance("a", 512), instance("b", 1024, "DRAINING")}, {task("1", "b"), task("2", "b")},
                          {service("web", "web:1", R"("desiredCount": 2, "runningCount": 2)")}, false);
  CHECK(running(made->scenario) == Lines{"i-a service:web web:1", "i-b service:web web:1"});
  CHECK(free_cpu(made->scenario) == std::vector<std::int64_t>{0, 1536});
  CHECK(findings(made->scenario) == Lines{"drain-cannot-finish (web): 1 task cannot leave a DRAINING instance within "
                                          "minimumHealthyPercent 100 and maximumPercent 200: no room for another one"});
  CHECK(unplaced(made->scenario) == 0);  // the service has its two tasks
  // At 100/100 no task may start before another stops, and none may stop.
  const auto stuck = given(
      {instance("a", 2048), instance("b", 1024, "DRAINING")}, {task("1", "b"), task("2", "b")},
      {service("web", "web:1", R"("desiredCount": 2, "runningCount": 2)", "100, \"maximumPercent\": 100")}, false);
  CHECK(free_cpu(stuck->scenario) == std::vector<std::int64_t>{2048, 1024});
}

TEST_CASE("a task that cannot leave a DRAINING instance tries again whenever something happens") {
  const auto made = given({instance("a", 512), instance("b", 1024, "DRAINING")}, {task("1", "b"), task("2", "b")},
                          {service("web", "web:1", R"("desiredCount": 2, "runningCount": 2)")}, true);
  const Scenario& scenario = made->scenario;
  WhatIf what_if(scenario);
  const auto before = what_if.baseline().names.front();
  CHECK(before.desired == 2);
  CHECK(before.after == 1);
  CHECK(before.held == 1);
  CHECK(what_if.baseline().held_drains == Lines{"i-b"});
  const placement::AddInstances one_more{{scenario.profiles[scenario.instances.front().profile]}, {{"new", 0}}};
  const auto scale = [](std::int64_t count) { return placement::Scale{{0}, count}; };
  struct Case {
    std::vector<placement::InstantEvent> events;
    std::int64_t after;
    std::int64_t held;
    std::int64_t moves;
    std::int64_t lacking;
  };
  const std::vector<Case> cases{
      {{}, 1, 1, 0, 0},
      {{one_more}, 2, 0, 1, 0},
      {{scale(1)}, 1, 0, 0, 0},                            // the task that is to leave stops, not the other
      {{scale(3)}, 1, 1, 0, 1},                            // the additional task has no room
      {{one_more, scale(3)}, 3, 0, 1, 0},                  //
      {{placement::TerminateInstances{{1}}}, 1, 0, 0, 1},  // what was held ran
      {{placement::DrainInstances{{0}}}, 0, 2, 0, 1},      //
      {{placement::DrainInstances{{1}}}, 1, 1, 0, 0},      //
      {{placement::DrainInstances{{0}}, one_more}, 2, 0, 2, 0},
  };
  for (const auto& own : cases) {
    Variant variant;
    variant.events = own.events;
    const auto result = what_if.evaluate(variant);
    const auto& web = result.names.front();
    INFO("case " << &own - cases.data());
    CHECK(web.before == 1);
    CHECK(web.after == own.after);
    CHECK(web.held == own.held);
    CHECK(web.moves == own.moves);
    const auto effect = what_if.effect(variant);
    CHECK(effect == compute_effect(what_if.baseline(), result));
    CHECK((effect.worse.empty() ? 0 : effect.worse.front().second) == own.lacking);
  }
  CHECK(what_if.mistakes() == Lines{});
}

TEST_CASE("a deployment under way ends with desiredCount tasks of the new definition") {
  // 2 new and 4 old tasks of 4 wanted: 2 more may start (8 at most), then all old ones stop.
  const std::vector<describe::Task> tasks{task("n1", "a", "web:2"), task("n2", "b", "web:2"), task("o1", "a"),
                                          task("o2", "b"),          task("o3", "a"),          task("o4", "b")};
  const auto made = given({instance("a", 512), instance("b", 512)}, tasks,
                          {service("web", "web:2", R"("desiredCount": 4, "runningCount": 6)")}, true);
  CHECK(running(made->scenario) ==
        Lines{"i-a service:web web:2", "i-a service:web web:2", "i-b service:web web:2", "i-b service:web web:2"});
  CHECK(free_cpu(made->scenario) == std::vector<std::int64_t>{1024, 1024});
  CHECK(findings(made->scenario) == Lines{});
}

TEST_CASE("a blue-green deployment stops no old task before the new ones are complete") {
  const std::vector<describe::Task> tasks{task("n1", "a", "web:2"), task("o1", "a"), task("o2", "b")};
  const auto settled = [&](std::int64_t cpu_of_b) {
    return running(given({instance("a", 1024 - 512 + 512), instance("b", cpu_of_b)}, tasks,
                         {service("web", "web:2", R"("desiredCount": 2, "runningCount": 3)",
                                  "100, \"maximumPercent\": 200", R"(, "strategy": "BLUE_GREEN")")},
                         true)
                       ->scenario);
  };
  // The second new task has room: both old ones stop.
  CHECK(settled(1536).size() == 2);
}

TEST_CASE("a deployment that finds no room keeps its old tasks and is a finding") {
  // a is full: no new task starts, and at minimumHealthyPercent 100 no old one stops.
  const auto made = given({instance("a", 0)}, {task("1", "a"), task("2", "a"), task("3", "a"), task("4", "a")},
                          {service("web", "web:2", R"("desiredCount": 4, "runningCount": 4)")}, false);
  CHECK(running(made->scenario).size() == 4);
  CHECK(findings(made->scenario) == Lines{"deployment-cannot-finish (web): 4 tasks of web:1 cannot be replaced within "
                                          "minimumHealthyPercent 100 and maximumPercent 200: no room for new ones"});
  CHECK(unplaced(made->scenario) == 0);
}

TEST_CASE("a task with desiredStatus STOPPED frees its room") {
  const auto made = given({instance("a", 0)},
                          {task("1", "a", "job:1", R"(, "desiredStatus": "STOPPED")", "family:job"),
                           task("2", "a", "job:1", {}, "family:job"), task("3", "a", "job:1", {}, "family:job"),
                           task("4", "a", "job:1", {}, "family:job")},
                          {}, false, {"job=1"});
  CHECK(running(made->scenario).size() == 3);
  CHECK(free_cpu(made->scenario) == std::vector<std::int64_t>{512});
  CHECK(unplaced(made->scenario) == 0);
}

TEST_CASE("tasks that wait for an instance come before those of the question") {
  // Two places are left; the PROVISIONING task takes one, and of two asked tasks one is left out.
  const auto made = given({instance("a", 1024)},
                          {task("1", "a", "job:1", {}, "family:job"), task("2", "a", "job:1", {}, "family:job"),
                           task("3", "", "job:1", R"(, "lastStatus": "PROVISIONING")", "family:job")},
                          {}, false, {"web=2"});
  CHECK(running(made->scenario).size() == 3);
  CHECK(unplaced(made->scenario) == 1);
}

TEST_CASE("a service below its desired count comes first, and is a part of the answer") {
  // 5 wanted, 2 run, room for 2 more.
  for (const bool takes : {false, true}) {
    const auto made = given({instance("a", 1024)}, {task("1", "a"), task("2", "a")},
                            {service("web", "web:1", R"("desiredCount": 5, "runningCount": 2)")}, takes);
    CHECK(unplaced(made->scenario) == 1);
  }
  const auto room = given({instance("a", 1024)}, {task("1", "a"), task("2", "a")},
                          {service("web", "web:1", R"("desiredCount": 3, "runningCount": 2)")}, false, {"job=2"});
  CHECK(unplaced(room->scenario) == 1);
}

TEST_CASE("more tasks than desired without a deployment are a finding") {
  const auto made = given({instance("a", 512)}, {task("1", "a"), task("2", "a"), task("3", "a")},
                          {service("web", "web:1", R"("desiredCount": 2, "runningCount": 3)")}, false);
  CHECK(running(made->scenario).size() == 2);
  CHECK(
      findings(made->scenario) ==
      Lines{"more-than-desired (web): runs 3 of 2 tasks and no deployment replaces them: ECS stops 1, whose resources "
            "count as free here"});
}

}  // namespace in_flight_test
