#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"

namespace lint_control_test {

namespace {

using namespace bayplan;
using Json = nlohmann::json;

const std::string kBad =
    R"({"family": "my app", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 5}]})";
const std::string kFargate =
    R"({"family": "api", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512",
        "containerDefinitions": [{"name": "app", "image": "nginx:1.27"}]})";
const std::string kGpu =
    R"({"family": "train", "requiresCompatibilities": ["EC2"], "containerDefinitions": [{"name": "app",
        "image": "nvidia/cuda:12.4.1-base-ubuntu22.04", "memory": 512,
        "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome bayplan_run(MemoryFiles& files, std::vector<std::string> arguments, std::int64_t (*clock)() = nullptr) {
  arguments.insert(arguments.begin(), "lint");
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(arguments, {.in = in, .out = out, .err = err, .files = files, .clock = clock});
  return {code, out.str(), err.str()};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("lint control - a baseline makes a run clean until something is new") {
  MemoryFiles files;
  files.content = {{"deploy/bad.json", kBad}};
  const auto written = bayplan_run(files, {"--create-baseline", "known.json", "deploy"});
  CHECK(written.code == 0);
  CHECK(written.err == "bayplan: known.json: wrote 2 findings of 1 file; --baseline known.json suppresses them\n");
  CHECK(Json::parse(files.content["known.json"])["findings"].size() == 2);

  const auto known = bayplan_run(files, {"--baseline", "known.json", "deploy"});
  CHECK(known.code == 0);
  CHECK(known.err.empty());
  CHECK(contains(known.out, "no findings in 1 file; 2 suppressed"));
  CHECK(bayplan_run(files, {"--baseline", "known.json", "--no-ignores", "deploy"}).code == 1);

  files.content["deploy/new.json"] = kBad;
  CHECK(bayplan_run(files, {"--baseline", "known.json", "deploy"}).code == 1);
  files.content["deploy/new.json"] = kFargate;
  files.content["deploy/bad.json"].replace(12, 6, "my-app");
  const auto fixed = bayplan_run(files, {"--baseline", "known.json", "deploy"});
  CHECK(fixed.code == 0);
  CHECK(fixed.err == "bayplan: known.json: 1 finding of the baseline is fixed; --create-baseline updates it\n");
  CHECK(bayplan_run(files, {"--baseline", "known.json", "deploy", "-q"}).err.empty());
}

TEST_CASE("lint control - a report counts what is suppressed") {
  MemoryFiles files;
  files.content = {{"bad.json", kBad}, {".bayplan.yaml", "perFileIgnores: [{rules: BAY102, reason: old}]\n"}};
  const auto report = Json::parse(bayplan_run(files, {"--format", "json", "bad.json"}).out);
  CHECK(report["summary"]["suppressed"] == 1);
  CHECK(report["summary"]["error"] == 0);
  REQUIRE(report["findings"].size() == 2);
  CHECK(report["findings"][0]["suppressed"] == true);
  CHECK(report["findings"][1]["suppressed"] == false);
}

TEST_CASE("lint control - what is suppressed is not fixed") {
  const std::string quoted =
      R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": "512"}]})";
  MemoryFiles files;
  files.content = {
      {"a.json", quoted}, {"b.json", quoted}, {".bayplan.yaml", "perFileIgnores: [{files: a.json, rules: ALL}]"}};
  CHECK(bayplan_run(files, {"--fix"}).code == 0);
  CHECK(files.content["a.json"] == quoted);
  CHECK(files.content["b.json"] != quoted);
  CHECK(bayplan_run(files, {"--fix", "--no-ignores", "--create-baseline", "known.json"}).code == 0);
  CHECK(files.content["a.json"] == files.content["b.json"]);
  CHECK(Json::parse(files.content["known.json"])["findings"].empty());
  CHECK(bayplan_run(files, {"--diff", "--create-baseline", "known.json"}).code == 2);
}

