// What a snapshot counts and does not describe, and what its manifest says of the calls that made it.
#include "describe.hpp"
#include "scenario/loaded.hpp"

namespace live_gaps_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using describe::Instance;
using describe::Task;
using test::load_texts;
using test::Loaded;

namespace {

using Texts = std::map<std::string, std::string>;
using Lines = std::vector<std::string>;

std::string service(const std::string& name, const std::string& more = {}) {
  return R"({"serviceArn": ")" + describe::arn("service", "prod/" + name) + R"(", "serviceName": ")" + name +
         R"(", "status": "ACTIVE", "desiredCount": 1, "runningCount": 1, "taskDefinition": ")" +
         describe::arn("task-definition", name + ":1") + "\"" + more + "}";
}

std::string cluster(const std::string& counts) {
  return R"({"clusters": [{"clusterArn": ")" + describe::arn("cluster", "prod") + R"(", "clusterName": "prod", )" +
         counts + "}]}";
}

std::string manifest(const std::string& members) {
  return "{\"schema\": \"bayplan/snapshot-manifest/1\",\n\"startedAt\": \"2026-11-23T18:00:00Z\",\n" + members + "}";
}

const std::string kEnd = R"("snapshotOf": "prod", "endedAt": "2026-11-23T18:05:00Z")";

/// A whole cluster: two instances, a task of web on the first; `changed` in place of its files, or beside them.
Texts whole(Texts changed) {
  changed.emplace(
      "prod/instances.json",
      describe::page("containerInstances",
                     std::vector<Instance>{{.id = "a", .more = R"(, "runningTasksCount": 1)"}, {.id = "b"}}));
  changed.emplace("prod/tasks.json", describe::page("tasks", std::vector<Task>{{}}));
  changed.emplace("prod/services.json", "{\"services\": [" + service("web") + "]}");
  changed.emplace("prod/web.json", describe::definition("web", R"("memory": 1000)"));
  changed.emplace(
      "prod/clusters.json",
      cluster(R"("registeredContainerInstancesCount": 2, "runningTasksCount": 1, "activeServicesCount": 1)"));
  return changed;
}

std::unique_ptr<Loaded> load(Texts changed, bool allow_partial, bool takes_services = true) {
  return load_texts(
      {.cluster = "prod", .takes_services = takes_services, .allow_partial = allow_partial, .may_be_idle = true},
      whole(std::move(changed)));
}

/// "file:line:column: message", without the help, which is the same everywhere.
Lines refused(Texts changed, bool takes_services = true) {
  Lines lines;
  const auto loaded = load(std::move(changed), false, takes_services);
  for (const auto& error : loaded->result.errors) {
    CHECK(error.help == "collect the snapshot again; --allow-partial goes on with what there is");
    lines.push_back(error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + ": " +
                    error.message);
  }
  return lines;
}

/// Findings with the id, or the errors, where --allow-partial is given.
Lines noted(Texts changed, std::string_view id) {
  const auto loaded = load(std::move(changed), true);
  Lines lines;
  for (const auto& one : test::scenario_of(*loaded).findings) {
    if (one.id == id) lines.push_back(one.text);
  }
  return lines;
}

std::string ended(const std::string& more) {
  return manifest(kEnd + more);
}

}  // namespace

