#include "lint/damage.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

/// Codes of all findings, in file order.
std::vector<std::string> codes(std::string text, std::string name) {
  lint::Options options;
  const lint::Tools tools;
  std::vector<std::string> result;
  for (const auto& finding : lint::lint_document(std::move(text), std::move(name), options, tools).findings)
    result.emplace_back(finding.code);
  return result;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("a quote that is never closed is the only fault told") {
  CHECK(codes("family: web\ncontainerDefinitions:\n  - name: \"app\n    image: nginx:1\n    memory: 100\n", "a.yaml") ==
        Codes{"BAY006"});
  CHECK(codes(R"({"family": "web", "containerDefinitions": [{"name": "a, "image": "nginx:1", "memory": 100}]})",
              "a.json") == Codes{"BAY001", "BAY001"});
}

TEST_CASE("a member that stands behind the fault is not called missing") {
  CHECK(codes("family: web\ncontainerDefinitions:\n  - name: a\n   image: nginx:1\n    memory: 100\n", "a.yaml") ==
        Codes{"BAY006"});
}

TEST_CASE("a value with a stray byte or line end inside is not judged as well") {
  CHECK(codes("{\"family\": \"web\", \"containerDefinitions\": [{\"name\": \"a\", \"image\": \"ngi\nnx:1\", "
              "\"memory\": 9}]}",
              "a.json") == Codes{"BAY001"});
  CHECK(codes("{\"family\": \"w\xe9"
              "b\", \"containerDefinitions\": [{\"name\": \"a\", \"image\": \"n:1\", \"memory\": 9}]}",
              "a.json") == Codes{"BAY005"});
}

TEST_CASE("members left out with dots are not called missing, those of whole containers are") {
  CHECK(codes(R"({"family": "web", "containerDefinitions": [{"name": "a", ..., "memory": 100}]})", "a.json") ==
        Codes{"BAY001"});
  CHECK(codes(R"({"family": "web", "containerDefinitions": [{"name": "a", "image": "n:1", "memory": 9, ...},
                                                            {"name": "b", "memory": 9}]})",
              "a.json") == Codes{"BAY001", "BAY203"});
}

TEST_CASE("quotes of the wrong kind do not hide what stands between them") {
  CHECK(
      codes("{\"family\": “my web”, \"containerDefinitions\": [{\"name\": \"a\", \"image\": \"n:1\", \"memory\": 9}]}",
            "a.json") == Codes{"BAY001", "BAY102"});
}

TEST_CASE("a file that breaks off before anything of a task definition is not judged as one") {
  CHECK(codes("launchType: FARGATE\n  desiredCount: 1\n", "service-definition.yaml") == Codes{"BAY006"});
}

TEST_CASE("a value that holds the fault itself is not called of a wrong type") {
  CHECK(
      codes(R"({"family": "web", "containerDefinitions": [{"name": "a", "image": {"Fn": "Sub": "n:1"}, "memory": 9}]})",
            "a.json") == Codes{"BAY001"});
}

TEST_CASE("members in a value of a wrong type are not called missing beside it") {
  CHECK(codes("family: web\ncontainerDefinitions:\n  - name:\n      ref: a\n      image: nginx:1\n      memory: 100\n",
              "a.yaml") == Codes{"BAY016"});
  CHECK(codes("family: web\ncontainerDefinitions:\n  - name:\n      ref: a\n    memory: 100\n", "a.yaml") ==
        Codes{"BAY203", "BAY016"});
}

TEST_CASE("fifty commas are one finding that fixes all of them") {
  const lint::Tools tools;
  const auto report = lint::lint_document(
      R"({"family": "web", "containerDefinitions": [{"name": "a", "image": "n:1", "memory": 9,},],})", "a.json", {},
      tools);
  REQUIRE(report.findings.size() == 1);
  const auto& finding = report.findings.front();
  CHECK(finding.message == "trailing comma before '}' (and 2 more)");
  CHECK(finding.related.size() == 2);
  REQUIRE(finding.fix);
  CHECK(finding.fix->edits.size() == 3);
}

TEST_CASE("the mark at the beginning of Terraform code is none of its faults") {
  CHECK(codes("\xef\xbb\xbfresource \"aws_ecs_cluster\" \"main\" {\n  name = \"main\"\n}\n", "main.tf").empty());
  CHECK(codes("\xef\xbb\xbf{\"family\": \"web\", \"containerDefinitions\": [{\"name\": \"a\", \"image\": \"n:1\", "
              "\"memory\": 9}]}",
              "a.json") == Codes{"BAY005"});
}

TEST_CASE("what is written once for all instances of a resource is told once") {
  const std::string before = "resource \"aws_ecs_task_definition\" \"web\" {\n  for_each = toset([\"a\", \"b\"])\n";
  const std::string after =
      "  family = each.key\n  container_definitions = jsonencode([{name = \"app\", image = \"n:1\", memory = 64, "
      "environment = [{name = \"DB_PASSWORD\", value = \"correct-horse\"}]}])\n}\n";
  CHECK(codes(before + after, "main.tf") == Codes{"BAY904"});
  CHECK(codes(before + after + "resource \"aws_ecs_task_definition\" \"job\" {\n" + after, "main.tf").size() == 2);
}

TEST_CASE("answers that were saved as such are no mistakes") {
  const auto worst = [](std::string name, const std::string& before) {
    const lint::Tools tools;
    const std::string answer =
        R"({"taskDefinition": {"family": "web", "revision": 2, "status": "ACTIVE", "networkMode": null,
                                "containerDefinitions": [{"name": "a", "image": "n:1", "memory": 9}]}})";
    const auto findings = lint::lint_document(before + answer, std::move(name), {}, tools).findings;
    auto severity = Severity::kStyle;
    for (const auto& one : findings) {
      if (one.code != "BAY003") severity = std::max(severity, one.severity);
    }
    return severity;
  };
  CHECK(worst("web.json", "") == Severity::kWarning);
  CHECK(worst("td-registered.json", "") == Severity::kInfo);
  CHECK(worst("backup/web.json", "") == Severity::kInfo);
  CHECK(worst("backup/prod/web.json", "") == Severity::kWarning);
  CHECK(worst("currentDefinition.json", "") == Severity::kInfo);
  CHECK(worst("concurrent/throughput.json", "") == Severity::kWarning);
  CHECK(worst("web.json", "# aws ecs register-task-definition --cli-input-json file://web-1.json\n") ==
        Severity::kInfo);
}

TEST_CASE("what an object lacks may follow a brace that closes it too early") {
  CHECK(
      codes("{\"family\": \"web\", \"containerDefinitions\": [{\"memory\": 9},\n\"image\": \"n:1\", \"name\": \"a\"}], "
            "\"cpu\": \"256\"}",
            "a.json") == Codes{"BAY001"});
  // An object further up is complete.
  CHECK(codes("{\"family\": \"web\", \"containerDefinitions\": [{\"name\": \"b\", \"memory\": 9}, {\"memory\": 9},\n"
              "\"image\": \"n:1\", \"name\": \"a\"}]}",
              "a.json") == Codes{"BAY203", "BAY001"});
}
