#include "cli/mcp/session.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/mcp/root_files.hpp"
#include "cli/mcp/tools.hpp"
#include "report/schemas.hpp"
#include "temporary_folder.hpp"

namespace bayplan::cli::mcp_test {

using Json = nlohmann::json;

const std::string kGood =
    R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "memory": 512}]})";

Json request(const Json& id, const std::string& method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

Json notification(const std::string& method, Json params = Json::object()) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json initialize(Json capabilities = Json::object(), const std::string& revision = "2025-11-25") {
  return request(0, "initialize",
                 {{"protocolVersion", revision},
                  {"capabilities", std::move(capabilities)},
                  {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
}

Json call(const Json& id, const std::string& tool, Json arguments) {
  return request(id, "tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
}

struct Talk {
  int code = -1;
  std::vector<Json> messages;

  /// The response with this id; null without one.
  Json response(const Json& id) const {
    for (const auto& message : messages) {
      if (message.contains("id") && message["id"] == id && !message.contains("method")) return message;
    }
    return {};
  }
  Json result(const Json& id) const { return response(id).value("result", Json()); }
  std::string text(const Json& id) const { return result(id)["content"][0]["text"]; }
  int error(const Json& id) const { return response(id)["error"]["code"]; }
};

Talk talk_raw(const std::string& input, Files& files) {
  std::istringstream in(input);
  std::ostringstream out, err;
  Streams io{in, out, err, files};
  Talk talk;
  talk.code = run({"mcp"}, io);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) talk.messages.push_back(Json::parse(line));
  CHECK(err.str().empty());
  return talk;
}

Talk talk(const std::vector<Json>& messages, Files& files) {
  std::string input;
  for (const auto& message : messages) input += message.dump() + "\n";
  return talk_raw(input, files);
}

Talk talk(const std::vector<Json>& messages) {
  MemoryFiles files({{"web.json", kGood}});
  return talk(messages, files);
}

TEST_CASE("mcp negotiates the revision of the protocol") {
  for (const std::string revision : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    CHECK(talk({initialize({}, revision)}).result(0)["protocolVersion"] == revision);
  }
  CHECK(talk({initialize({}, "2031-01-01")}).result(0)["protocolVersion"] == "2025-11-25");
  const auto twice = talk({request("p", "ping"), initialize(), request(1, "initialize", {{"protocolVersion", "x"}})});
  CHECK(twice.result("p") == Json::object());
  CHECK(twice.error(1) == -32600);
  CHECK(twice.code == 0);
  CHECK(talk({request(1, "tools/list")}).error(1) == -32600);
}

TEST_CASE("a server that is started in a terminal says what it waits for") {
  const auto said = [](const std::vector<std::string>& words, bool is_terminal) {
    MemoryFiles files;
    std::istringstream in;
    std::ostringstream out, err;
    Streams io{in, out, err, files};
    io.out_is_terminal = is_terminal;
    run(words, io);
    return err.str();
  };
  const std::string waiting = "bayplan: waiting for messages on standard input; ";
  CHECK(said({"mcp"}, true) ==
        waiting + "agents start this server: claude mcp add bayplan -- bayplan mcp; Ctrl-C ends\n");
  CHECK(said({"lsp"}, true) == waiting + "editors start this server: docs/editors.md; Ctrl-C ends\n");
  CHECK(said({"mcp", "-q"}, true).empty());
  CHECK(said({"mcp"}, false).empty());
}

TEST_CASE("mcp lists a tool with schemas for each command that it offers") {
  const auto tools = talk({initialize(), request(1, "tools/list")}).result(1)["tools"];
  std::set<std::string> names;
  for (const auto& tool : tools) {
    CAPTURE(tool["name"]);
    names.insert(tool["name"]);
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK(tool["inputSchema"]["additionalProperties"] == false);
    CHECK(tool["outputSchema"]["type"] == "object");
    CHECK(tool["annotations"] == Json{{"readOnlyHint", true}, {"openWorldHint", false}});
    for (const auto& [property, schema] : tool["inputSchema"]["properties"].items()) {
      CAPTURE(property);
      CHECK(schema["type"].is_string());
      CHECK(schema["description"].get<std::string>().size() > 5);
    }
  }
  CHECK(names == std::set<std::string>{"lint", "fit", "place", "why", "whatif", "fleet", "diff", "dry_run", "explain",
                                       "catalog"});
  CHECK(tools[0]["inputSchema"]["properties"]["launchType"]["enum"].size() == 4);
}

TEST_CASE("an mcp tool offers every option of its command that asks something else of it") {
  const auto tools = talk({initialize(), request(1, "tools/list")}).result(1)["tools"];
  const auto rows = make_rows(all_commands());
  for (const auto& tool : tools) {
    const auto properties = tool["inputSchema"]["properties"];
    CAPTURE(tool["name"]);
    for (const auto* option : {"output", "format", "outputFile", "color", "quiet", "help", "anonymize", "fix", "watch",
                               "changed", "writeScenario", "createBaseline", "addIgnores", "init", "jobs", "wide"}) {
      CAPTURE(option);
      CHECK_FALSE(properties.contains(option));
    }
    const std::string command = tool["name"] == "dry_run" ? "dry-run" : tool["name"].get<std::string>();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.name == command; });
    REQUIRE(row != rows.end());
    const bool reads_code = std::any_of(row->rows.begin(), row->rows.end(),
                                        [](const OptionRow& one) { return one.names.front() == "--var-file"; });
    CHECK(properties.contains("varFile") == reads_code);
    CHECK(properties.contains("var") == reads_code);
  }
  MemoryFiles files(std::map<std::string, std::string>{
      {"main.tf",
       "variable \"image\" {}\nresource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n"
       "  container_definitions = jsonencode([{name = \"web\", image = var.image, memory = 512}])\n}\n"},
      {"a.tfvars", "image = \"nginx:1.27\"\n"}});
  const Json place = {{"instances", {"m5.large=1@us-east-1a"}}, {"task", {"main.tf#aws_ecs_task_definition.web=1"}}};
  Json with_file = place;
  with_file["varFile"] = {"a.tfvars"};
  Json outside = place;
  outside["varFile"] = {"../a.tfvars"};
  const auto said = talk({initialize(), call(1, "place", with_file), call(2, "place", outside)}, files);
  CHECK(said.result(1)["structuredContent"]["placements"].size() == 1);
  CHECK(said.result(2)["isError"] == true);
}

TEST_CASE("every option that an mcp tool leaves out, and every report of it, exists") {
  const auto rows = make_rows(all_commands());
  for (const auto& tool : mcp::tools()) {
    CAPTURE(tool.name);
    const auto command =
        std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.name == tool.command; });
    REQUIRE(command != rows.end());
    for (const auto option : tool.left_out) {
      CAPTURE(option);
      const auto options = command->options();
      CHECK(std::any_of(options.begin(), options.end(), [&](const OptionRow* row) {
        return std::find(row->names.begin(), row->names.end(), "--" + std::string(option)) != row->names.end();
      }));
    }
    for (const auto report : tool.reports) {
      const auto all = report::schemas();
      CHECK(std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == report; }));
    }
  }
}