TEST_CASE("a snapshot that describes all that it counts is taken") {
  CHECK(refused({}) == Lines{});
  CHECK(refused({{"prod/manifest.json", ended(R"(, "calls": [{"call": "ecs describe-tasks", "file": "tasks.json",
    "exitCode": 0}])")}}) == Lines{});
}

TEST_CASE("container instances, services and tasks that the cluster counts and no file describes are refused") {
  const auto counts = [](const std::string& text) { return refused({{"prod/clusters.json", cluster(text)}}); };
  CHECK(counts(R"("registeredContainerInstancesCount": 3)") ==
        Lines{"prod/clusters.json:1:1: cluster prod counts 3 container instances, and 2 are described"});
  CHECK(counts(R"("activeServicesCount": 2)") ==
        Lines{"prod/clusters.json:1:1: cluster prod counts 2 services, and 1 is described"});
  CHECK(counts(R"("runningTasksCount": 1, "pendingTasksCount": 1)") ==
        Lines{"prod/clusters.json:1:1: cluster prod counts 2 tasks, and 1 is described"});
  CHECK(counts(R"("registeredContainerInstancesCount": 1, "runningTasksCount": 0)") == Lines{});
}

TEST_CASE("what lists name and no file describes is refused where it is listed") {
  const auto listed = [](const std::string& key, const std::string& kind) {
    return refused({{"prod/list.json", "{\"" + key + R"(": [")" + describe::arn(kind, "prod/x") + R"(", ")" +
                                           describe::arn(kind, "prod/y") + "\"]}"}});
  };
  CHECK(listed("taskArns", "task") == Lines{"prod/list.json:1:1: 2 tasks listed here are not described: x, y"});
  CHECK(listed("serviceArns", "service") ==
        Lines{"prod/list.json:1:1: 2 services listed here are not described: x, y"});
  CHECK(listed("containerInstanceArns", "container-instance") ==
        Lines{"prod/list.json:1:1: 2 container instances listed here are not described: x, y"});
  CHECK(noted({{"prod/list.json", R"({"serviceArns": [")" + describe::arn("service", "prod/x") + "\"]}"}},
              "listed-not-described") == Lines{"1 service is listed and not described: its tasks are unknown"});
}

TEST_CASE("what is counted and not described is a finding where a partial snapshot is allowed") {
  CHECK(noted({{"prod/clusters.json", cluster(R"("activeServicesCount": 2, "runningTasksCount": 3)")}},
              "snapshot-incomplete") ==
        Lines{"cluster prod counts 2 services, and 1 is described", "cluster prod counts 3 tasks, and 1 is described"});
  CHECK(noted({}, "snapshot-incomplete") == Lines{});
}

TEST_CASE("of a service that is not described what holds its tasks is said to be unknown") {
  const auto loaded = load({{"prod/services.json", "{}"}}, true);
  Lines subjects;
  for (const auto& one : test::scenario_of(*loaded).assumptions) {
    if (one.id == "service-constraints-unknown") subjects.push_back(one.subject);
  }
  CHECK(subjects == Lines{"web"});
}

TEST_CASE("what is of another account, cluster or revision is refused with its file") {
  const auto errors = [](Texts files) {
    Lines lines;
    const auto loaded = load(std::move(files), true);
    for (const auto& error : loaded->result.errors) lines.push_back(error.file + ": " + error.message);
    return lines;
  };
  const auto definition = [](const std::string& arn) {
    return R"({"taskDefinition": {"taskDefinitionArn": ")" + arn +
           R"(", "family": "web", "revision": 1, "containerDefinitions": [{"name": "c", "image": "x", "memory": 1000}]}})";
  };
  CHECK(errors({{"prod/web.json", definition(describe::arn("task-definition", "web:1"))}}) == Lines{});
  CHECK(errors({{"prod/web.json", definition("arn:aws:ecs:us-west-1:999999999999:task-definition/web:1")}}) ==
        Lines{"prod/web.json: this task definition is of account 999999999999 in us-west-1, and the cluster of account "
              "111122223333 in us-east-2"});
  CHECK(errors({{"prod/web.json", definition(describe::arn("task-definition", "web:9"))}}) ==
        Lines{"prod/web.json: the ARN is of web:9, and the definition is web:1"});
  CHECK(errors({{"prod/list.json", R"({"taskArns": [")" + describe::arn("task", "other/x") + "\"]}"}}) ==
        Lines{"prod/list.json: this list is of cluster other, and prod is described"});
  CHECK(errors({{"prod/clusters.json", cluster(R"("status": "INACTIVE")")}}) ==
        Lines{"prod/clusters.json: cluster prod is INACTIVE: it was deleted"});
  const std::string twice = R"({"services": [)" + service("web") + R"(, {"serviceArn": ")" +
                            describe::arn("service", "prod/web-2") +
                            R"(", "serviceName": "web", "status": "ACTIVE"}]})";
  CHECK(errors({{"prod/services.json", twice}}) ==
        Lines{"prod/services.json: service web is described under two ARNs, " + describe::arn("service", "prod/web") +
              " and " + describe::arn("service", "prod/web-2")});
}

TEST_CASE("tasks that a service or an instance counts are refused where the cluster counts none") {
  const std::string none = describe::page("tasks", std::vector<Task>{});
  CHECK(refused({{"prod/tasks.json", none}, {"prod/clusters.json", cluster(R"("status": "ACTIVE")")}}) ==
        Lines{"prod/services.json:1:1: service web counts 1 task, and 0 are described"});
  CHECK(refused({{"prod/tasks.json", none}, {"prod/clusters.json", "{}"}, {"prod/services.json", "{}"}}) ==
        Lines{"prod/instances.json:1:1: container instance a counts 1 task, and 0 are described"});
}

TEST_CASE("a service that only its tasks name is refused by who moves tasks") {
  const Texts without{{"prod/services.json", "{}"}, {"prod/clusters.json", "{}"}};
  CHECK(refused(without) == Lines{"prod/tasks.json:1:1: task t1 belongs to service web, which is not described"});
  CHECK(refused(without, false) == Lines{});
  CHECK(load(without, true)->result.scenario);
}

