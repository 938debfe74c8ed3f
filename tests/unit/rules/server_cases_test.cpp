// What the service and its clients were seen to refuse, and what ECS was seen to accept: each refusal must be reported
// under its rule, nothing accepted may be an error. Inputs in our own words.
#include <algorithm>
#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

const std::string kApp = R"({"name": "app", "image": "nginx:1.27", "memory": 256})";
const std::string kFargate = R"("requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", )";

std::string task(const std::string& members, const std::string& containers = kApp) {
  return R"({"family": "web", )" + members + (members.empty() ? "" : ", ") + R"("containerDefinitions": [)" +
         containers + "]}";
}

std::string fargate(const std::string& members,
                    const std::string& containers = R"({"name": "app", "image": "nginx:1.27"})") {
  return task(kFargate + members, containers);
}

std::string app(const std::string& members) {
  return R"({"name": "app", "image": "nginx:1.27", "memory": 256, )" + members + "}";
}

std::vector<lint::LintFinding> findings_in(const std::string& text) {
  const lint::Tools tools;
  return lint::lint_document(text, "task.json", {}, tools).findings;
}

std::string many_containers(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += (i > 0 ? ", " : "") + std::string(R"({"image": "nginx:1.27", "memory": 64, "name": "c)") +
            std::to_string(i) + R"("})";
  }
  return list;
}

}  // namespace

TEST_CASE("server cases - what was refused is reported as an error") {
  struct Case {
    std::string code;
    std::string text;
  };
  const std::vector<Case> cases{
      {"BAY103", R"({"family": "web", "containerDefinitions": []})"},
      {"BAY103", R"({"family": "web", "networkMode": "bridge"})"},
      {"BAY102", R"({"family": "見本", "containerDefinitions": [)" + kApp + "]}"},
      {"BAY105", task("", app(R"("essential": false)"))},
      {"BAY104", task("", many_containers(14))},
      {"BAY109", task(R"("cpu": "")")},
      {"BAY113", fargate(R"("cpu": "1024", "memory": "1024")")},
      {"BAY113", fargate(R"("cpu": "512", "memory": "512")")},
      {"BAY117", fargate(R"("memory": "512")")},
      {"BAY114", task(R"("cpu": "256")", app(R"("cpu": 300)"))},
      {"BAY115", task(R"("memory": "2048")", R"({"name": "big", "image": "nginx:1.27", "memory": 4096})")},
      {"BAY024", task(R"("tags": [])")},
      {"BAY201", task("", R"({"image": "nginx:1.27", "memory": 256})")},
      {"BAY202", task("", R"({"name": "ecs.capability.task-eni", "image": "nginx:1.27", "memory": 256})")},
      {"BAY204", task("", R"({"name": "app", "image": "nginx 1.27", "memory": 256})")},
      {"BAY207", task("", R"({"name": "app", "image": "nginx:1.27"})")},
      {"BAY209", task("", app(R"("memoryReservation": 512)"))},
      {"BAY408", fargate(R"("cpu": "4096", "memory": "8192")",
                         R"({"name": "app", "image": "nvidia/cuda:12.4.1-base-ubuntu22.04",
                             "resourceRequirements": [{"type": "GPU", "value": "1"}]})")},
      {"BAY017", task("", R"({"name": "app", "image": "nginx:1.27", "memory": "256"})")},
      {"BAY013", R"({"family": "web", "Volumes": [], "containerDefinitions": [)" + kApp + "]}"},
      {"BAY018", task("", app(R"("environment": [{"name": "PORT", "value": 6379}])"))},
      {"BAY021", task("", app(R"("environment": {"PORT": "6379"})"))},
      {"BAY016", task("", app(R"("environment": [{"name": "PORTS", "value": ["1"]}])"))},
  };
  for (const auto& one : cases) {
    INFO(one.code << " " << one.text);
    const auto findings = findings_in(one.text);
    CHECK(std::any_of(findings.begin(), findings.end(), [&](const lint::LintFinding& finding) {
      return finding.code == one.code && finding.severity == Severity::kError;
    }));
    CHECK(findings.size() == 1);
  }
}

TEST_CASE("server cases - what clients refuse and others strip is a warning") {
  const std::vector<std::string> texts{task(R"("revision": 3)"), task("", app(R"("logConfiguration": null)"))};
  for (const auto& text : texts) {
    INFO(text);
    const auto findings = findings_in(text);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::kWarning);
  }
}

TEST_CASE("server cases - what ECS accepted is no error") {
  std::string large = app(R"("environment": [{"name": "BIG", "value": ")" + std::string(40'000, 'x') + R"("}])");
  const std::vector<std::string> accepted{
      task("", app(R"("memoryReservation": 256)")),
      fargate(R"("cpu": "256", "memory": "512", "ephemeralStorage": {"sizeInGiB": 21})"),
      fargate(R"("cpu": "256", "memory": "512", "ephemeralStorage": {"sizeInGiB": 200})"),
      task(R"("memory": "512")", R"({"name": "app", "image": "nginx:1.27"})"),
      task(R"("placementConstraints": [{"type": "memberOf", "expression": "attribute:ecs.os-type == invalidOS"}])"),
      task("", large),
      task(R"("networkMode": "host")", app(R"("extraHosts": [{"hostname": "db", "ipAddress": "10.0.0.1"}])")),
      task(R"("networkMode": "bridge")"),
  };
  for (const auto& text : accepted) {
    INFO(text.substr(0, 200));
    for (const auto& finding : findings_in(text)) {
      INFO(finding.code << " " << finding.message);
      CHECK(finding.severity != Severity::kError);
    }
  }
}
