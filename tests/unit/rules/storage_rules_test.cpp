// What the golden cases of the storage, security and practice rules cannot show: bare lists, text cut short, and rules
// that are off until they are asked for.
#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

const std::string kMounted =
    R"({"name": "app", "image": "nginx:1.27", "memory": 256, "mountPoints": [{"sourceVolume": "data", "containerPath": "/data"}]})";

std::vector<std::string> codes_in(const std::string& text, const lint::Selection& selection = {}) {
  const lint::Tools tools;
  lint::Options options;
  options.selection = selection;
  std::vector<std::string> codes;
  for (const auto& finding : lint::lint_document(text, "task.json", options, tools).findings) {
    codes.emplace_back(finding.code);
  }
  return codes;
}

using Codes = std::vector<std::string>;

std::string task(const std::string& members, const std::string& container = kMounted) {
  return R"({"family": "web", "requiresCompatibilities": ["EC2"], )" + members + R"("containerDefinitions": [)" +
         container + "]}";
}

}  // namespace

TEST_CASE("storage rules - volumes that the file does not show are not missed") {
  CHECK(codes_in("[" + kMounted + "]") == Codes{"BAY009"});
  CHECK(codes_in(task("", kMounted)) == Codes{"BAY501"});
  const std::string cut = task("", kMounted);
  const auto broken = codes_in(cut.substr(0, cut.size() - 2));
  CHECK(std::count(broken.begin(), broken.end(), "BAY501") == 0);
}

TEST_CASE("storage rules - a misspelling is told once") {
  CHECK(codes_in(task(R"("Volumes": [{"name": "data"}], )")) == Codes{"BAY013"});
  CHECK(codes_in(task("", R"({"name": "app", "image": "nginx:1.27", "memory": 256, "volumes": [{"name": "data"}],
    "mountPoints": [{"sourceVolume": "data", "containerPath": "/data"}]})")) == Codes{"BAY014"});
  CHECK(codes_in(task(R"("volumes": [{"Name": "data"}], )")) == Codes{"BAY013"});
  CHECK(codes_in(task(R"("volumes": [{"name": "data"}], )",
                      R"({"name": "app", "image": "nginx:1.27", "memory": 256,
    "mountPoints": [{"sourceVolume": "data", "container_path": "/data"}]})")) == Codes{"BAY013"});
  CHECK(codes_in(task(R"("volumes": [{"name": "data", "configuredAtLaunch": true}], )",
                      R"({"name": "app", "image": "nginx:1.27", "memory": 256,
    "mount_points": [{"sourceVolume": "data", "containerPath": "/data"}]})")) == Codes{"BAY013"});
  CHECK(codes_in(task(R"("volumes": [{"name": "data", "efsVolumeConfiguration": {"fileSystemId": "fs-01234567",
    "transit_encryption": "ENABLED", "authorizationConfig": {"accessPointId": "fsap-01234567"}}}], )")) ==
        Codes{"BAY013"});
  CHECK(codes_in(task(R"("task_role_arn": "arn:aws:iam::123456789012:role/web", "volumes": [{"name": "data",
    "efsVolumeConfiguration": {"fileSystemId": "fs-01234567", "transitEncryption": "ENABLED",
    "authorizationConfig": {"iam": "ENABLED"}}}], )")) == Codes{"BAY013"});
}

TEST_CASE("storage rules - a mount that leads nowhere is the fault, not the volume that nobody mounts") {
  CHECK(codes_in(task(R"("volumes": [{"name": "date", "configuredAtLaunch": true}], )")) == Codes{"BAY501"});
}

TEST_CASE("security and practice - silent unless they are asked for") {
  const std::string text = task(R"("pidMode": "host", "volumes": [{"name": "data", "host": {"sourcePath": "/"}}], )",
                                R"({"name": "app", "image": "nginx", "memory": 256, "privileged": true, "user": "root",
    "mountPoints": [{"sourceVolume": "data", "containerPath": "/data"}]})");
  CHECK(codes_in(text).empty());
  CHECK(codes_in(text, {.extend_select = {"security"}}) == Codes{"BAY905", "BAY524", "BAY903", "BAY901", "BAY902"});
  CHECK(codes_in(text, {.extend_select = {"practice"}}) == Codes{"BAY331", "BAY912", "BAY915", "BAY613", "BAY907"});
  CHECK(codes_in(text, {.select = {"privileged"}}) == Codes{"BAY901"});
  CHECK(codes_in(text, {.select = {"BAY90"}}) == Codes{"BAY905", "BAY903", "BAY907", "BAY901", "BAY902"});
}