TEST_CASE("task definitions that run and are not described are refused, once each") {
  CHECK(refused({{"prod/web.json", "{}"}}) ==
        Lines{"prod/services.json:1:1: service web uses task definition web:1, which is not described"});
  const std::string two =
      describe::page("tasks", std::vector<Task>{{},
                                                {.id = "t2", .definition = "job:3", .group = "family:job"},
                                                {.id = "t3", .definition = "job:3", .group = "family:job"}});
  CHECK(refused({{"prod/tasks.json", two}}) ==
        Lines{"prod/tasks.json:2:1: task t2 uses task definition job:3, which is not described"});
  const std::string elsewhere = service("web", R"(, "launchType": "FARGATE")");
  const std::string task = describe::page("tasks", std::vector<Task>{{.instance = ""}});
  const std::string idle = describe::page("containerInstances", std::vector<Instance>{{.id = "a"}});
  CHECK(refused({{"prod/web.json", "{}"},
                 {"prod/clusters.json", "{}"},
                 {"prod/instances.json", idle},
                 {"prod/tasks.json", task},
                 {"prod/services.json", "{\"services\": [" + elsewhere + "]}"}}) == Lines{});
}

TEST_CASE("a revision that two files describe differently is an error") {
  const auto errors = [](const std::string& container) {
    Lines lines;
    const auto loaded = load({{"prod/again.json", describe::definition("web", container)}}, false);
    for (const auto& error : loaded->result.errors) lines.push_back(error.file + ":" + test::placed_message(error));
    return lines;
  };
  CHECK(errors(R"("memory": 1000)") == Lines{});
  CHECK(errors(R"("memory": 2000)") ==
        Lines{"prod/web.json:1:1: web:1 has two different descriptions (first in prod/again.json, line 1; keep one of "
              "them)"});
}

TEST_CASE("a manifest says which call failed, and that its script came to its end") {
  const std::string denied = ended(R"(, "calls": [{"call": "ecs describe-services", "file": "services.json",
"exitCode": 254, "error": "AccessDenied"}])");
  CHECK(refused({{"prod/manifest.json", denied}}) ==
        Lines{"prod/manifest.json:3:68: the snapshot is incomplete: aws ecs describe-services failed, so that "
              "services.json is incomplete: AccessDenied"});
  CHECK(noted({{"prod/manifest.json", denied}}, "snapshot-incomplete") ==
        Lines{"aws ecs describe-services failed, so that services.json is incomplete: AccessDenied"});
  const std::string of_ec2 = ended(R"(, "calls": [{"call": "ec2 describe-subnets", "file": "subnets.json",
"exitCode": 254}])");
  CHECK(refused({{"prod/manifest.json", of_ec2}}) == Lines{});
  CHECK(noted({{"prod/manifest.json", of_ec2}}, "snapshot-incomplete") ==
        Lines{"aws ec2 describe-subnets failed, so that subnets.json is incomplete"});
  CHECK(refused({{"prod/manifest.json", manifest(R"("snapshotOf": "prod", "calls": [])")}}) ==
        Lines{"prod/manifest.json:1:1: the snapshot is incomplete: its script did not come to its end"});
  CHECK(refused({{"prod/manifest.json", ended(R"(, "calls": [{"call": "ecs describe-tasks", "file": "page-2.json",
"exitCode": 0}])")}}) ==
        Lines{"prod/manifest.json:3:107: the snapshot is incomplete: page-2.json is missing, which aws ecs "
              "describe-tasks filled"});
  CHECK(noted({{"prod/manifest.json", ended(R"(, "calls": [], "changed": ["ecs list-tasks"])")}},
              "changed-while-collected") ==
        Lines{"ecs list-tasks answered differently at the end (2026-11-23T18:05:00Z) than at the beginning "
              "(2026-11-23T18:00:00Z): the answers are of different times"});
}

TEST_CASE("a manifest of another cluster, a second one and one of another shape are errors") {
  const auto errors = [](Texts files) {
    Lines lines;
    const auto loaded = load(std::move(files), true);
    for (const auto& error : loaded->result.errors) lines.push_back(error.file + ":" + test::placed_message(error));
    return lines;
  };
  CHECK(errors({{"prod/manifest.json", manifest(R"("snapshotOf": "test", "calls": [])")}}) ==
        Lines{"prod/manifest.json:3:15: this is the manifest of cluster test, and prod is described (use a separate "
              "folder for each cluster)"});
  CHECK(
      errors({{"prod/a.json", ended(R"(, "calls": [])")}, {"prod/b.json", ended(R"(, "calls": [])")}}) ==
      Lines{"prod/b.json:1:1: duplicate manifest (the first is prod/a.json; use a separate folder for each snapshot)"});
  CHECK(errors({{"prod/manifest.json", ended(R"(, "calls": 3)")}}).size() == 1);
}

}  // namespace live_gaps_test