TEST_CASE("lint control - an incomplete run writes no baseline") {
  MemoryFiles files;
  files.content = {{"bad.json", kBad}, {"known.json", "as it was"}};
  CHECK(bayplan_run(files, {"--create-baseline", "known.json", "bad.json", "gone.json"}).code == 2);
  CHECK(files.content["known.json"] == "as it was");
  CHECK(bayplan_run(files, {"--create-baseline", "a.json", "--baseline", "b.json", "bad.json"}).code == 2);
  CHECK(bayplan_run(files, {"--create-baseline", "a.json", "--init"}).code == 2);
  CHECK(bayplan_run(files, {"--baseline", "gone.json", "bad.json"}).code == 2);
}

TEST_CASE("lint control - what is suppressed does not depend on the threads") {
  MemoryFiles files;
  std::string config = "perFileIgnores:\n";
  for (int i = 0; i < 60; ++i) {
    files.content["d/" + std::to_string(i) + ".json"] = kBad;
    if (i % 3 == 0) config += "  - {files: \"/d/" + std::to_string(i) + ".json\", rules: [BAY102, BAY113]}\n";
  }
  files.content[".bayplan.yaml"] = config;
  const auto one = bayplan_run(files, {"-j", "1", "--format", "json"});
  const auto eight = bayplan_run(files, {"-j", "8", "--format", "json"});
  CHECK(one.out == eight.out);
  CHECK(one.err == eight.err);
  CHECK(Json::parse(one.out)["summary"]["suppressed"] == 20);
  CHECK(std::count(one.err.begin(), one.err.end(), '\n') == 20);
}

TEST_CASE("lint control - the clock decides when an ignore ends") {
  MemoryFiles files;
  files.content = {{"a.yaml",
                    "family: my app  # bayplan: ignore=BAY102 until=2026-11-20\n"
                    "containerDefinitions: [{name: app, image: 'nginx:1.27', memory: 64}]\n"}};
  CHECK(bayplan_run(files, {"a.yaml"}, [] { return std::int64_t{1763683199}; }).code == 0);    // 2025-11-20T23:59:59Z
  const auto after = bayplan_run(files, {"a.yaml"}, [] { return std::int64_t{1795219200}; });  // 2026-11-21
  CHECK(after.code == 1);
  CHECK(contains(after.err, "a.yaml:1:42: ignore expired on 2026-11-20"));
}

TEST_CASE("lint control - a first config fits what is there and changes no finding") {
  MemoryFiles files;
  files.content = {{"bad.json", kBad}, {"api.json", kFargate}, {"train.json", kGpu}};
  const auto before = bayplan_run(files, {"--format", "json"});
  const auto written = bayplan_run(files, {"--init"});
  CHECK(written.code == 0);
  CHECK(contains(written.out,
                 "wrote .bayplan.yaml for 3 task definitions (1 EC2, 1 FARGATE, 1 without "
                 "requiresCompatibilities)\n"));
  CHECK(contains(written.out, "1 error, "));
  const std::string config = files.content[".bayplan.yaml"];
  CHECK(contains(config, "# 1 definition here lacks it.\n# launchType: FARGATE\n"));
  CHECK(contains(config, "# 1 definition here wants GPUs.\n"));
  CHECK(contains(config, "--create-baseline .bayplan-baseline.json"));
  CHECK(bayplan_run(files, {"--format", "json"}).out == before.out);

  CHECK(bayplan_run(files, {"--init"}).code == 2);
  CHECK(files.content[".bayplan.yaml"] == config);
  CHECK(bayplan_run(files, {"--init", "--config", "other.yaml"}).code == 0);
  CHECK(files.content.count("other.yaml") == 1);
}