TEST_CASE("an mcp tool answers what the command prints") {
  MemoryFiles files({{"web.json", kGood}, {"bad.json", R"({"family": "a b"})"}});
  const auto said = talk({initialize(), call(1, "lint", {{"files", {"web.json", "bad.json"}}}),
                          call(2, "catalog", {{"types", "g4dn.*"}, {"gpuOnly", true}, {"minGpus", 4}})},
                         files);
  std::istringstream in;
  std::ostringstream out, err;
  REQUIRE(run({"lint", "--output", "json", "web.json", "bad.json"}, {in, out, err, files}) == kFindings);
  CHECK(said.result(1)["structuredContent"] == Json::parse(out.str()));
  CHECK_FALSE(said.result(1).contains("isError"));
  CHECK(said.text(1).find("BAY") != std::string::npos);
  CHECK(said.text(1).find('\x1b') == std::string::npos);
  CHECK(said.result(2)["structuredContent"]["types"].size() == 2);
}

TEST_CASE("an mcp tool takes a text in place of a file") {
  const auto said =
      talk({initialize(), call(1, "lint", {{"text", kGood}}), call(2, "diff", {{"old", "web.json"}, {"text", kGood}}),
            call(3, "fit", {{"files", {"-"}}}), call(4, "fit", {{"files", {"web.json"}}, {"text", kGood}}),
            call(5, "place", {{"instances", {"m5.large=1@us-east-1a"}}, {"task", {"-=2"}}, {"text", kGood}})});
  CHECK(said.result(1)["structuredContent"]["files"].size() == 1);
  CHECK(said.result(2)["structuredContent"]["new"] != Json());
  CHECK(said.text(3).find("'-' names the argument 'text', which is missing") != std::string::npos);
  CHECK(said.text(4).find("no argument names the 'text'") != std::string::npos);
  CHECK(said.result(5)["structuredContent"]["placements"].size() == 2);
}

