#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;

namespace {

Ran run(const std::vector<std::string>& arguments) {
  MemoryFiles files;
  return run_with(files, arguments);
}

}  // namespace

TEST_CASE("global options - every command that needs no input tells its phases") {
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"explain", "BAY113", "--stats"}, {"schema", "--list", "--stats"}, {"catalog", "p3.2xlarge", "--stats"}}) {
    INFO(line.front());
    const auto ran = run(line);
    CHECK(ran.code == cli::kClean);
    CHECK_FALSE(ran.out.empty());
    CHECK(ran.err.find("total") != std::string::npos);
  }
}

TEST_CASE("global options - schema refuses a format that it does not write") {
  const auto ran = run({"schema", "fit-report", "--output", "jsn"});
  CHECK(ran.code == cli::kUnusable);
  CHECK(ran.err.find("unknown output format 'jsn'; did you mean 'json'?") != std::string::npos);
}

TEST_CASE("global options - nothing on the command line steers the terminal") {
  for (const std::string word : {"\x1b[31m", "\x9b", "\u202e", "\xff\xfe"}) {
    const auto ran = run({"lint", "--verbose=" + word});
    CHECK(ran.code == cli::kUnusable);
    CHECK(ran.err.find(word) == std::string::npos);
    CHECK(ran.err.find("\uFFFD") != std::string::npos);
  }
}

TEST_CASE("global options - an empty word is not taken for one that was left out") {
  for (const char* command :
       {"lint", "fit", "place", "fleet", "whatif", "why", "repack", "sweep", "catalog", "explain"}) {
    INFO(command);
    const auto ran = run({command, ""});
    CHECK(ran.code == cli::kUnusable);
    CHECK(ran.out.empty());
    CHECK(says(ran.err, " is empty (unset variable?)"));
  }
  CHECK(says(run({"place", "--cluster", ""}).err, "--cluster is empty (unset variable?)"));
  CHECK(says(run({"lint", "--env-file", ""}).err, "--env-file is empty (unset variable?)"));
}

TEST_CASE("global options - what is missing or misspelled is told with what is meant") {
  CHECK(cli::says(run({"diff"}).err, "bayplan: missing argument: OLD NEW\n"));
  CHECK(cli::says(run({"whatif", "--lose-az"}).err, "bayplan: missing value: --lose-az ZONE\n"));
  CHECK(
      cli::says(run({"place", "--constraint", "x"}).err, "'--constraint'; did you mean '--placement-constraints'?\n"));
  CHECK(cli::says(run({"check", "x"}).err,
                  "unknown command 'check'; did you mean 'lint'?\n  See 'bayplan help lint'.\n"));
  CHECK(cli::says(run({"-v", "lint"}).err, "'-v' must follow the command\n  Write: bayplan lint -v"));
  CHECK(cli::says(run({"place", "--con", "x"}).err, "unknown option '--con'\n"));
  CHECK(cli::says(run({"lint", "--fail-on", "warn"}).err, "did you mean 'warning'?\n"));
  CHECK(cli::says(run({"lint", "--severity", "BAY450=warn"}).err,
                  "--severity BAY450=warn: unknown level 'warn'; did you mean 'warning'?\n"));
}

TEST_CASE("global options - a whole number is taken as it is written, or refused") {
  MemoryFiles files;
  files.content = {{"s.yaml",
                    "cluster: {containerInstances: [{instanceType: m5.large}]}\n"
                    "taskDefinitions: [{family: web, containerDefinitions: [{name: a, image: a:1, memory: 64}]}]\n"
                    "tasks: [{taskDefinition: web}]\n"}};
  const auto told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> line{"place", "s.yaml"};
    line.insert(line.end(), more.begin(), more.end());
    const auto ran = run_with(files, line);
    return ran.code == cli::kUnusable ? ran.err.substr(0, ran.err.find('\n')) : ran.out;
  };
  CHECK(says(told({"--seed", "010"}), "seed 10"));
  CHECK(told({"--seed", "99999999999999999999"}) == "bayplan: --seed is too large: 99999999999999999999");
  CHECK(told({"--seed=-99999999999999999999"}) == "bayplan: --seed is too small: -99999999999999999999");
  for (const char* word : {"0x10", "1e3", "2.5", "many", "--", "1 "})
    CHECK(told({"--seed=" + std::string(word)}) ==
          "bayplan: --seed must be a whole number, not '" + std::string(word) + "'");
  CHECK(says(told({"--max-input", "2147483648"}), "seed 1"));
  for (const char* word : {"0", "-1", "2147483649", "9223372036854775807"})
    CHECK(told({"--max-input=" + std::string(word)}) ==
          "bayplan: --max-input must be a number of bytes from 1 to 2147483648");
}