TEST_CASE("lint control - every line that a first config leaves out can be taken in") {
  MemoryFiles files;
  files.content = {{"train.json", kGpu}, {"bad.json", kBad}};
  REQUIRE(bayplan_run(files, {"--init"}).code == 0);
  std::istringstream lines(files.content[".bayplan.yaml"]);
  std::string config;
  for (std::string line; std::getline(lines, line);) {
    const bool is_setting = line.starts_with("# ") && (line.find(": ") != std::string::npos || line.ends_with(":")) &&
                            line[2] >= 'a' && line[2] <= 'z' && line.find(' ', 2) > line.find(':');
    config += (is_setting || line.starts_with("#   - ") ? line.substr(2) : line) + "\n";
  }
  files.content[".bayplan.yaml"] = config;
  const auto shown = bayplan_run(files, {"--show-config"});
  CHECK(shown.code == 0);
  CHECK(shown.err.empty());
  CHECK(contains(shown.out, "deployWith: aws-cli  # .bayplan.yaml:"));
  CHECK(contains(shown.out, "files: [legacy/], rules: [BAY113], until: 2027-01-31"));
}

TEST_CASE("lint control - variables of the config are filled in, and --var replaces single ones") {
  MemoryFiles files;
  files.content = {{".bayplan.yaml", "variables: {TAG: '1.27', MEMORY: '3'}\n"},
                   {"web.json", R"({"family": "web", "containerDefinitions": [
                                    {"name": "web", "image": "nginx:${TAG}", "memory": ${MEMORY}}]})"}};
  const auto small = bayplan_run(files, {"--strict-unknown", "web.json"});
  CHECK(contains(small.out, "BAY208 memory-under-minimum: memory 3 MiB"));
  const auto enough = bayplan_run(files, {"--strict-unknown", "--var", "MEMORY=512", "web.json"});
  CHECK(enough.out == "no findings in 1 file\n");
  CHECK(enough.err.empty());
  CHECK(contains(bayplan_run(files, {"--show-config", "--var", "MEMORY=512"}).out,
                 "variables:  # .bayplan.yaml:1\n  MEMORY: \"512\"  # --var\n  TAG: \"1.27\"  # .bayplan.yaml:1\n"));
}

TEST_CASE("lint control - what is shown reads back as the same settings") {
  MemoryFiles files;
  files.content = {
      {"bad.json", kBad},
      {".bayplan.yaml",
       "include: ['*.taskdef', 'a # b']\nexclude: [gen/]\nlaunchType: FARGATE\ndeployWith: terraform\n"
       "types: ['g4dn.*']\ncluster: {reservedMemory: 64, trunking: true}\nselect: [BAY1, 'gpu']\n"
       "needs: {'a b/c': {gpuMemory: 1GiB, minComputeCapability: 7.5, interconnect: pcie}}\n"
       "severity: {BAY102: info, BAY1: style, team/tag: error}\nplaceholders: ['@@\\w+@@', \"it's\"]\n"
       "perFileIgnores: [{rules: [BAY1], path: 'a[\"b\"]', reason: 'x: # y'}]\nvariables: {TAG: '1 # 2'}\n"
       "rules:\n  - id: team/tag\n    path: 'tags[\"a # b\"].value'\n    require: {matches: \"^\\\\d: 'x'$\"}\n"
       "    message: \"{value}: a  # b\"\n    fix: {set: \"1: 'x'\", safe: true}\n    good: [{family: a}]\n"}};
  const auto without_origins = [](const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) result += line.substr(0, line.rfind("  # ")) + "\n";
    return result;
  };
  const auto first = bayplan_run(files, {"--show-config"});
  REQUIRE(first.code == 0);
  files.content["shown.yaml"] = first.out;
  const auto second = bayplan_run(files, {"--show-config", "--config", "shown.yaml"});
  CHECK(second.err.empty());
  CHECK(without_origins(second.out) == without_origins(first.out));
  CHECK(contains(first.out, "launchType: FARGATE  # .bayplan.yaml:3\n"));
  CHECK(contains(bayplan_run(files, {"--show-config", "--launch-type", "EC2", "--strict"}).out,
                 "launchType: EC2  # --launch-type\n"));
}

}  // namespace lint_control_test
