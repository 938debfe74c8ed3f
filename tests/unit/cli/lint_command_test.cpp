#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"

namespace lint_command_test {

namespace {

using namespace bayplan;
using Json = nlohmann::json;

const std::string kClean =
    R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";
const std::string kBadFamily =
    R"({"family": "my app", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";
const std::string kTinyMemory =
    R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 5}]})";

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome bayplan_run(MemoryFiles& files, const std::vector<std::string>& arguments, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(arguments, {in, out, err, files});
  return {code, out.str(), err.str()};
}

}  // namespace

TEST_CASE("lint command - exit codes") {
  MemoryFiles files;
  files.content = {
      {"clean.json", kClean}, {"bad.json", kBadFamily}, {"warn.json", kTinyMemory}, {"package.json", R"({"a": 1})"}};
  CHECK(bayplan_run(files, {"lint", "clean.json"}).code == 0);
  CHECK(bayplan_run(files, {"lint", "bad.json"}).code == 1);
  CHECK(bayplan_run(files, {"lint", "warn.json"}).code == 0);
  CHECK(bayplan_run(files, {"lint", "--fail-on", "warning", "warn.json"}).code == 1);
  CHECK(bayplan_run(files, {"lint", "--severity", "BAY208=error", "warn.json"}).code == 1);
  CHECK(bayplan_run(files, {"lint", "--exit-zero", "bad.json"}).code == 0);
  CHECK(bayplan_run(files, {"lint", "package.json"}).code == 2);
  CHECK(bayplan_run(files, {"lint", "--skip-unrecognized", "package.json"}).code == 0);
  CHECK(bayplan_run(files, {"lint", "package.json", "clean.json"}).code == 0);
  CHECK(bayplan_run(files, {"lint", "missing.json"}).code == 2);
  CHECK(bayplan_run(files, {"lint", "--select", "nonsense", "clean.json"}).code == 2);
  CHECK(bayplan_run(files, {"lint", "--severity", "BAY208=loud", "clean.json"}).code == 2);
  CHECK(bayplan_run(files, {"lint", "--format", "xml", "clean.json"}).code == 2);
}

TEST_CASE("lint command - strict raises documented refusals and nothing that registers") {
  MemoryFiles files;
  files.content = {
      {"refused.json",
       R"({"family": "web", "cpu": "64", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})"},
      {"fails-later.json",
       R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256,
           "environment": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}]}]})"}};
  const auto refused = bayplan_run(files, {"lint", "--strict", "refused.json"});
  CHECK(refused.code == 1);
  CHECK(refused.out.find("error BAY111") != std::string::npos);
  CHECK(bayplan_run(files, {"lint", "refused.json"}).code == 0);
  const auto later = bayplan_run(files, {"lint", "--strict", "fails-later.json"});
  CHECK(later.code == 0);
  CHECK(later.out.find("warning BAY454") != std::string::npos);
}

TEST_CASE("lint command - a definition over the limit is a finding") {
  MemoryFiles files;
  files.content = {{"bad.json", kBadFamily}, {"folder/large.json", std::string(200, ' ')}};
  const auto named = bayplan_run(files, {"lint", "--max-input", "100", "bad.json"});
  CHECK(named.code == 1);
  CHECK(named.out.find("bad.json:1:1 error BAY029 nesting-too-deep: file has " + std::to_string(kBadFamily.size()) +
                       " bytes; the maximum is 100 bytes") != std::string::npos);
  CHECK(named.out.find("BAY102") == std::string::npos);
  const auto piped = bayplan_run(files, {"lint", "--max-input", "100", "-"}, kBadFamily);
  CHECK(piped.code == 1);
  CHECK(piped.out.find("-:1:1 error BAY029") != std::string::npos);
  CHECK(bayplan_run(files, {"lint", "--max-input", "100", "--skip-unrecognized", "folder"}).code == 0);
}

TEST_CASE("lint command - says what to write where no rewrite can be made") {
  MemoryFiles files;
  files.content = {
      {"a.json",
       R"({"family": "日本語", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": "lots"}]})"}};
  const auto outcome = bayplan_run(files, {"lint", "a.json"});
  CHECK(outcome.out.find("use only a to z, A to Z, 0 to 9, _ and -") != std::string::npos);
  CHECK(outcome.out.find("use a number of MiB without unit or quotes, such as 512") != std::string::npos);
}