TEST_CASE("what is wrong with a call of mcp is a result, and with a message an error") {
  const auto said = talk(
      {initialize(), call(1, "lint", {{"fix", true}}), call(2, "lint", {{"strict", "yes"}}),
       call(3, "lint", {{"files", {1}}}), call(4, "place", {{"seed", "x"}}), call(5, "lint", {{"launchType", "MOON"}}),
       call(6, "diff", {{"old", "web.json"}}), call(7, "fit", {{"files", {"missing.json"}}}),
       call(8, "fit", {{"files", {"--output=text=x"}}}), call(9, "moon", Json::object()),
       request(10, "tools/call", {{"name", "lint"}, {"arguments", Json::array()}}),
       request(11, "tools/call", Json::array()), request(12, "logging/setLevel", {{"level", "debug"}}),
       call(13, "explain", {{"messages", Json::array()}}), call(14, "fleet", {{"scenario", "--effort=1"}})});
  for (const int id : {1, 2, 3, 4, 5, 6, 7, 8, 13, 14}) {
    CAPTURE(id, said.response(id).dump());
    CHECK(said.result(id)["isError"] == true);
    CHECK_FALSE(said.result(id).contains("structuredContent"));
    CHECK(said.text(id).starts_with("bayplan: "));
  }
  CHECK(said.text(7).find("missing.json") != std::string::npos);
  CHECK(said.error(9) == -32602);
  CHECK(said.error(10) == -32602);
  CHECK(said.error(11) == -32602);
  CHECK(said.error(12) == -32601);
}

TEST_CASE("mcp survives lines that are no messages") {
  MemoryFiles files;
  const std::string input = "{\n[]\n[" + request(1, "ping").dump() +
                            "]\n\n\r\n42\n\"x\"\n{\"jsonrpc\":\"1.0\",\"id\":2,\"method\":\"ping\"}\n" +
                            std::string(mcp::kMaxLine + 1, 'x') + "\n\xff\xfe\n" + std::string(300, '[') + "\n" +
                            request(3, "ping").dump() + "\r\n" + R"({"jsonrpc":"2.0","id":4,"me)";
  const auto said = talk_raw(input, files);
  CHECK(said.code == 0);
  CHECK(said.result(3) == Json::object());
  CHECK(said.error(2) == -32600);
  CHECK(said.messages.size() == 11);
  const auto is_large = [](const Json& message) {
    return message.contains("error") &&
           message["error"]["message"].get<std::string>().find("the limit is") != std::string::npos;
  };
  CHECK(std::count_if(said.messages.begin(), said.messages.end(), is_large) == 1);
}

