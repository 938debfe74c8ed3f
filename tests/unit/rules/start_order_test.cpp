// Which waits make a circle, and where other rules speak instead.
#include <algorithm>
#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

std::size_t count_in(const std::string& text, const std::string& code) {
  const lint::Tools tools;
  const auto findings = lint::lint_document(text, "task.json", {}, tools).findings;
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const auto& finding) { return finding.code == code; }));
}

std::string container(const std::string& name, const std::string& members) {
  return R"({"name": ")" + name + R"(", "image": "nginx:1.27", "memory": 64, )" + members + "}";
}

/// c0 waits for c1, c1 for c2 ... and the last for c0.
std::string ring(int size) {
  std::string list;
  for (int i = 0; i < size; ++i) {
    const std::string next = "c" + std::to_string((i + 1) % size);
    list += (i > 0 ? ", " : "") + container("c" + std::to_string(i), R"("dependsOn": [{"containerName": ")" + next +
                                                                         R"(", "condition": "START"}])");
  }
  return R"({"family": "web", "containerDefinitions": [)" + list + "]}";
}

}  // namespace

TEST_CASE("start order - a ring is told once whatever its size") {
  CHECK(count_in(ring(2), "BAY703") == 1);
  CHECK(count_in(ring(10), "BAY703") == 1);
  CHECK(count_in(ring(40), "BAY703") == 1);
}

TEST_CASE("start order - a crowd that ECS never takes is not searched") {
  CHECK(count_in(ring(41), "BAY703") == 0);
  CHECK(count_in(ring(41), "BAY104") == 1);
}

TEST_CASE("start order - links alone are left to the rule of links") {
  const std::string app = container("app", R"("links": ["db"])");
  CHECK(count_in(R"({"family": "web", "networkMode": "bridge", "containerDefinitions": [)" + app + ", " +
                     container("db", R"("links": ["app:web"])") + "]}",
                 "BAY703") == 0);
  CHECK(count_in(R"({"family": "web", "networkMode": "bridge", "containerDefinitions": [)" + app + ", " +
                     container("db", R"("volumesFrom": [{"sourceContainer": "app"}])") + "]}",
                 "BAY703") == 1);
}

TEST_CASE("start order - nobody waits for himself by a link") {
  CHECK(count_in(
            R"({"family": "web", "networkMode": "bridge", "containerDefinitions": [)" +
                container("app", R"("links": ["app"], "dependsOn": [{"containerName": "app", "condition": "START"}])") +
                "]}",
            "BAY703") == 0);
}

TEST_CASE("proxy - on Fargate the network mode is told by the rule of Fargate") {
  const std::string task =
      R"("networkMode": "bridge", "proxyConfiguration": {"type": "APPMESH", "containerName": "app"},
    "containerDefinitions": [)" +
      container("app", R"("user": "1337")") + "]}";
  CHECK(count_in(R"({"family": "web", "requiresCompatibilities": ["FARGATE"], )" + task, "BAY776") == 0);
  CHECK(count_in(R"({"family": "web", "requiresCompatibilities": ["EC2"], )" + task, "BAY776") == 1);
}