TEST_CASE("lint command - numbers that are none") {
  MemoryFiles files;
  files.content = {{"clean.json", kClean}};
  CHECK(bayplan_run(files, {"lint", "--jobs", "many", "clean.json"})
            .err.find("--jobs must be a whole number, not 'many'") != std::string::npos);
  CHECK(bayplan_run(files, {"lint", "--max-input", "-1", "clean.json"}).code == 2);
}

TEST_CASE("lint command - an unreadable file does not stop the others") {
  MemoryFiles files;
  files.content = {{"bad.json", kBadFamily}};
  const auto outcome = bayplan_run(files, {"lint", "gone.json", "bad.json"});
  CHECK(outcome.code == 2);
  CHECK(outcome.out.find("BAY102") != std::string::npos);
  CHECK(outcome.err.find("gone.json: No such file") != std::string::npos);
}

TEST_CASE("lint command - the files that would be looked at are there") {
  MemoryFiles files;
  files.content = {{"a.json", kBadFamily}};
  const auto ran = bayplan_run(files, {"lint", "--show-files", "a.json", "b.json"});
  CHECK(ran.code == 2);
  CHECK(ran.out == "a.json\n");
  CHECK(ran.err.find("b.json: No such file or directory") != std::string::npos);
}

TEST_CASE("lint command - selection") {
  MemoryFiles files;
  files.content = {{"bad.json", kBadFamily}, {"warn.json", kTinyMemory}};
  const auto shows = [&](std::vector<std::string> arguments, const std::string& code) {
    arguments.insert(arguments.begin(), "lint");
    arguments.push_back("bad.json");
    arguments.push_back("warn.json");
    return bayplan_run(files, arguments).out.find(code) != std::string::npos;
  };
  CHECK(shows({}, "BAY102"));
  CHECK(shows({}, "BAY208"));
  CHECK_FALSE(shows({}, "BAY107"));
  CHECK(shows({"--extend-select", "practice"}, "BAY107"));
  CHECK(shows({"--select", "BAY107"}, "BAY107"));
  CHECK_FALSE(shows({"--select", "BAY107"}, "BAY102"));
  CHECK_FALSE(shows({"--ignore", "family-pattern"}, "BAY102"));
  CHECK_FALSE(shows({"--ignore", "BAY1"}, "BAY102"));
  CHECK(shows({"--ignore", "BAY1", "--extend-select", "BAY102"}, "BAY102"));
  CHECK(shows({"--select", "ALL", "--ignore", "BAY2"}, "BAY102"));
  CHECK_FALSE(shows({"--select", "ALL", "--ignore", "BAY2"}, "BAY208"));
}

TEST_CASE("lint command - folders are searched for task definitions only") {
  MemoryFiles files;
  files.content = {{"deploy/a.json", kBadFamily},
                   {"deploy/package.json", R"({"name": "x"})"},
                   {"deploy/notes.txt", kBadFamily},
                   {"deploy/.aws/b.yaml", "family: my app\ncontainerDefinitions: []\n"},
                   {"deploy/node_modules/c.json", kBadFamily},
                   {"deploy/list.json", R"([{"name": "tea", "image": "tea.png"}])"}};
  const auto outcome = bayplan_run(files, {"lint", "deploy", "--format", "json"});
  const auto report = Json::parse(outcome.out);
  REQUIRE(report["files"].size() == 2);
  CHECK(report["files"][0]["file"] == "deploy/.aws/b.yaml");
  CHECK(report["files"][1]["file"] == "deploy/a.json");
  CHECK(bayplan_run(files, {"lint"}).out.find("deploy/a.json:1:12") != std::string::npos);
}

TEST_CASE("lint command - the order of the report does not depend on the number of threads") {
  MemoryFiles files;
  for (int i = 0; i < 50; ++i) files.content["d/" + std::to_string(i) + ".json"] = i % 2 ? kBadFamily : kTinyMemory;
  const auto one = bayplan_run(files, {"lint", "d", "-j", "1", "--format", "json"});
  const auto eight = bayplan_run(files, {"lint", "d", "-j", "8", "--format", "json"});
  CHECK(one.out == eight.out);
  CHECK(Json::parse(one.out)["summary"]["error"] == 25);
}

