// What the cases of tests/rules cannot show: beside another finding, under an option, or as an edit.
#include <algorithm>
#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

const std::string kApp = R"("containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}])";

std::vector<lint::LintFinding> list_findings(const std::string& text, const std::string& code,
                                             lint::Options options = {}) {
  const lint::Tools tools;
  options.selection.extend_select = {code};
  auto findings = lint::lint_document(text, "task.json", options, tools).findings;
  std::erase_if(findings, [&](const lint::LintFinding& finding) { return finding.code != code; });
  return findings;
}

std::string edited(std::string text, const Fix& fix) {
  for (auto edit = fix.edits.rbegin(); edit != fix.edits.rend(); ++edit) {
    text.replace(edit->span.begin, edit->span.length(), edit->text);
  }
  return text;
}

}  // namespace

TEST_CASE("task rules - constraints of a Fargate definition are not looked into") {
  const std::string constraint = R"({"type": "memberOf", "expression": "attribute:ecs.os-type = windowz"})";
  std::string many;
  for (int i = 0; i < 11; ++i) many += (i > 0 ? ", " : "") + constraint;
  for (const std::string code : {"BAY126", "BAY127"}) {
    INFO(code);
    const std::string members = R"("placementConstraints": [)" + many + "], " + kApp + "}";
    CHECK(list_findings(R"({"family": "web", "requiresCompatibilities": ["FARGATE"], )" + members, code).empty());
    CHECK_FALSE(list_findings(R"({"family": "web", "requiresCompatibilities": ["EC2"], )" + members, code).empty());
  }
  const std::string windowz =
      R"("placementConstraints": [{"type": "memberOf", "expression": "attribute:ecs.os-type == windowz"}], )" + kApp +
      "}";
  CHECK(list_findings(R"({"family": "web", "requiresCompatibilities": ["FARGATE"], )" + windowz, "BAY128").empty());
  CHECK(list_findings(R"({"family": "web", "requiresCompatibilities": ["EXTERNAL"], )" + windowz, "BAY128").size() ==
        1);
}

TEST_CASE("task rules - demands on one attribute are held against all earlier ones, and cost no more for being many") {
  const auto found = [](const std::string& expression) {
    return list_findings(R"({"family": "web", "placementConstraints": [{"type": "memberOf", "expression": ")" +
                             expression + "\"}], " + kApp + "}",
                         "BAY128");
  };
  const auto rival = [&](const std::string& expression) {
    const auto findings = found(expression);
    REQUIRE(findings.size() == 1);
    REQUIRE(findings.front().related.size() == 1);
    const Span at = findings.front().related.front().span;
    const std::size_t before = std::string(R"({"family": "web", "placementConstraints": [)").size() +
                               std::string(R"({"type": "memberOf", "expression": ")").size();
    return expression.substr(at.begin - before, at.length());
  };
  CHECK(found("attribute:a == x and attribute:a == x and attribute:b == y").empty());
  CHECK(found("attribute:a in [x, y] and attribute:a in [y, z] and attribute:a in [y, x]").empty());
  CHECK(rival("attribute:a == x and attribute:a in [x, y] and attribute:a == y") == "attribute:a == x");
  CHECK(rival("attribute:a in [x, y] and attribute:a in [y, z] and attribute:a == x") == "attribute:a in [y, z]");
  CHECK(rival("attribute:a in [x, y] and attribute:a in [x, y] and attribute:a in [x, y, z] and attribute:a == z") ==
        "attribute:a in [x, y]");
  std::string many = "attribute:a == x";
  for (int i = 0; i < 40'000; ++i) many += " and attribute:a in [x, y" + std::to_string(i) + "]";
  CHECK(found(many).empty());  // would take minutes if each were held against each
  CHECK(rival(many + " and attribute:a == z") == "attribute:a == x");
}

