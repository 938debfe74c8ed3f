#include "awscli/request.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"

namespace request_test {

namespace {

using namespace bayplan;
using namespace bayplan::awscli;

const Operations& operations() {
  static const Operations kOperations;
  return kOperations;
}

/// One line of JSON, members in order.
std::string shown(text::Value value) {
  if (value.is_string()) return '"' + std::string(value.text()) + '"';
  if (!value.is_array() && !value.is_object()) return std::string(value.text());
  std::string text;
  for (const text::Value child : value.children()) {
    text += text.empty() ? "" : ",";
    if (value.is_object()) text += std::string(child.key()) + ":";
    text += shown(child);
  }
  return value.is_array() ? "[" + text + "]" : "{" + text + "}";
}

const char* home(const char* name) {
  return std::string_view(name) == "HOME" ? "/home/me" : nullptr;
}

ReadRequest read(std::vector<std::string> arguments, std::map<std::string, std::string> texts = {}) {
  arguments.insert(arguments.begin(), {"aws", "ecs"});
  const auto line = parse_command_line(arguments, operations());
  for (const auto& error : line.errors) FAIL(error.message);
  MemoryFiles files;
  files.content = std::move(texts);
  return read_request(*line.line, {files, {}, home});
}

std::string sent(std::vector<std::string> arguments, std::map<std::string, std::string> texts = {}) {
  const auto result = read(std::move(arguments), std::move(texts));
  for (const auto& error : result.errors) FAIL_CHECK(error.file << ": " << error.message);
  REQUIRE(result.request);
  return shown(result.request->document->root());
}

std::string refused(std::vector<std::string> arguments, std::map<std::string, std::string> texts = {}) {
  const auto result = read(std::move(arguments), std::move(texts));
  REQUIRE_FALSE(result.request);
  std::string text;
  for (const auto& error : result.errors) {
    text += text.empty() ? "" : "; ";
    text += error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
  }
  return text;
}

}  // namespace

TEST_CASE("request makes numbers, flags and lists of shorthand where the model wants them") {
  CHECK(sent({"register-task-definition", "--family", "web", "--container-definitions",
              "name=web,image=nginx,memory=512,essential=True,command=sh,portMappings=[{containerPort=80}]"}) ==
        R"({family:"web",containerDefinitions:[{name:"web",image:"nginx",memory:512,essential:true,command:["sh"],)"
        R"(portMappings:[{containerPort:80}]}]})");
  // A lone object becomes a list, and its texts stay texts: so does the AWS CLI.
  CHECK(sent({"register-task-definition", "--family", "web", "--container-definitions",
              "name=web,portMappings={containerPort=80}"}) ==
        R"({family:"web",containerDefinitions:[{name:"web",portMappings:[{containerPort:"80"}]}]})");
  CHECK(sent({"run-task", "--task-definition", "web", "--count", " +1_0 ", "--no-enable-execute-command"}) ==
        R"({taskDefinition:"web",count:10,enableExecuteCommand:false})");
}

TEST_CASE("request reads JSON, lists of JSON and lists of words") {
  CHECK(sent({"run-task", "--task-definition", "web", "--overrides", R"({"cpu": "256"})"}) ==
        R"({taskDefinition:"web",overrides:{cpu:"256"}})");
  CHECK(sent({"run-task", "--task-definition", "web", "--tags", R"([{"key": "a"}])"}) ==
        R"({taskDefinition:"web",tags:[{key:"a"}]})");
  CHECK(sent({"run-task", "--task-definition", "web", "--tags", R"({"key": "a"})", R"({"key": "b"})"}) ==
        R"({taskDefinition:"web",tags:[{key:"a"},{key:"b"}]})");
  CHECK(sent({"start-task", "--task-definition", "web", "--container-instances", "i-1", "i-2"}) ==
        R"({taskDefinition:"web",containerInstances:["i-1","i-2"]})");
  CHECK(sent({"run-task", "--task-definition", "web", "--tags"}) == R"({taskDefinition:"web",tags:[]})");
}

TEST_CASE("request takes options before what cli-input says") {
  const std::map<std::string, std::string> files{{"in.json", R"({"taskDefinition": "web", "count": 2})"},
                                                 {"in.yaml", "taskDefinition: web\ncount: 2\n"}};
  CHECK(sent({"run-task", "--cli-input-json", "file://in.json", "--count", "5"}, files) ==
        R"({count:5,taskDefinition:"web"})");
  CHECK(sent({"run-task", "--cli-input-yaml", "file://in.yaml"}, files) == R"({taskDefinition:"web",count:2})");
  CHECK(sent({"run-task", "--cli-input-json", R"({"taskDefinition": "a"})"}) == R"({taskDefinition:"a"})");
  CHECK(refused({"run-task", "--cli-input-json", "[1]"}) ==
        "--cli-input-json:1:1: --cli-input-json must be an object with the parameters of the request");
  CHECK(refused({"run-task", "--cli-input-json", "file://none.json"}, files).find("none.json") != std::string::npos);
}

TEST_CASE("request takes the last of two members with one key, as the AWS CLI does") {
  const auto twice =
      read({"run-task", "--cli-input-json", R"({"count": 1, "tags": [{"key": "a", "key": "b"}], "count": 2})"});
  REQUIRE(twice.request);
  CHECK(shown(twice.request->document->root()) == R"({tags:[{key:"b"}],count:2})");
  CHECK(twice.request->document->faults().size() == 2);
}

TEST_CASE("request reads files for any option") {
  const std::map<std::string, std::string> files{
      {"c.json", R"([{"name": "web"}])"}, {"/home/me/family", "web"}, {"token", "secret"}, {"text", "name=web"}};
  CHECK(sent({"register-task-definition", "--family", "file://~/family", "--container-definitions", "file://c.json"},
             files) == R"({family:"web",containerDefinitions:[{name:"web"}]})");
  CHECK(sent({"register-task-definition", "--family", "web", "--container-definitions", "name@=file://token"}, files) ==
        R"({family:"web",containerDefinitions:[{name:"secret"}]})");
  CHECK(refused({"register-task-definition", "--family", "fileb://token", "--container-definitions", "name=a"},
                files) == "--family:0:0: fileb:// is not supported: no parameter of this call is binary");
  CHECK(refused({"register-task-definition", "--family", "a", "--container-definitions", "file://text"}, files) ==
        "--container-definitions:0:0: the file text does not contain a JSON list");
  CHECK(refused({"register-task-definition", "--container-definitions", "file://text", "--family", "a"}, files) ==
        "--container-definitions:0:0: the file text does not contain a JSON list");
}

TEST_CASE("request tells how the content of a file is taken when its name alone is given") {
  const std::map<std::string, std::string> files{{"c.json", "{}"}};
  const auto help = [&](const std::vector<std::string>& words) {
    const auto result = read(words, files);
    return result.errors.empty() ? std::string() : result.errors.front().help;
  };
  CHECK(help({"run-task", "--cli-input-json", "c.json"}) == "to pass its content, write file://c.json");
  CHECK(help({"run-task", "--cli-input-json", "d.json"}) == "JSON starts with { or [");
  CHECK(help({"run-task", "--task-definition", "web", "--tags", "c.json"}) ==
        "to pass its content, write file://c.json");
}

TEST_CASE("request knows the option and the column of each fault, and tells all of them") {
  CHECK(refused({"run-task", "--task-definition", "web", "--count", "many", "--tags", "key=a", "key=b,value='c"}) ==
        "--count:1:1: 'many' is not a whole number; --tags#2:1:13: missing closing quote '");
  const auto result = read({"run-task", "--cli-input-json", "file://in.json", "--tags", "key=a", "key=b"},
                           {{"in.json", "{\n \"taskDefinition\": \"web\"\n}"}});
  REQUIRE(result.request);
  const auto& request = *result.request;
  const auto place = request.place_of(request.document->root().find("taskDefinition").span().begin);
  CHECK(place.file == "in.json");
  CHECK(place.line == 2);
  CHECK(place.column == 20);
  const auto tag = request.place_of(request.document->root().find("tags").at(1).find("key").span().begin);
  CHECK(tag.file == "--tags#2");
  CHECK(tag.column == 5);
  CHECK(request.place_of(0).file == "command line");
}

TEST_CASE("request points at options as they are written") {
  const auto result = read({"run-task", "--task-definition", "web", "--coun=2", "--no-enable-exec"});
  REQUIRE(result.request);
  const text::Document& document = *result.request->document;
  const auto written = [&](Span span) { return document.source().substr(span.begin, span.length()); };
  CHECK(written(document.root().find("count").key_span()) == "--coun");
  CHECK(written(document.root().find("count").span()) == "2");
  CHECK(written(document.root().find("enableExecuteCommand").span()) == "--no-enable-exec");
}

}  // namespace request_test
