#include "shape/check.hpp"
#include "catch.hpp"
#include "shape/request_schemas.hpp"
#include "text/read.hpp"

using namespace bayplan;
using shape::HintKind;
using shape::Problem;

namespace {

/// Each fault as "pointer: problem", unknown and missing keys behind it.
std::vector<std::string> faults_of(const shape::Schema& schema, std::string_view json) {
  const auto document = text::read_document(std::string(json));
  std::vector<std::string> lines;
  for (const auto& finding : shape::check(schema, document->root(), model::Placeholders())) {
    std::string line = finding.node.pointer() + ": " + std::string(shape::name_of(finding.problem));
    if (finding.problem == Problem::kMissing) line += " " + std::string(finding.key);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> faults_of(std::string_view json) {
  return faults_of(shape::task_definition_schema(), json);
}

/// Faults of one container that is otherwise complete.
std::vector<std::string> container_faults(std::string_view members) {
  auto lines = faults_of(R"({"family": "a", "containerDefinitions": [{"name": "a", "image": "b", )" +
                         std::string(members) + "}]}");
  for (auto& line : lines) line = line.substr(std::string_view("/containerDefinitions/0/").size());
  return lines;
}

shape::KeyHint hint_of(std::string_view json) {
  const auto schema = shape::task_definition_schema();
  const auto document = text::read_document(std::string(json));
  for (const auto& finding : shape::check(schema, document->root(), model::Placeholders())) {
    if (finding.problem == Problem::kUnknownKey) return finding.hint;
  }
  return {};
}

shape::KeyHint hint_in_container(std::string_view member) {
  return hint_of(R"({"family": "a", "containerDefinitions": [{"name": "a", "image": "b", )" + std::string(member) +
                 "}]}");
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a complete definition has no fault of shape") {
  CHECK(faults_of(R"({"family": "a", "cpu": "256", "containerDefinitions": [
    {"name": "a", "image": "b", "memory": 512, "essential": true, "portMappings": [{"containerPort": 80, "protocol": "tcp"}],
     "environment": [{"name": "A", "value": ""}], "dockerLabels": {"any": "thing"},
     "resourceRequirements": [{"type": "GPU", "sharingStrategy": {"nvidiaMps": {"memory": 8000}}}]}]})")
            .empty());
}

TEST_CASE("each problem of a value has its own kind") {
  CHECK(container_faults(R"("cpu": "256")") == Lines{"cpu: string for integer"});
  CHECK(container_faults(R"("cpu": "much")") == Lines{"cpu: wrong type"});
  CHECK(container_faults(R"("cpu": 0.5)") == Lines{"cpu: fraction for integer"});
  CHECK(container_faults(R"("cpu": 1e3)") == Lines{"cpu: fraction for integer"});
  CHECK(container_faults(R"("cpu": 3000000000)") == Lines{"cpu: out of range"});
  CHECK(container_faults(R"("cpu": null)") == Lines{"cpu: null"});
  CHECK(container_faults(R"("essential": "true")") == Lines{"essential: wrong type"});
  CHECK(container_faults(R"("user": 1000)") == Lines{"user: scalar for string"});
  CHECK(container_faults(R"("user": "")") == Lines{"user: empty"});
  CHECK(container_faults(R"("dockerLabels": {"a": true})") == Lines{"dockerLabels/a: scalar for string"});
  CHECK(container_faults(R"("environment": {"A": "1"})") == Lines{"environment: not a list"});
  CHECK(container_faults(R"("command": "a b")") == Lines{"command: not a list"});
  CHECK(container_faults(R"("dependsOn": ["a", "b"])") == Lines{"dependsOn/0: not a list"});
  CHECK(container_faults(R"("logConfiguration": [])") == Lines{"logConfiguration: wrong type"});
  CHECK(container_faults(R"("portMappings": [{"protocol": "TCP"}])") == Lines{"portMappings/0/protocol: not in enum"});
  CHECK(container_faults(R"("healthCheck": {})") == Lines{"healthCheck: missing command"});
}

TEST_CASE("bounds of text and lists") {
  CHECK(faults_of(R"({"family": "a", "containerDefinitions": []})") == Lines{"/containerDefinitions: too few items"});
  const std::string rest = R"("family": "a", "containerDefinitions": [{"name": "a", "image": "b"}]})";
  CHECK(faults_of(R"({"tags": [{"key": ""}], )" + rest) == Lines{"/tags/0/key: too short"});
  CHECK(faults_of(R"({"tags": [{"key": "a*b"}], )" + rest) == Lines{"/tags/0/key: pattern"});
  CHECK(faults_of(R"({"tags": [{"key": ")" + std::string(129, 'k') + R"("}], )" + rest) ==
        Lines{"/tags/0/key: too long"});
  std::string tags = "{}";
  for (int i = 0; i < 50; ++i) tags += ", {}";
  CHECK(faults_of(R"({"tags": [)" + tags + "], " + rest) == Lines{"/tags: too many items"});
  CHECK(faults_of(R"({"tags": [], )" + rest) == Lines{"/tags: empty"});
}

TEST_CASE("faults stand in text order and one fault is told once") {
  CHECK(faults_of(R"({"containerDefinitions": [{"image": 1, "Name": "a"}], "cpu": 256})") ==
        Lines{": missing family", "/containerDefinitions/0/image: scalar for string",
              "/containerDefinitions/0/Name: unknown key", "/cpu: scalar for string"});
}

TEST_CASE("values that are not known yet are not judged") {
  CHECK(container_faults(
            R"("cpu": "${CPU}", "portMappings": "{{ ports }}", "logConfiguration": {"logDriver": "<DRIVER>"})")
            .empty());
  CHECK(container_faults(R"("cpu": {"Ref": "Cpu"}, "environment": {"Fn::Split": [",", "a"]})").empty());
  CHECK(container_faults(R"("${KEY}": 1)").empty());
  CHECK(container_faults(R"("command": ["echo $HOME", 1])") == Lines{"command/1: scalar for string"});
}

TEST_CASE("an unknown key is traced to what was meant") {
  const auto spelled = hint_in_container(R"("memory_reservation": 1)");
  CHECK(spelled.kind == HintKind::kSpelling);
  CHECK(spelled.member == "memoryReservation");

  const auto alias = hint_in_container(R"("gpus": 1)");
  CHECK(alias.kind == HintKind::kAlias);
  CHECK(alias.member == "resourceRequirements");
  CHECK(alias.form == R"([{"type": "GPU", "value": "1"}])");
  CHECK(hint_of(R"({"name": "a"})").member == "family");

  const auto near = hint_in_container(R"("enviroment": [])");
  CHECK(near.kind == HintKind::kNear);
  CHECK(near.member == "environment");

  const auto outer = hint_in_container(R"("networkMode": "host")");
  CHECK(outer.kind == HintKind::kMisplaced);
  CHECK(outer.place == "the task definition");
  const auto inner = hint_of(R"({"volumes": [{"name": "v", "sourcePath": "/x"}]})");
  CHECK(inner.kind == HintKind::kMisplaced);
  CHECK(inner.place == "host");
  CHECK(hint_of(R"({"image": "a"})").place == "containerDefinitions[]");
  CHECK(hint_in_container(R"("logDriver": "awslogs")").place == "logConfiguration");
  CHECK(hint_in_container(R"("environment": [{"name": "A", "valueFrom": "b"}])").place == "secrets[]");
  CHECK(hint_of(R"({"volumes": [{"efsVolumeConfiguration": {"fileSystemId": "a", "iam": "ENABLED"}}]})").place ==
        "authorizationConfig");

  CHECK(hint_of(R"({"desiredCount": 1})").place == "a service (create-service)");
  CHECK(hint_of(R"({"revision": 1})").kind == HintKind::kResponseOnly);
  CHECK(hint_in_container(R"("_comment": "x")").kind == HintKind::kEditorNote);
  CHECK(hint_of(R"({"$schema": "x"})").kind == HintKind::kEditorNote);
  CHECK(hint_in_container(R"("zzzzzzzz": 1)").kind == HintKind::kNone);
}

TEST_CASE("a branch is chosen by type then by required members") {
  const auto schema = shape::Schema::load(R"({"type": "array", "items": {"anyOf": [
    {"type": "string"},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false},
    {"type": "object", "properties": {"b": {"type": ["number", "null"]}}, "required": ["b"], "additionalProperties": false}]}})");
  REQUIRE(schema.ok());
  CHECK(faults_of(*schema, R"(["x", {"a": 1}, {"b": 1.5}, {"b": 1}, {"b": null}])").empty());
  CHECK(faults_of(*schema, R"([true, {"b": "x"}, {"a": 1, "c": 1}, {}])") ==
        Lines{"/0: wrong type", "/1/b: wrong type", "/2/c: unknown key", "/3: missing a"});
  CHECK(shape::wanted_type(*schema->root().elements) == "a string or an object");
}