TEST_CASE("mcp reads only below the folders of the client") {
  TemporaryFolder folder;
  DiskFiles disk;
  const std::string project = folder.file("project");
  std::filesystem::create_directories(project);
  std::filesystem::create_directories(folder.file("project2"));
  REQUIRE(disk.write(project + "/web.json", kGood));
  REQUIRE(disk.write(folder.file("secret.json"), kGood));
  REQUIRE(disk.write(folder.file("project2/secret.json"), kGood));
  std::filesystem::create_symlink("../secret.json", project + "/link.json");
  std::filesystem::create_symlink("../project2", project + "/folder");
  REQUIRE(disk.write(
      project + "/scenario.json",
      R"({"cluster": {"containerInstances": [{"instanceType": "m5.large", "availabilityZone": "us-east-1a"}]},)"
      R"( "taskDefinitions": ["../secret.json"], "tasks": [{"taskDefinition": "web"}]})"));
  const Json roots{{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"roots", {{{"uri", "file://" + project}}}}}}};
  std::vector<Json> messages{initialize({{"roots", Json::object()}}), notification("notifications/initialized"), roots};
  const std::vector<std::string> outside{"../secret.json",
                                         "link.json",
                                         "folder/secret.json",
                                         folder.file("secret.json"),
                                         project + "/../secret.json",
                                         "/etc/passwd",
                                         "../project2/secret.json",
                                         "../nothing.json",
                                         "folder/nothing.json"};
  for (const auto& path : outside) messages.push_back(call(path, "lint", {{"files", {path}}}));
  messages.push_back(call("inside", "lint", {{"files", {"web.json", project + "/web.json"}}}));
  messages.push_back(call("referred", "place", {{"scenario", "scenario.json"}}));
  messages.push_back(call("searched", "lint", {{"files", {"."}}}));
  messages.push_back(
      call("call", "dry_run",
           {{"command", {"aws", "ecs", "register-task-definition", "--cli-input-json", "file://../secret.json"}}}));
  messages.push_back(call("line", "dry_run",
                          {{"command", "aws ecs register-task-definition --cli-input-json 'file://../secret.json'"}}));
  messages.push_back(call("option", "lint", {{"files", {"web.json"}}, {"config", "/etc/passwd"}}));
  messages.push_back(call("task", "place", {{"instances", {"m5.large=1@us-east-1a"}}, {"task", {"../secret.json=1"}}}));
  const auto said = talk(messages, disk);
  CHECK(said.messages[1]["method"] == "roots/list");
  for (const auto& path : outside) {
    CAPTURE(path, said.response(path).dump());
    CHECK(said.result(path)["isError"] == true);
    CHECK(said.text(path).find("outside of the folders that the client allows") != std::string::npos);
    CHECK(said.text(path).find(path) != std::string::npos);
  }
  CHECK(said.result("inside")["structuredContent"]["files"].size() == 2);
  CHECK(said.result("referred")["isError"] == true);
  CHECK(said.text("referred").find("secret.json") != std::string::npos);
  CHECK(said.text("referred").find("outside") != std::string::npos);
  CHECK(said.text("searched").find("secret") == std::string::npos);
  // What the folder holds besides the links is linted.
  CHECK_FALSE(said.result("searched").value("isError", false));
  CHECK(said.result("searched")["structuredContent"]["passedOver"].dump().find("link.json") != std::string::npos);
  for (const std::string id : {"call", "line", "option", "task"})
    CHECK(said.text(id).find("outside of the folders") != std::string::npos);
}

TEST_CASE("mcp has no files where the client lists no folder") {
  const Json none{{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"roots", Json::array()}}}};
  const Json refused{{"jsonrpc", "2.0"}, {"id", 1}, {"error", {{"code", -32601}, {"message", "no"}}}};
  const auto start = [&](const std::vector<Json>& answer) {
    std::vector<Json> messages{initialize({{"roots", Json::object()}}), call(7, "lint", {{"files", {"web.json"}}})};
    messages.insert(messages.end(), answer.begin(), answer.end());
    messages.push_back(call(8, "lint", {{"text", kGood}}));
    return talk(messages);
  };
  CHECK(start({none}).text(7).find("the client lists no folder") != std::string::npos);
  CHECK(start({none}).result(8)["structuredContent"]["files"].size() == 1);
  CHECK(start({}).text(7).find("the client lists no folder") != std::string::npos);  // the input ends without an answer
  CHECK(start({refused}).result(7)["structuredContent"]["files"].size() == 1);
}

