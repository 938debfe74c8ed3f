// What is not known yet: which rules say that they could not look, and at what.
#include <algorithm>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace skipped_test {

namespace {

using namespace bayplan;

std::string task(const std::string& members) {
  return R"({"family": "web", "containerDefinitions": [{"name": "app", "memory": 256, )" + members + "}]}";
}

/// "${X}" when the rule skipped at `pointer` because of it; empty when it did not skip there.
std::string reason(const std::string& text, std::string_view code, const std::string& pointer) {
  const lint::Tools tools;
  lint::Options options;
  options.selection.extend_select = {std::string(code)};
  const auto report = lint::lint_document(text, "task.json", options, tools);
  const auto found = std::find_if(report.skipped.begin(), report.skipped.end(),
                                  [&](const rules::Skip& one) { return one.code == code && one.pointer == pointer; });
  return found == report.skipped.end() ? "" : found->because;
}

const std::string kContainer = "/containerDefinitions/0";

}  // namespace

TEST_CASE("skipped - the reason is the placeholder and of a value without quotes the value") {
  CHECK(reason(task(R"("image": "repo/${NAME}:1")"), "BAY204", kContainer + "/image") == "${NAME}");
  CHECK(reason(task(R"("image": "a:1", "cpu": ${CPU})"), "BAY211", kContainer + "/cpu") == "${CPU}");
  CHECK(reason(task(R"("image": {"Ref": "Image"})"), "BAY204", kContainer + "/image") == R"({"Ref": "Image"})");
}

TEST_CASE("skipped - a word in capitals for an image or an id is filled in later") {
  CHECK(reason(task(R"("image": "CONTAINER_IMAGE")"), "BAY204", kContainer + "/image") == "CONTAINER_IMAGE");
  CHECK(reason(task(R"("image": "nginx:1.27")"), "BAY204", kContainer + "/image").empty());
}

TEST_CASE("skipped - the value of a variable matters only where its name tells of a secret") {
  const auto with = [](const std::string& name) {
    return task(R"("image": "a:1", "environment": [{"name": ")" + name + R"(", "value": "${VALUE}"}])");
  };
  const std::string pointer = kContainer + "/environment/0/value";
  CHECK(reason(with("DB_PASSWORD"), "BAY904", pointer) == "${VALUE}");
  CHECK(reason(with("COLOR"), "BAY904", pointer).empty());
}

TEST_CASE("skipped - a health check that is a template as a whole") {
  CHECK(reason(task(R"("image": "a:1", "healthCheck": {"command": ["${CHECK}"]})"), "BAY710",
               kContainer + "/healthCheck/command/0") == "${CHECK}");
}

TEST_CASE("skipped - a list or a name that decides what the others mean") {
  const std::string volume =
      R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "a:1", "memory": 256}],
          "volumes": [{"name": "data", "efsVolumeConfiguration": {"fileSystemId": "FILE_SYSTEM_ID"}}]})";
  CHECK(reason(volume, "BAY508", "/volumes/0/efsVolumeConfiguration/fileSystemId") == "FILE_SYSTEM_ID");
  const std::string options =
      task(R"("image": "a:1", "logConfiguration": {"logDriver": "awslogs", "options": {"${NAME}": "1"}})");
  CHECK(reason(options, "BAY601", kContainer + "/logConfiguration/options/${NAME}") == "${NAME}");
}

TEST_CASE("skipped - options, properties and system controls that are placeholders as a whole") {
  CHECK(reason(task(R"("image": "a:1", "logConfiguration": {"logDriver": "awslogs", "options": "${OPTIONS}"})"),
               "BAY601", kContainer + "/logConfiguration/options") == "${OPTIONS}");
  const auto proxy = [](const std::string& properties) {
    return R"({"family": "web", "networkMode": "awsvpc", "proxyConfiguration": {"containerName": "app", "properties": )" +
           properties + R"(}, "containerDefinitions": [{"name": "app", "image": "a:1", "memory": 256}]})";
  };
  CHECK(reason(proxy(R"("${ALL}")"), "BAY777", "/proxyConfiguration/properties") == "${ALL}");
  CHECK(reason(proxy(R"(["${ONE}"])"), "BAY777", "/proxyConfiguration/properties/0") == "${ONE}");
  const auto control = [](const std::string& name, const std::string& value) {
    return R"({"networkMode": "awsvpc", )" +
           task(R"("image": "a:1", "systemControls": [{"namespace": ")" + name + R"(", "value": ")" + value + R"("}])")
               .substr(1);
  };
  const std::string place = kContainer + "/systemControls/0";
  CHECK(reason(control("${NAME}", "1"), "BAY763", place + "/namespace") == "${NAME}");
  CHECK(reason(control("net.core.somaxconn", "1"), "BAY763", place + "/namespace").empty());
  CHECK(reason(control("net.core.somaxconn", "${VALUE}"), "BAY763", place + "/value") == "${VALUE}");
  CHECK(reason(control("kernel.msgmax", "${VALUE}"), "BAY763", place + "/value").empty());
}

}  // namespace skipped_test