TEST_CASE("task rules - a constraint is held against all types and families that it names, unless they are thousands") {
  const auto found = [](int families) {
    std::string expression = "attribute:ecs.instance-type =~ m5.* and attribute:ecs.cpu-architecture == arm64";
    expression += " and attribute:ecs.os-family in [WINDOWS_SERVER_0";
    for (int i = 1; i < families; ++i) expression += ", WINDOWS_SERVER_" + std::to_string(i);
    return list_findings(R"({"family": "web", "placementConstraints": [{"type": "memberOf", "expression": ")" +
                             expression + "]\"}], " + kApp + "}",
                         "BAY128");
  };
  CHECK(found(1).size() == 1);
  CHECK(found(80).size() == 1);
  CHECK(found(20'000).empty());  // would take half an hour
}

TEST_CASE("task rules - ephemeral storage that ECS described or that the launch type allows is no fault") {
  const std::string inner =
      R"({"family": "web", "requiresCompatibilities": ["EC2"], "ephemeralStorage": {"sizeInGiB": 50}, )" + kApp + "}";
  CHECK(list_findings(inner, "BAY134").size() == 1);
  CHECK(list_findings(R"({"taskDefinition": )" + inner + "}", "BAY134").empty());

  const std::string silent = R"({"family": "web", "ephemeralStorage": {"sizeInGiB": 50}, )" + kApp + "}";
  lint::Options fargate;
  fargate.rules.launch_type = model::Compatibility::kFargate;
  CHECK(list_findings(silent, "BAY134").size() == 1);
  CHECK(list_findings(silent, "BAY134", fargate).empty());
}

TEST_CASE("task rules - what a container list leaves out is not missed") {
  lint::Options fargate;
  fargate.rules.launch_type = model::Compatibility::kFargate;
  const std::string list = R"([{"name": "app", "image": "nginx:1.27", "memory": 256}])";
  CHECK(list_findings(list, "BAY130", fargate).empty());
  const std::string two = R"([{"name": "app", "image": "nginx:1.27", "memory": 256, "environmentFiles":
      [{"type": "s3", "value": "arn:aws:s3:::cfg/app.env"}]}, {"name": "b", "image": "nginx:1.27", "memory": 256}])";
  CHECK(list_findings(two, "BAY212").empty());
  CHECK(list_findings(two, "BAY221").empty());
  CHECK(list_findings(R"({"family": "web", )" + kApp + "}", "BAY130", fargate).size() == 1);
}

TEST_CASE("task rules - a misspelt key is told once") {
  const std::string fargate = R"({"family": "web", "requiresCompatibilities": ["FARGATE"], )";
  CHECK(list_findings(fargate + R"("runtime_platform": {}, )" + kApp + "}", "BAY130").empty());
  const auto with_member = [](const std::string& member) {
    return R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256, )" +
           member + "}]}";
  };
  CHECK(list_findings(with_member(R"("environment": [{"key": "A", "value": "1"}])"), "BAY214").empty());
  CHECK(list_findings(with_member(R"("environment": [{"Name": "A", "value": "1"}])"), "BAY214").empty());
  CHECK(list_findings(R"({"family": "web", "tags": [{"Key": "A", "value": "1"}], )" + kApp + "}", "BAY122").empty());
  const std::string constraints = R"("placementConstraints": [{"type": "memberOf", "Expression": "a"}], )";
  CHECK(list_findings(R"({"family": "web", )" + constraints + kApp + "}", "BAY127").empty());
  const std::string files = R"("environmentFiles": [{"type": "s3", "value": "arn:aws:s3:::cfg/app.env"}])";
  const std::string role = R"({"family": "web", "executionRole": "app", "containerDefinitions": [{"name": "app", )";
  CHECK(list_findings(role + files + "}]}", "BAY221").empty());
}

