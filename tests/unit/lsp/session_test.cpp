#include "lsp/session.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"

namespace {

using namespace bayplan;
using Json = nlohmann::json;

const std::string kUri = "file:///project/task-definition.json";
const std::string kBad =
    R"({"family": "my app", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 5}]})";

Json request(int id, const std::string& method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

Json notification(const std::string& method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json opened(const std::string& uri, const std::string& text, const std::string& language = "json") {
  return notification("textDocument/didOpen",
                      {{"textDocument", {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}}}});
}

struct Talk {
  int code;
  std::vector<Json> messages;

  /// The diagnostics that were published last for it; null when none were.
  Json diagnostics(const std::string& uri) const {
    Json last;
    for (const auto& message : messages) {
      if (message.value("method", "") == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri) {
        last = message["params"]["diagnostics"];
      }
    }
    return last;
  }
  std::vector<std::string> codes(const std::string& uri) const {
    std::vector<std::string> codes;
    for (const auto& one : diagnostics(uri)) codes.push_back(one.value("code", ""));
    return codes;
  }
};

std::vector<Json> read_all(const std::string& text) {
  std::istringstream in(text);
  lsp::MessageReader reader(in);
  std::vector<Json> messages;
  for (auto incoming = reader.next(); incoming.kind == lsp::Incoming::Kind::kContent; incoming = reader.next()) {
    messages.push_back(Json::parse(incoming.text));
  }
  return messages;
}

/// A client that says all this and leaves.
Talk talk(MemoryFiles& files, const std::vector<Json>& said) {
  std::ostringstream text;
  for (const auto& message : said) lsp::write_message(text, message.dump());
  std::istringstream in(text.str());
  std::ostringstream out;
  const int code = lsp::Session({in, out, files}).run();
  return {code, read_all(out.str())};
}

const Json kBegin = request(1, "initialize", {{"capabilities", Json::object()}});

}  // namespace

TEST_CASE("lsp session - the exit code says whether a shutdown came before") {
  MemoryFiles files;
  CHECK(talk(files, {kBegin, request(2, "shutdown"), notification("exit")}).code == 0);
  CHECK(talk(files, {kBegin, notification("exit")}).code == 1);
  CHECK(talk(files, {kBegin, request(2, "shutdown")}).code == 1);
  CHECK(talk(files, {}).code == 1);
}

TEST_CASE("lsp session - what was typed ten times is linted once") {
  MemoryFiles files;
  std::vector<Json> said{kBegin, opened(kUri, kBad)};
  for (int i = 0; i < 10; ++i) {
    said.push_back(notification("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", 2 + i}}},
                                                           {"contentChanges", {{{"text", i < 9 ? "{" : kBad}}}}}));
  }
  const auto ended = talk(files, said);
  CHECK(ended.messages.size() == 2);
  CHECK(ended.codes(kUri) == std::vector<std::string>{"BAY102", "BAY208"});
}

TEST_CASE("lsp session - changes that cannot be understood leave the text alone") {
  MemoryFiles files;
  for (const Json& changes : {Json("x"), Json({{{"range", 3}, {"text", ""}}}), Json({{{"text", 3}}}),
                              Json({{{"text", ""}}, {{"range", {{"start", {{"line", -1}}}}}, {"text", ""}}})}) {
    const auto ended = talk(files, {kBegin, opened(kUri, kBad),
                                    notification("textDocument/didChange",
                                                 {{"textDocument", {{"uri", kUri}}}, {"contentChanges", changes}})});
    CHECK(ended.codes(kUri).size() == 2);
  }
}

TEST_CASE("lsp session - a service is held against the definition that is open beside it") {
  MemoryFiles files;
  const std::string service = "file:///project/service.json";
  const std::string service_text =
      R"({"serviceName": "web", "taskDefinition": "web", "launchType": "FARGATE", "desiredCount": 2,
          "networkConfiguration": {"awsvpcConfiguration": {"subnets": ["subnet-1"]}}})";
  const std::string bridge =
      R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 64}]})";
  files.content["/project/web.json"] = "{}";
  const auto alone = talk(files, {kBegin, opened(service, service_text)}).codes(service);
  files.content["/project/web.json"] = bridge;
  const auto beside = talk(files, {kBegin, opened(service, service_text)}).codes(service);
  CHECK(beside.size() > alone.size());
  files.content["/project/web.json"] = "{}";
  CHECK(
      talk(files, {kBegin, opened(service, service_text), opened("file:///project/web.json", bridge)}).codes(service) ==
      beside);
}

