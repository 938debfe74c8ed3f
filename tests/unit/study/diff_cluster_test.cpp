#include "study/diff/diff_cluster.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "study/diff/diff.hpp"

using namespace bayplan;

namespace {

std::string definition(int memory, int host_port = 0, const std::string& task = "") {
  return R"({"family": "web", )" + task + R"("containerDefinitions": [{"name": "app", "image": "nginx:1.27",
    "cpu": 256, "memory": )" +
         std::to_string(memory) + R"(, "portMappings": [{"containerPort": 80, "hostPort": )" +
         std::to_string(host_port) + "}]}]}";
}

/// Two instances of 4000 MiB, and so many tasks of the service web.
std::string scenario_with(int tasks, const std::string& deployment = "") {
  return R"({"cluster": {"containerInstances": [{"instanceType": "rack", "count": 2,
      "registeredResources": {"CPU": 4096, "MEMORY": 4000}}]},
    "taskDefinitions": ["web.json"],
    "services": [{"serviceName": "site", "taskDefinition": "web", "desiredCount": )" +
         std::to_string(tasks) + deployment + "}]}";
}

study::DiffReport compared(MemoryFiles& files, const std::string& before, const std::string& after) {
  static const lint::Tools tools;
  const auto read = [&](const std::string& path) {
    auto side = study::read_side({path, {}}, {}, tools, files);
    REQUIRE(side.errors.empty());
    return std::move(side.side);
  };
  auto report = study::compare(read(before), read(after), {});
  auto catalog = catalog::Catalog::load();
  scenario::ScenarioRequest cluster;
  cluster.cluster = "scenario.json";
  const auto answers = study::look_at_cluster(report, cluster, files, catalog, {});
  for (const auto& error : answers.errors) FAIL_CHECK(error.file << ": " << error.message);
  REQUIRE(answers.mistakes.empty());
  study::CapacityRequest request;
  request.types = {catalog.find("m5.large")};
  study::look_at_types(report, request);
  return report;
}

using study::Obstacle;

}  // namespace

TEST_CASE("diff cluster - how many more copies fit beside what is placed first") {
  MemoryFiles files;
  files.content = {{"web.json", definition(1000)}, {"new.json", definition(2000)}, {"scenario.json", scenario_with(2)}};
  const auto effect = compared(files, "web.json", "new.json").definitions[0].cluster.value();
  CHECK(effect.before->copies == 6);  // 8 of 1000 MiB, less the two of the service
  CHECK(effect.after->copies == 2);   // one beside each of them
  CHECK(effect.after->why.has_value());
}

TEST_CASE("diff cluster - the rolling deployment to a service of the family is simulated") {
  MemoryFiles files;
  files.content = {{"web.json", definition(1000)},
                   {"fits.json", definition(2000)},
                   {"large.json", definition(3500)},
                   {"scenario.json", scenario_with(2)}};
  const auto good = compared(files, "web.json", "fits.json");
  REQUIRE(good.definitions[0].cluster->rollouts.size() == 1);
  CHECK(good.definitions[0].cluster->rollouts[0].service == "site");
  CHECK(good.definitions[0].cluster->rollouts[0].finishes());
  CHECK(good.can_deploy());

  const auto stuck = compared(files, "web.json", "large.json");
  CHECK_FALSE(stuck.definitions[0].cluster->rollouts[0].finishes());
  CHECK(stuck.definitions[0].cluster->rollouts[0].could_before);
  CHECK(stuck.definitions[0].obstacles == std::vector{Obstacle::kNoRollout});
}

TEST_CASE("diff cluster - what the service may stop makes room") {
  MemoryFiles files;
  files.content = {{"web.json", definition(1000)},
                   {"large.json", definition(3500)},
                   {"scenario.json", scenario_with(2, R"(, "deploymentConfiguration": {"minimumHealthyPercent": 0})")}};
  CHECK(compared(files, "web.json", "large.json").can_deploy());
}

TEST_CASE("diff cluster - a service that could not be deployed before is not held against the change") {
  MemoryFiles files;
  files.content = {
      {"web.json", definition(1000, 8080)}, {"new.json", definition(1100, 8080)}, {"scenario.json", scenario_with(2)}};
  const auto report = compared(files, "web.json", "new.json");
  CHECK_FALSE(report.definitions[0].cluster->rollouts[0].finishes());
  CHECK_FALSE(report.definitions[0].cluster->rollouts[0].could_before);
  CHECK(report.can_deploy());
}

TEST_CASE("diff cluster - without a service of the family a place for one copy must be left") {
  MemoryFiles files;
  files.content = {{"web.json", definition(1000)},
                   {"new.json", definition(5000)},
                   {"scenario.json",
                    R"({"cluster": {"containerInstances": [{"instanceType": "rack", "registeredResources":
                       {"CPU": 4096, "MEMORY": 4000}}]}})"}};
  CHECK(compared(files, "web.json", "new.json").definitions[0].obstacles == std::vector{Obstacle::kNoPlace});
  CHECK(compared(files, "new.json", "web.json").can_deploy());
}

TEST_CASE("diff cluster - what cannot be placed is not looked for, and why is told") {
  MemoryFiles files;
  const std::string fargate =
      R"("requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512", )";
  std::string open = definition(1000);
  open.replace(open.find("1000"), 4, "\"${MEMORY}\"");
  files.content = {{"web.json", definition(1000)},
                   {"open.json", open},
                   {"fargate.json", definition(512, 0, fargate)},
                   {"scenario.json", scenario_with(1)}};
  const auto not_tried = [&](const std::string& after) {
    return compared(files, "web.json", after).definitions[0].cluster->not_tried;
  };
  CHECK(not_tried("open.json") == "containerDefinitions[app].memory is a placeholder");
  CHECK(not_tried("fargate.json") == "it is for Fargate alone");
}