TEST_CASE("lint command - JSON report") {
  MemoryFiles files;
  files.content = {
      {"bad.json",
       "{\n  \"family\": \"é my\",\n  \"cpu\": \"${CPU}\",\n  \"containerDefinitions\": [{\"name\": \"app\", "
       "\"image\": \"nginx\", \"memory\": 4, \"memoryReservation\": 8}]\n}\n"}};
  const auto report = Json::parse(bayplan_run(files, {"lint", "bad.json", "--output", "json"}).out);
  CHECK(report["schema"] == "bayplan/lint-report/1");
  REQUIRE(report["findings"].size() == 3);
  const auto& family = report["findings"][0];
  CHECK(family["code"] == "BAY102");
  CHECK(family["line"] == 2);
  CHECK(family["column"] == 13);
  CHECK(family["endColumn"] == 19);  // "é my" with its quotes: six code points, seven bytes
  CHECK(family["offset"] == 14);
  CHECK(family["pointer"] == "/family");
  CHECK(family["container"].is_null());
  const auto& reservation = report["findings"][2];
  CHECK(reservation["code"] == "BAY209");
  CHECK(reservation["container"] == "app");
  CHECK(reservation["related"].size() == 1);
  CHECK_FALSE(report["skipped"].empty());
  CHECK(report["skipped"][0]["because"] == "${CPU}");
  CHECK(report["summary"]["skippedRules"] == report["skipped"].size());
}

TEST_CASE("lint command - a fingerprint survives edits elsewhere") {
  const auto fingerprint = [](const std::string& text) {
    MemoryFiles files;
    files.content = {{"a.json", text}};
    return Json::parse(
        bayplan_run(files, {"lint", "./a.json", "a.json", "--format", "json", "--select", "BAY208"}).out);
  };
  MemoryFiles files;
  const std::string second = R"({"name": "b", "image": "nginx", "memory": 5})";
  const std::string first = R"({"name": "a", "image": "nginx", "memory": 64})";
  const auto alone = fingerprint(R"({"family": "x", "containerDefinitions": [)" + second + "]}");
  const auto moved = fingerprint("{\n\n\"family\": \"y\", \"containerDefinitions\": [" + first + ", " + second + "]}");
  REQUIRE(alone["findings"].size() == 1);
  REQUIRE(moved["findings"].size() == 1);
  CHECK(alone["findings"][0]["fingerprint"] == moved["findings"][0]["fingerprint"]);
  CHECK(alone["findings"][0]["pointer"] != moved["findings"][0]["pointer"]);
}

TEST_CASE("lint command - standard input, output files and quiet") {
  MemoryFiles files;
  const auto piped = bayplan_run(files, {"lint", "-", "--stdin-filename", "x.json"}, kBadFamily);
  CHECK(piped.code == 1);
  CHECK(piped.out.rfind("x.json:1:12 error BAY102 family-pattern: ", 0) == 0);
  const auto written =
      bayplan_run(files, {"lint", "-", "--output", "json=out.json", "--output", "oneline"}, kTinyMemory);
  CHECK(Json::parse(files.content["out.json"])["summary"]["warning"] == 1);
  CHECK(written.out.find('\n') == written.out.size() - 1);
  CHECK(bayplan_run(files, {"lint", "-q", "-"}, kTinyMemory).out.empty());
  CHECK(bayplan_run(files, {"lint", "-q", "-"}, kBadFamily).out.find("in 1 file") == std::string::npos);
}

TEST_CASE("lint command - exit 2 says why, in every format and quietly too") {
  MemoryFiles files;
  files.content["notes/readme.json"] = "{\"hello\": 1}";
  for (const char* format : {"text", "json"}) {
    const auto folder = bayplan_run(files, {"lint", "notes", "--output", format});
    CHECK(folder.code == 2);
    CHECK(folder.err.rfind("bayplan: no task definition found in 'notes'\n", 0) == 0);
    const auto named = bayplan_run(files, {"lint", "-q", "notes/readme.json", "--output", format});
    CHECK(named.code == 2);
    CHECK(named.err.rfind("bayplan: notes/readme.json: is not a task definition", 0) == 0);
  }
  CHECK(bayplan_run(files, {"lint", "notes", "--skip-unrecognized"}).err.empty());
}

