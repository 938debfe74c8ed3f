// Services and run-task input: which files are taken for them, and which definition they are held against.
#include <algorithm>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "support/lint_run.hpp"
#include "text/read.hpp"

namespace services_test {

namespace {

using namespace bayplan;
using lint::Search;
using rules::FileKind;

FileKind kind(const std::string& text, Search search = Search::kNamed) {
  return lint::kind_of(*text::read_document(text), search);
}

const std::string kService = R"({"serviceName": "web", "taskDefinition": "web", "desiredCount": 1})";
const std::string kDefinition = R"({"family": "web", "networkMode": "awsvpc",
  "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";

/// "file code" of every finding, in the order of the run.
std::vector<std::string> to_error(std::map<std::string, std::string> texts, const std::vector<std::string>& paths,
                                  unsigned jobs = 1) {
  const MemoryFiles files(std::move(texts));
  const lint::Tools tools;
  const auto found = lint::find_files(paths, files);
  std::vector<std::string> told;
  for (const auto& report : checked_reports(found.candidates, {}, tools, files, jobs)) {
    for (const auto& one : report.findings) told.push_back(report.file + " " + std::string(one.code));
  }
  return told;
}

using Told = std::vector<std::string>;

/// Counts how often each file is read.
class CountedFiles : public MemoryFiles {
 public:
  using MemoryFiles::MemoryFiles;

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    ++reads[path];
    return MemoryFiles::read(path, limit);
  }

  mutable std::map<std::string, int> reads;
};

std::string definition_of_family(const std::string& family, std::size_t padding = 0) {
  return R"({"family": ")" + family + R"(", "networkMode": "awsvpc", "containerDefinitions": [{"name": "app",
    "image": "nginx:1.27", "memory": 256, "dockerLabels": {"padding": ")" +
         std::string(padding, 'x') + R"("}}]})";
}

std::string service_of(const std::string& family) {
  return R"({"serviceName": ")" + family + R"(", "taskDefinition": ")" + family + R"(", "desiredCount": 1})";
}

}  // namespace

TEST_CASE("services - kinds by content when the file is named") {
  CHECK(kind(kService) == FileKind::kService);
  CHECK(kind(R"({"serviceName": "web"})") == FileKind::kService);
  CHECK(kind(R"({"service": "web", "forceNewDeployment": true})") == FileKind::kService);
  CHECK(kind(R"({"desiredCount": 2, "launchType": "EC2"})") == FileKind::kService);
  CHECK(kind(R"({"taskDefinition": "web", "count": 2})") == FileKind::kRunTask);
  CHECK(kind(R"({"taskDefinition": "web", "cluster": "prod"})") == FileKind::kRunTask);
  CHECK(kind(R"({"services": [{"serviceArn": "arn:aws:ecs:us-east-1:111122223333:service/web"}]})") ==
        FileKind::kService);
  CHECK(kind(R"({"service": {"serviceArn": "arn:aws:ecs:us-east-1:111122223333:service/web"}})") == FileKind::kService);
  CHECK(kind(R"({"taskDefinition": "web"})") == FileKind::kUnrecognized);
  CHECK(kind(R"({"service": "web"})") == FileKind::kUnrecognized);
  CHECK(kind(R"({"services": [], "failures": []})") == FileKind::kUnrecognized);
  CHECK(kind(R"({"cluster": {}, "services": [{"serviceName": "web"}], "tasks": []})") == FileKind::kUnrecognized);
  CHECK(kind(kDefinition) == FileKind::kTaskDefinition);
  CHECK(kind(R"({"services": {"web": {"image": "nginx"}}})") == FileKind::kCompose);
}

TEST_CASE("services - a found file must hold little else") {
  CHECK(kind(kService, Search::kFound) == FileKind::kService);
  CHECK(kind(R"({"taskDefinition": "web", "cluster": "prod", "count": 2})", Search::kFound) == FileKind::kRunTask);
  CHECK(kind(R"({"serviceName": "web"})", Search::kFound) == FileKind::kUnrecognized);
  CHECK(kind(R"({"taskDefinition": "web", "cluster": "prod", "region": "eu-west-1", "name": "x", "count": 2})",
             Search::kFound) == FileKind::kUnrecognized);
}

TEST_CASE("services - held against the definitions of the run, whatever their order") {
  const std::map<std::string, std::string> texts{{"a/service.json", kService}, {"a/web.json", kDefinition}};
  const Told expected{"a/service.json BAY1116"};
  CHECK(to_error(texts, {"a/service.json", "a/web.json"}) == expected);
  CHECK(to_error(texts, {"a/web.json", "a/service.json"}) == expected);
  CHECK(to_error(texts, {"a"}) == expected);
  CHECK(to_error(texts, {"a"}, 8) == expected);
}

