// What the rules of start-up, health and kernel settings say to write: the cases under tests/rules hold the messages.
#include <algorithm>
#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace kernel_rules_test {

namespace {

using namespace bayplan;

std::string task(const std::string& containers) {
  return R"({"family": "web", "requiresCompatibilities": ["EC2"], "containerDefinitions": [)" + containers + "]}";
}

std::string container(const std::string& members) {
  return R"({"name": "app", "image": "nginx:1.27", "memory": 256, )" + members + "}";
}

/// The help of the first finding of that rule; empty when there is none.
std::string make_help(const std::string& code, const std::string& text) {
  const lint::Tools tools;
  const auto report = lint::lint_document(text, "task.json", {}, tools);
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const lint::LintFinding& finding) { return finding.code == code; });
  return found == report.findings.end() ? std::string() : found->help;
}

std::string help_for_check(const std::string& command) {
  return make_help("BAY710", task(container(R"("healthCheck": {"command": [)" + command + "]}")));
}

std::string help_for_ulimit(const std::string& name) {
  return make_help("BAY730",
                   task(container(R"("ulimits": [{"name": ")" + name + R"(", "softLimit": 1, "hardLimit": 1}])")));
}

std::string help_for_dependency(const std::string& name) {
  return make_help("BAY701",
                   task(container(R"("dependsOn": [{"containerName": ")" + name + R"(", "condition": "START"}])") +
                        R"(, {"name": "db", "image": "postgres:16", "memory": 256})"));
}

}  // namespace

TEST_CASE("kernel rules - a health check is written for a program or for a shell") {
  CHECK(help_for_check(R"("/healthcheck")") == R"(use ["CMD", "/healthcheck"])");
  CHECK(help_for_check(R"("curl", "-f", "http://localhost/")") == R"(use ["CMD", "curl", "-f", "http://localhost/"])");
  CHECK(help_for_check(R"("curl localhost || exit 1")") == R"(use ["CMD-SHELL", "curl localhost || exit 1"])");
  CHECK(help_for_check(R"("CMD-SHELL", "curl localhost", "|| exit 1")") ==
        R"(use ["CMD-SHELL", "curl localhost || exit 1"])");
  CHECK(help_for_check(R"("cmd", "/healthcheck")") == R"(use "CMD")");
  CHECK(help_for_check(R"("CMD_SHELL", "pg_isready")") == R"(use "CMD-SHELL")");
  CHECK(help_for_check(R"("cmdshell", "pg_isready")") == R"(use "CMD-SHELL")");
}

TEST_CASE("kernel rules - a ulimit is known by the names of the kernel") {
  CHECK(help_for_ulimit("RLIMIT_MEMLOCK") == R"(use "memlock")");
  CHECK(help_for_ulimit("nofiles") == R"(use "nofile")");
  CHECK(help_for_ulimit("memory").starts_with("use one of core, cpu,"));
}

TEST_CASE("kernel rules - an unknown container is told by the names that there are") {
  CHECK(help_for_dependency("dbb") == R"(did you mean "db"?)");
  CHECK(help_for_dependency("migrations") == "this task has app and db");
}

TEST_CASE("kernel rules - a memory of 0 limits no shared memory") {
  const std::string shared = R"("image": "nginx:1.27", "linuxParameters": {"sharedMemorySize": 64}})";
  CHECK(make_help("BAY748", task(R"({"name": "app", "memory": 0, "memoryReservation": 128, )" + shared)).empty());
  CHECK_FALSE(make_help("BAY748", task(R"({"name": "app", "memory": 32, )" + shared)).empty());
}

}  // namespace kernel_rules_test