TEST_CASE("lint command - a hook whose share of the files has no definition prints nothing") {
  MemoryFiles files;
  files.content = {{"package.json", R"({"name": "x"})"}, {"list.yaml", "- 1\n"}, {"clean.json", kClean}};
  for (const auto& options : std::vector<std::vector<std::string>>{{}, {"--fix"}, {"--diff"}, {"--fail-on", "style"}}) {
    std::vector<std::string> arguments{"lint", "--skip-unrecognized"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"package.json", "list.yaml"});
    const auto share = bayplan_run(files, arguments);
    CHECK(share.code == 0);
    CHECK(share.out.empty());
    CHECK(share.err.empty());
  }
  CHECK(bayplan_run(files, {"lint", "--skip-unrecognized", "package.json", "clean.json"}).out ==
        "no findings in 1 file\n");
}

TEST_CASE("lint command - files that the config excludes are named in the summary") {
  MemoryFiles files;
  files.content = {{"clean.json", kClean}, {".bayplan.yml", "exclude: ['*.json']\n"}};
  const auto excluded = bayplan_run(files, {"lint", "clean.json"});
  CHECK(excluded.code == 0);
  CHECK(excluded.out == "no task definition checked; 1 file excluded by the config\n");
}

TEST_CASE("lint command - an ignored config is reported once, and not quietly") {
  MemoryFiles files;
  files.content = {{"clean.json", kClean}, {"bayplan.yaml", "ignore: [ALL]\n"}};
  const auto told = bayplan_run(files, {"lint", "clean.json"});
  CHECK(told.code == 0);
  CHECK(told.err ==
        "bayplan: bayplan.yaml: ignored; settings are read from .bayplan.yaml\n"
        "  Rename the file, or name it with --config.\n");
  CHECK(bayplan_run(files, {"lint", "-q", "clean.json"}).err.empty());
  CHECK(bayplan_run(files, {"lint", "--config", "bayplan.yaml", "clean.json"}).err.empty());
}

TEST_CASE("lint command - control characters of the input never reach the terminal") {
  MemoryFiles files;
  const auto outcome =
      bayplan_run(files, {"lint", "-"}, "{\"family\": \"a\\u001b[31m\xc2\x9b\", \"containerDefinitions\": []}");
  CHECK(outcome.out.find('\x1b') == std::string::npos);
  CHECK(outcome.out.find("\xc2\x9b") == std::string::npos);
}

TEST_CASE("explain command - by code, by name and near misses") {
  MemoryFiles files;
  const auto by_code = bayplan_run(files, {"explain", "bay113"});
  CHECK(by_code.code == 0);
  CHECK(by_code.out == bayplan_run(files, {"explain", "fargate-cpu-memory-pair"}).out);
  CHECK(by_code.out.find("not check it yet") == std::string::npos);
  const auto wrong = bayplan_run(files, {"explain", "gpu-on-fargat"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean 'gpu-on-fargate'?") != std::string::npos);
  const auto report = Json::parse(bayplan_run(files, {"explain", "BAY113", "BAY726", "--format", "json"}).out);
  CHECK(report["schema"] == "bayplan/explain-report/1");
  CHECK(report["rules"][1]["severityWhen"][0]["severity"] == "warning");
}

TEST_CASE("lint command - a daemon has fewer keys when the file is said to be one") {
  MemoryFiles files;
  files.content["agent.json"] =
      R"({"family": "agent", "networkMode": "host", "containerDefinitions": [{"name": "a", "image": "a:1", "memory": 64}]})";
  CHECK(bayplan_run(files, {"lint", "agent.json"}).out.find("BAY028") == std::string::npos);
  CHECK(bayplan_run(files, {"lint", "--kind", "daemon", "agent.json"}).out.find("BAY028") != std::string::npos);
}

}  // namespace lint_command_test