TEST_CASE("services - one that is named alone is held against its folder") {
  CHECK(to_error({{"a/service.json", kService}, {"a/web.json", kDefinition}}, {"a/service.json"}) ==
        Told{"a/service.json BAY1116"});
  CHECK(to_error({{"service.json", kService}, {"web.json", kDefinition}}, {"service.json"}) ==
        Told{"service.json BAY1116"});
  // Of two with the family that agree the first, else none; elsewhere none; what is no file of definitions is not read.
  CHECK(to_error({{"a/service.json", kService}, {"a/web.json", kDefinition}, {"a/web2.json", kDefinition}},
                 {"a/service.json"}) == Told{"a/service.json BAY1116"});
  std::string in_bridge = kDefinition;
  in_bridge.replace(in_bridge.find("awsvpc"), 6, "bridge");
  CHECK(to_error({{"a/service.json", kService}, {"a/web.json", kDefinition}, {"a/web2.json", in_bridge}},
                 {"a/service.json"})
            .empty());
  CHECK(to_error({{"a/service.json", kService}, {"b/web.json", kDefinition}}, {"a/service.json"}).empty());
  CHECK(to_error({{"a/service.json", kService}, {"a/web.txt", kDefinition}}, {"a/service.json"}).empty());
}

TEST_CASE("services - a definition of the run comes before one of the folder") {
  const std::string bridge = R"({"family": "web", "networkMode": "bridge",
    "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";
  CHECK(to_error({{"a/service.json", kService}, {"a/web.json", kDefinition}, {"b/web.json", bridge}},
                 {"a/service.json", "b/web.json"})
            .empty());
}

TEST_CASE("services - of the answer of describe-services every service is read") {
  const std::string answer = R"({"services": [
    {"serviceArn": "a", "serviceName": "one"},
    {"serviceArn": "b", "serviceName": "two", "desiredCount": 1, "platformVersion": "1.4.0", "launchType": "EC2",
     "deploymentConfiguration": {"maximumPercent": 100, "minimumHealthyPercent": 100}}]})";
  CHECK(to_error({{"services.json", answer}}, {"services.json"}) == Told{"services.json BAY1118"});
}

TEST_CASE("services - every file of a run is read once") {
  const CountedFiles files(std::map<std::string, std::string>{{"a/service.json", service_of("web")},
                                                              {"a/web.json", definition_of_family("web")},
                                                              {"a/worker.json", definition_of_family("worker")},
                                                              {"a/z-service.json", service_of("worker")}});
  const lint::Tools tools;
  const auto found = lint::find_files({"a"}, files);
  files.reads.clear();  // the search looks for a .gitignore
  CHECK(checked_reports(found.candidates, {}, tools, files).size() == 4);
  CHECK(files.reads == std::map<std::string, int>{
                           {"a/service.json", 1}, {"a/web.json", 1}, {"a/worker.json", 1}, {"a/z-service.json", 1}});
}

TEST_CASE("services - a definition before the first service is read again when a service names it") {
  const CountedFiles files(std::map<std::string, std::string>{{"a/a-web.json", definition_of_family("web")},
                                                              {"a/a-worker.json", definition_of_family("worker")},
                                                              {"a/service.json", service_of("web")}});
  const lint::Tools tools;
  const auto found = lint::find_files({"a"}, files);
  files.reads.clear();
  CHECK(checked_reports(found.candidates, {}, tools, files).size() == 3);
  CHECK(files.reads == std::map<std::string, int>{{"a/a-web.json", 2}, {"a/a-worker.json", 1}, {"a/service.json", 1}});
}

TEST_CASE("services - what waits beyond the limit is read again, with the same outcome") {
  std::map<std::string, std::string> texts;
  Told expected;
  for (char letter = 'a'; letter < 'm'; ++letter) {
    const std::string family(1, letter);
    texts["x/" + family + "-service.json"] = service_of(family);
    texts["x/" + family + "-task.json"] = definition_of_family(family, 1u << 20);
    expected.push_back("x/" + family + "-service.json BAY1116");
    expected.push_back("x/" + family + "-task.json BAY027");
  }
  CHECK(to_error(texts, {"x"}) == expected);
  CHECK(to_error(texts, {"x"}, 4) == expected);
}

}  // namespace services_test
