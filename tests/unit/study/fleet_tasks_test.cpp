#include "study/fleet/fleet_tasks.hpp"
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "placement/engine/engine.hpp"
#include "scenario/describe.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::study {
namespace {

using namespace placement;
using namespace scenario;
using describe::Instance;
using describe::Task;

std::string described_service(const std::string& name, const std::string& definition, const std::string& more) {
  return R"({"serviceArn": ")" + describe::arn("service", "prod/" + name) + R"(", "serviceName": ")" + name +
         R"(", "taskDefinition": ")" + describe::arn("task-definition", definition) + "\"" + more + "}";
}

/// Two instances: a task of web and two standalone ones of train, one of a definition that nobody describes, a
/// daemon's.
Scenario live(const std::string& more = {}) {
  const std::vector<Task> tasks{{.id = "t1"},
                                {.id = "t2", .definition = "train:1", .group = "family:train"},
                                {.id = "t3", .instance = "b", .definition = "train:1", .group = "family:train"},
                                {.id = "t4", .instance = "b", .definition = "old:9", .group = "family:old"},
                                {.id = "t5", .instance = "b", .definition = "log:1", .group = "service:log"}};
  const std::string services = described_service("web", "web:1", R"(, "desiredCount": 5, "runningCount": 1)") + "," +
                               described_service("log", "log:1", R"(, "schedulingStrategy": "DAEMON")");
  const MemoryFiles files(
      {{"prod/instances.json", describe::page("containerInstances", std::vector<Instance>{{.id = "a"}, {.id = "b"}})},
       {"prod/tasks.json", describe::page("tasks", tasks)},
       {"prod/services.json", "{\"services\": [" + services + "]}"},
       {"prod/web.json", describe::definition("web", R"("memory": 1000)")},
       {"prod/train.json", describe::definition("train", R"("memory": 2000)")},
       {"prod/log.json", describe::definition("log", R"("memory": 100)")},
       {"s.yaml", "cluster: prod\n" + more}});
  static catalog::Catalog catalog = catalog::Catalog::load();
  auto loaded = load_scenario({.scenario = "s.yaml", .takes_services = true, .allow_partial = true}, files, catalog);
  for (const auto& error : loaded.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded.scenario);
  return std::move(*loaded.scenario);
}

std::map<std::string, std::int64_t> counts_of(const Scenario& scenario) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind != WorkloadKind::kDaemon) counts[workload.group] += *workload.count;
  }
  return counts;
}

using Counts = std::map<std::string, std::int64_t>;

TEST_CASE("what runs on a live cluster is planned with what it still wants") {
  const auto planned = tasks_to_plan(live());
  CHECK(counts_of(planned) == Counts{{"service:web", 5}, {"family:train", 2}, {"family:old", 0}});
  CHECK(planned.workloads.front().kind == WorkloadKind::kDaemon);
  CHECK(planned.running.empty());
  CHECK(planned.in_use.empty());
  CHECK(planned.instances.size() == 2);
  REQUIRE_FALSE(planned.assumptions.empty());
  CHECK(planned.assumptions.back().id == "definition-not-described");
  CHECK(planned.assumptions.back().text == "1 running task of it is not planned: its task definition is not described");
  CHECK(place(planned).placements.size() == 2 + 5 + 2);
}

TEST_CASE("a service that the scenario writes is planned as written") {
  const auto planned =
      tasks_to_plan(live("services:\n  - {serviceName: web, taskDefinition: web, desiredCount: 3}\n"
                         "tasks:\n  - {taskDefinition: train, count: 4}\n"));
  CHECK(counts_of(planned) == Counts{{"service:web", 3}, {"family:train", 6}, {"family:old", 0}});
}

}  // namespace
}  // namespace bayplan::study