TEST_CASE("security and practice - a rule that is off silences no other") {
  const std::string text =
      task("", R"({"name": "app", "image": "nginx:latest", "memory": 256, "versionConsistency": "disabled"})");
  CHECK(codes_in(text, {.select = {"BAY908"}}) == Codes{"BAY908"});
  CHECK(codes_in(text, {.select = {"BAY907", "BAY908"}}) == Codes{"BAY907"});
}

TEST_CASE("storage rules - lists that cannot be read are not judged") {
  CHECK(codes_in(task(R"("volumes": {"name": "data"}, )")) == Codes{"BAY021"});
  CHECK(codes_in(task(R"("volumes": [{"name": "data", "configuredAtLaunch": true}], )",
                      R"({"name": "app", "image": "nginx:1.27", "memory": 256,
    "mountPoints": {"sourceVolume": "data", "containerPath": "/data"}})")) == Codes{"BAY021"});
  CHECK(codes_in(R"({"family": "web", "requiresCompatibilities": ["EC2"],
    "volumes": [{"name": "data", "configuredAtLaunch": true}], "containerDefinitions": []})") == Codes{"BAY103"});
}

TEST_CASE("security and practice - what a launch type refuses is told by its own rule alone") {
  const lint::Selection both{.extend_select = {"security", "practice"},
                             .ignore = {"BAY130", "BAY903", "BAY613", "BAY331"}};
  const std::string container =
      R"({"name": "app", "image": "nginx:1.27", "privileged": true, "cpu": 256, "memory": 512,
    "mountPoints": [{"sourceVolume": "data", "containerPath": "/data"}]})";
  const auto on = [&](const std::string& type, const std::string& members) {
    return codes_in(R"({"family": "web", "requiresCompatibilities": [")" + type +
                        R"("], "networkMode": "awsvpc", "cpu": "256", "memory": "512", )" + members +
                        R"("containerDefinitions": [)" + container + "]}",
                    both);
  };
  const std::string volumes = R"("volumes": [{"name": "data", "host": {"sourcePath": "/etc"}}], )";
  CHECK(on("FARGATE", volumes) == Codes{"BAY520", "BAY802"});
  const auto managed = on("MANAGED_INSTANCES", volumes + R"("ipcMode": "host", )");
  CHECK(std::count(managed.begin(), managed.end(), "BAY520") == 0);
  CHECK(std::count(managed.begin(), managed.end(), "BAY524") == 1);
  CHECK(std::count(managed.begin(), managed.end(), "BAY906") == 0);
}

TEST_CASE("security and practice - a bare list does not show what the task says") {
  const std::string list = R"([{"name": "app", "image": "nginx:1.27", "memory": 256}])";
  CHECK(codes_in(list, {.select = {"BAY912", "BAY915", "BAY903"}}) == Codes{"BAY903"});
}

TEST_CASE("storage, security and practice - what is filled in later counts as skipped") {
  const lint::Tools tools;
  lint::Options options;
  options.selection.select = {"BAY508", "BAY904", "BAY907"};
  const std::string text = task(R"("volumes": [{"name": "a", "efsVolumeConfiguration": {"fileSystemId": "fs-xxxxxxxx"}},
    {"name": "b", "efsVolumeConfiguration": {"fileSystemId": "fs-01234567"}}], )",
                                R"({"name": "app", "image": "CONTAINER_IMAGE", "memory": 256, "environment": [
    {"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}, {"name": "LOG_LEVEL", "value": "${LOG_LEVEL}"},
    {"name": "API_TOKEN", "value": "true"}]}, {"name": "b", "image": "nginx:1.27", "memory": 64})");
  const auto report = lint::lint_document(text, "task.json", options, tools);
  std::vector<std::string> skipped;
  for (const auto& skip : report.skipped) skipped.push_back(std::string(skip.code) + " " + skip.pointer);
  CHECK(report.findings.empty());
  CHECK(skipped == Codes{"BAY508 /volumes/0/efsVolumeConfiguration/fileSystemId",
                         "BAY904 /containerDefinitions/0/environment/0/value", "BAY907 /containerDefinitions/0/image"});
}