TEST_CASE("global options - help is broken to fit, and a command to paste is not") {
  CHECK(cli::says(run({"fit", "--region", "mars", "a.json"}).err, "  us-west-1 and us-west-2.\n"));
  CHECK(cli::says(run({"dry-run"}).err,
                  "  For example:\n    bayplan dry-run -- aws ecs register-task-definition --cli-input-json "
                  "file://web.json\n"));
}

TEST_CASE("global options - a report takes the place of no input") {
  MemoryFiles files;
  files.content["web.json"] =
      R"({"family": "web", "containerDefinitions": [{"name": "a", "image": "b", "memory": 64}]})";
  files.content["old.json"] = "{}";
  const auto before = files.content;
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"fit", "web.json", "--output", "json=web.json"},
           {"place", "--instances", "m5.large=1", "--task", "web.json=2", "--output=json=web.json"},
           {"place", "--instances", "m5.large=1", "--task=web.json", "--format", "text=web.json"},
           {"dry-run", "--output", "json=web.json", "--", "aws", "ecs", "register-task-definition", "--cli-input-json",
            "file://web.json"}}) {
    const auto ran = run_with(files, line);
    CHECK(ran.code == cli::kUnusable);
    CHECK(cli::says(ran.err, "web.json: the report would overwrite this input\n"));
  }
  CHECK(files.content == before);
  CHECK(run_with(files, {"fit", "web.json", "--types", "m5.large", "--output", "json=old.json"}).code == cli::kClean);
}

TEST_CASE("global options - help and version are words, too") {
  CHECK(run({"help", "fit"}).out == run({"fit", "--help"}).out);
  CHECK(run({"help"}).out == run({"--help"}).out);
  CHECK(run({"version"}).out == run({"--version"}).out);
  CHECK(run({"-V"}).out == run({"--version"}).out);
  CHECK(run({"help", "fti"}).code == cli::kUnusable);
  CHECK(run({"schema"}).out == run({"schema", "--list"}).out);
}

TEST_CASE("global options - a scenario comes from standard input as from a file") {
  const std::string scenario = R"(cluster: {containerInstances: [{instanceType: m5.large}]}
taskDefinitions: [{family: web, containerDefinitions: [{name: a, image: b, memory: 64}]}]
tasks: [{taskDefinition: web, count: 2}]
)";
  const auto piped = [&](const std::vector<std::string>& line, const std::string& text) {
    MemoryFiles files;
    files.content["s.yaml"] = scenario;
    std::istringstream in(text);
    std::ostringstream out;
    std::ostringstream err;
    const int code = cli::run(line, {in, out, err, files});
    return std::to_string(code) + out.str() + err.str();
  };
  CHECK(piped({"place", "-"}, scenario) == piped({"place", "s.yaml"}, ""));
  CHECK(piped({"whatif", "-", "--scale", "web=3"}, scenario) == piped({"whatif", "s.yaml", "--scale", "web=3"}, ""));
  CHECK(cli::says(piped({"place", "-"}, ""), "standard input is empty"));
}

TEST_CASE("global options - standard input is read as far as the limit") {
  MemoryFiles files;
  for (const char* command : {"fit", "lint"}) {
    std::istringstream in(std::string(20u << 20, 'a'));
    std::ostringstream out;
    std::ostringstream err;
    const bool is_fit = std::string_view(command) == "fit";
    const int code = cli::run({command, "-", "--max-input", "17000000"}, {in, out, err, files});
    CHECK(code != cli::kClean);
    CHECK(code != cli::kInternalError);
    if (!is_fit) continue;  // of lint a large definition is a finding
    CHECK(code == cli::kUnusable);
    CHECK(err.str().find("standard input is larger than 17000000 bytes") != std::string::npos);
    CHECK(in.tellg() < (18 << 20));
  }
}