TEST_CASE("task rules - one missing execution role is told once") {
  const std::string files = R"("environmentFiles": [{"type": "s3", "value": "arn:aws:s3:::cfg/app.env"}])";
  const std::string credentials = R"("repositoryCredentials": {"credentialsParameter": "hub"})";
  const auto with = [](const std::string& members) {
    return R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256, )" +
           members + "}]}";
  };
  CHECK(list_findings(with(files), "BAY221").size() == 1);
  CHECK(list_findings(with(credentials), "BAY226").size() == 1);
  CHECK(list_findings(with(files + ", " + credentials), "BAY221").size() == 1);
  CHECK(list_findings(with(files + ", " + credentials), "BAY226").empty());
  const std::string secrets = R"(, "secrets": [{"name": "A", "valueFrom": "/a"}])";
  CHECK(list_findings(with(files + secrets), "BAY640").size() == 1);
  CHECK(list_findings(with(files + secrets), "BAY221").empty());
  CHECK(list_findings(with(credentials + secrets), "BAY226").empty());
}

TEST_CASE("task rules - a pinned type of another processor is told once") {
  const std::string text = R"({"family": "web", "runtimePlatform": {"cpuArchitecture": "X86_64"},
      "placementConstraints": [{"type": "memberOf", "expression": "attribute:ecs.instance-type == m6g.large"}], )" +
                           kApp + "}";
  CHECK(list_findings(text, "BAY464").size() == 1);
  CHECK(list_findings(text, "BAY128").empty());
}

TEST_CASE("task rules - a type that is not in the data is told by one rule") {
  const std::string text = R"({"family": "web", "placementConstraints": [{"type": "memberOf",
      "expression": "attribute:ecs.instance-type == z99.large"}], "containerDefinitions": [{"name": "app",
      "image": "nginx:1.27", "memory": 8192, "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";
  CHECK(list_findings(text, "BAY128").size() == 1);
  CHECK(list_findings(text, "BAY456").empty());
}

TEST_CASE("task rules - a null name and a user of Windows are told by other rules") {
  const auto with = [](const std::string& root, const std::string& member) {
    return R"({"family": "web", )" + root + R"("containerDefinitions": [{"name": "app", "image": "nginx:1.27",
        "memory": 256, "cpu": 256, )" +
           member + "}]}";
  };
  CHECK(list_findings(with("", R"("environment": [{"name": null, "value": "1"}])"), "BAY214").empty());
  const std::string windows = R"("runtimePlatform": {"operatingSystemFamily": "WINDOWS_SERVER_2022_CORE"}, )";
  CHECK(list_findings(with("", R"("user": "my user")"), "BAY224").size() == 1);
  CHECK(list_findings(with(windows, R"("user": "my user")"), "BAY224").empty());
}

TEST_CASE("task rules - the type of a constraint is told by one rule") {
  const std::string slip = R"({"family": "web", "placementConstraints": [{"type": "memberof", "expression": "a"}], )";
  CHECK(list_findings(slip + kApp + "}", "BAY125").empty());
  CHECK(list_findings(slip + kApp + "}", "BAY022").size() == 1);
  const std::string distinct = R"({"family": "web", "placementConstraints": [{"type": "distinctInstance"}], )";
  CHECK(list_findings(distinct + kApp + "}", "BAY022").empty());
}

TEST_CASE("task rules - stray characters around a role are taken away by a safe fix") {
  const std::string role = "arn:aws:iam::123456789012:role/app";
  const std::string text = R"({"family": "web", "taskRoleArn": " )" + role + R"(**", )" + kApp + "}";
  const auto findings = list_findings(text, "BAY120");
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].fix);
  CHECK(findings[0].fix->safe);
  CHECK(edited(text, *findings[0].fix) == R"({"family": "web", "taskRoleArn": ")" + role + R"(", )" + kApp + "}");
}

TEST_CASE("task rules - an s3 address becomes an ARN, but its partition is a guess") {
  const std::string before = R"({"family": "web", "executionRoleArn": "app", "containerDefinitions": [{"name": "app",
      "image": "nginx:1.27", "memory": 256, "environmentFiles": [{"type": "s3", "value": ")";
  const auto findings = list_findings(before + "s3://cfg/app.env\"}]}]}", "BAY219");
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].fix);
  CHECK_FALSE(findings[0].fix->safe);
  CHECK(edited(before + "s3://cfg/app.env\"}]}]}", *findings[0].fix) == before + "arn:aws:s3:::cfg/app.env\"}]}]}");
}
