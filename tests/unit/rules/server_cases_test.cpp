// What the service and its clients were seen to refuse, and what ECS was seen to accept: each refusal must be reported
// under its rule and as nothing else, nothing accepted may be an error. Inputs in our own words, server_cases.json.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "support/in_sources.hpp"
#include "support/lint_run.hpp"
#include "support/rule_cases.hpp"

namespace server_cases_test {

namespace {

using namespace bayplan;
using Json = nlohmann::ordered_json;

const std::string kApp = R"({"name": "app", "image": "nginx:1.27", "memory": 256})";
const std::string kFargate = R"("requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", )";

std::string task(const std::string& members, const std::string& containers = kApp) {
  return R"({"family": "web", )" + members + (members.empty() ? "" : ", ") + R"("containerDefinitions": [)" +
         containers + "]}";
}

std::string fargate(const std::string& members) {
  return task(kFargate + members, R"({"name": "app", "image": "nginx:1.27"})");
}

std::string app(const std::string& members) {
  return R"({"name": "app", "image": "nginx:1.27", "memory": 256, )" + members + "}";
}

std::vector<lint::LintFinding> findings_in(const std::string& text, const lint::Tools& tools) {
  return lint::lint_document(text, "task.json", {}, tools).findings;
}

/// Of a service, with its task definition in a file beside it.
std::vector<lint::LintFinding> findings_beside(const std::string& text, const std::string& definition,
                                               const lint::Tools& tools) {
  const std::vector<lint::Candidate> files{{"service.json", lint::Search::kNamed, text},
                                           {"task.json", lint::Search::kNamed, definition}};
  std::vector<lint::LintFinding> findings;
  for (const auto& report : checked_reports(files, {}, tools, DiskFiles())) {
    findings.insert(findings.end(), report.findings.begin(), report.findings.end());
  }
  return findings;
}

/// The input of a case as text; `padTo` bytes long when the case is about size.
std::string text_of(const Json& one) {
  Json input = one.at("input");
  std::string text = input.dump();
  if (one.contains("padTo")) {
    auto& value = input["containerDefinitions"][0]["environment"][0]["value"];
    value = std::string(one.at("padTo").get<std::size_t>() - text.size(), 'x');
    text = input.dump();
  }
  return text;
}

void check_case(const Json& one, const lint::Tools& tools) {
  const std::string code = one.at("code");
  const std::string severity = one.value("severity", "error");
  const std::string text = text_of(one);
  INFO(one.at("case") << " " << code << " " << text.substr(0, 600));
  const auto findings =
      one.contains("beside") ? findings_beside(text, one.at("beside").dump(), tools) : findings_in(text, tools);
  CHECK(findings.size() == one.value("findings", 1u));
  for (const auto& finding : findings) {
    INFO(finding.code << " " << finding.message);
    CHECK(finding.code == code);
    CHECK(name_of(finding.severity) == severity);
  }
}

}  // namespace

TEST_CASE("server cases - what was refused is reported under its rule and nothing else") {
  const lint::Tools tools;
  const auto cases = Json::parse(rule_cases::content_of(in_sources("tests/unit/rules/server_cases.json")));
  CHECK(cases.size() >= 67);
  for (const auto& one : cases) check_case(one, tools);
}

TEST_CASE("server cases - what ECS accepted is no error") {
  const lint::Tools tools;
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
      task(R"("ipcMode": "host")", app(R"("privileged": true)")),
  };
  for (const auto& text : accepted) {
    INFO(text.substr(0, 200));
    for (const auto& finding : findings_in(text, tools)) {
      INFO(finding.code << " " << finding.message);
      CHECK(finding.severity != Severity::kError);
    }
  }
}

}  // namespace server_cases_test