TEST_CASE("lsp session - the form of a scenario, a cluster and a grid is told") {
  MemoryFiles files;
  const auto told = [&](const std::string& text) {
    std::string lines;
    const std::string uri = "file:///project/x.yaml";
    for (const auto& one : talk(files, {kBegin, opened(uri, text, "yaml")}).diagnostics(uri)) {
      const auto& start = one["range"]["start"];
      lines += std::to_string(start["line"].get<int>()) + ":" + std::to_string(start["character"].get<int>()) + " " +
               one["message"].get<std::string>() + "\n";
    }
    return lines;
  };
  const std::string scenario = "cluster: {containerInstances: []}\ntaskDefinitions: [web.json]\n";
  CHECK(told(scenario).empty());
  CHECK(told(scenario + "servcies: []\n") == "2:0 unknown key 'servcies'\nhelp: did you mean 'services'?\n");
  CHECK(told(scenario + "tasks: [{\n").find("2:") == 0);
  CHECK(told("containerInstances:\n- {instanceType: m5.large, count: two}\n") ==
        "1:34 count must be an integer, got a string\n");
  CHECK(told("scenario: s.yaml\naxes: []\n") == "1:6 axes must be an object, got a list\n");
  // Answers of AWS, and files of others with words of ours.
  CHECK(told("containerInstances: [{containerInstanceArn: a, unknown: b}]\n").empty());
  CHECK(told("services: {web: {image: a}}\naxes: 5\n").empty());
}

TEST_CASE("lsp session - texts in no file are known by their language") {
  MemoryFiles files;
  const std::string yaml = "family: my app\ncontainerDefinitions:\n- {name: app, image: 'nginx:1.27', memory: 64}\n";
  const auto ended = talk(files, {kBegin, opened("untitled:Untitled-1", yaml, "yaml")});
  CHECK(ended.codes("untitled:Untitled-1") == std::vector<std::string>{"BAY102"});
}

TEST_CASE("lsp session - the root is no file, and nothing is looked for in it") {
  struct Watched : MemoryFiles {
    mutable int listed = 0;
    bool is_folder(const std::string& path) const override { return path == "/" || MemoryFiles::is_folder(path); }
    Result<std::vector<std::string>> list(const std::string& folder) const override {
      ++listed;
      return MemoryFiles::list(folder);
    }
  };
  Watched files;
  files.content["/proc/task.json"] = "{}";
  const std::string yaml = "family: my app\ncontainerDefinitions:\n- {name: app, image: 'nginx:1.27', memory: 64}\n";
  CHECK(talk(files, {kBegin, opened("file:///", yaml, "yaml")}).codes("file:///") ==
        std::vector<std::string>{"BAY102"});
  CHECK(files.listed == 0);
}

TEST_CASE("lsp session - nothing is checked by a config that never was right") {
  MemoryFiles files;
  files.content["/project/.bayplan.yaml"] = "types: [g1zz.*]\n";
  const auto ended = talk(files, {kBegin, opened(kUri, kBad)});
  const auto told = ended.diagnostics(kUri);
  REQUIRE(told.size() == 1);
  CHECK(told[0]["message"] ==
        "nothing is checked until the config is fixed: .bayplan.yaml:1: no instance type matches 'g1zz.*'");
  const auto config = ended.diagnostics("file:///project/.bayplan.yaml");
  REQUIRE(config.size() == 1);
  CHECK(config[0]["range"]["start"] == Json({{"line", 0}, {"character", 8}}));
}

TEST_CASE("lsp session - a byte order mark moves nothing") {
  MemoryFiles files;
  const auto ended = talk(files, {kBegin, opened(kUri, "\xef\xbb\xbf" + kBad)});
  for (const auto& one : ended.diagnostics(kUri)) {
    if (one["code"] == "BAY102") CHECK(one["range"]["start"]["character"] == 1 + kBad.find("\"my app"));
  }
}