TEST_CASE("mcp reports progress only where the client asks for it") {
  auto asks = call(1, "place", {{"instances", {"m5.large=1@us-east-1a"}}, {"task", {"web.json=1"}}});
  asks["params"]["_meta"] = {{"progressToken", "token"}};
  const auto said = talk({initialize(), asks, call(2, "lint", {{"files", {"web.json"}}})});
  std::vector<int> progress;
  for (const auto& message : said.messages) {
    if (message.value("method", "") != "notifications/progress") continue;
    CHECK(message["params"]["progressToken"] == "token");
    progress.push_back(message["params"]["progress"]);
  }
  REQUIRE_FALSE(progress.empty());
  CHECK(std::is_sorted(progress.begin(), progress.end()));
  CHECK(said.result(2)["structuredContent"]["files"].size() == 1);
}

TEST_CASE("mcp prints rules, schemas, help and pages as resources") {
  const auto said = talk({initialize(), request(1, "resources/list"), request(2, "resources/templates/list"),
                          request(3, "resources/read", {{"uri", "bayplan://rules/BAY113"}}),
                          request(4, "resources/read", {{"uri", "bayplan://schemas/scenario"}}),
                          request(5, "resources/read", {{"uri", "bayplan://help/lint"}}),
                          request(6, "resources/read", {{"uri", "bayplan://rules/BAY99999"}}),
                          request(7, "resources/read", {{"uri", "file:///etc/passwd"}}), request(8, "resources/read"),
                          request(9, "resources/read", {{"uri", "bayplan://help/lint --fix"}}),
                          request(10, "resources/read", {{"uri", "bayplan://docs/house-rules"}}),
                          request(11, "resources/read", {{"uri", "bayplan://docs/../README"}})});
  CHECK(said.result(1)["resources"].size() > 350);
  CHECK(said.result(2)["resourceTemplates"].size() == 4);
  CHECK(said.result(10)["contents"][0]["mimeType"] == "text/markdown");
  CHECK(said.result(10)["contents"][0]["text"].get<std::string>().starts_with("# House rules\n"));
  CHECK(said.error(11) == -32002);
  for (const auto& page : mcp::pages()) {
    CAPTURE(page.name);
    CHECK(page.text.starts_with("# "));
    CHECK(page.text.ends_with('\n'));
  }
  MemoryFiles files;
  std::istringstream in;
  std::ostringstream out, err;
  run({"explain", "BAY113"}, {in, out, err, files});
  CHECK(said.result(3)["contents"][0]["text"] == out.str());
  CHECK(Json::parse(said.result(4)["contents"][0]["text"].get<std::string>())["type"] == "object");
  CHECK(said.result(5)["contents"][0]["text"].get<std::string>().find("bayplan lint [OPTIONS]") != std::string::npos);
  CHECK(said.error(6) == -32002);
  CHECK(said.error(7) == -32002);
  CHECK(said.error(8) == -32602);
  CHECK(said.error(9) == -32002);
}

TEST_CASE("mcp does not answer a call that was canceled while it waited") {
  // It waits for the folders, which come after the cancellation.
  const Json roots{{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"roots", {{{"uri", "file:///project"}}}}}}};
  const auto said =
      talk({initialize({{"roots", Json::object()}}), call(5, "catalog", {{"types", "p3.*"}}),
            call("6", "catalog", {{"types", "p3.*"}}), notification("notifications/cancelled", {{"requestId", 5}}),
            notification("notifications/cancelled", {{"requestId", "none"}}), request(7, "ping"), roots});
  CHECK(said.response(5) == Json());
  CHECK(said.result("6")["structuredContent"]["types"].size() == 3);
  CHECK(said.result(7) == Json::object());
}

}  // namespace bayplan::cli::mcp_test
