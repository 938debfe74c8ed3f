#include "cli/case/reported_case.hpp"

#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/case/anonymize.hpp"
#include "cli/ran.hpp"
#include "report_schema.hpp"

/// Runs without names, for bug reports.
namespace bayplan::cli::reported_case_test {
namespace {

using Json = nlohmann::json;

const char* const kScenario = R"json({
  "cluster": {"clusterName": "acme-prod", "containerInstances": [
    {"instanceType": "m5.large", "count": 2, "availabilityZones": ["us-east-1a", "us-east-1b"], "attributes": {"acmeTier": "gold"}}]},
  "taskDefinitions": ["defs/*.json"],
  "services": [{"serviceName": "acme-web", "taskDefinition": "invoice:3", "desiredCount": 3,
    "placementConstraints": [{"type": "memberOf", "expression": "attribute:acmeTier == gold and not(task:group == service:zulu)"
}]
}]
})json";
const char* const kDefinition =
    R"({"family": "invoice", "revision": 3, "executionRoleArn": "arn:aws:iam::111122223333:role/acmeRole",
  "containerDefinitions": [{"name": "ledger", "image": "111122223333.dkr.ecr.us-east-1.amazonaws.com/ledger:1.2", "memory": 512,
    "environment": [{"name": "PASSWORD", "value": "hunter2 \u00e9clair"}]}]})";
constexpr std::string_view kNames[] = {"acme",  "gold",         "invoice",  "zulu",     "ledger",     "hunter2",
                                       "clair", "111122223333", "acmeTier", "acmeRole", "secret-plan"};

RecordedRun recorded() {
  return {{"place", "secret-plan/s.json", "--lose-az=us-east-1a", "--task", "invoice=2"},
          {{"secret-plan/s.json", kScenario}, {"secret-plan/defs/invoice.json", kDefinition}}};
}

std::string all_of(const RecordedRun& run) {
  std::string text;
  for (const auto& word : run.words) text += word + '\n';
  for (const auto& [path, content] : run.files) text += path + '\n' + content + '\n';
  return text;
}

MemoryFiles disk() {
  MemoryFiles files;
  files.content = recorded().files;
  return files;
}

}  // namespace

TEST_CASE("reported case - no name is left and what bayplan reads stays") {
  const auto replaced = anonymized(recorded(), PublicWords::load());
  const auto text = all_of(replaced);
  for (const auto name : kNames) {
    INFO(name);
    CHECK(text.find(name) == std::string::npos);
  }
  CHECK(replaced.words[0] == "place");
  CHECK(replaced.words[2] == "--lose-az=us-east-1a");
  for (const std::string_view kept :
       {"m5.large", "containerDefinitions", "us-east-1b", "memberOf", "\"memory\": 512"}) {
    INFO(kept);
    CHECK(text.find(kept) != std::string::npos);
  }
}

TEST_CASE("reported case - a name is the same everywhere and the order of names stays") {
  const auto replaced = anonymized(recorded(), PublicWords::load());
  const auto scenario =
      Json::parse(replaced.files.begin()->second.starts_with("{\"family") ? std::next(replaced.files.begin())->second
                                                                          : replaced.files.begin()->second);
  const auto reference = scenario["services"][0]["taskDefinition"].get<std::string>();
  const auto family = reference.substr(0, reference.find(':'));
  CHECK(reference == family + ":3");
  CHECK(replaced.words[4] == family + "=2");
  CHECK(all_of(replaced).find("\"family\": \"" + family + "\"") != std::string::npos);
  const RecordedRun names{{"place", "zulu", "alpha", "mike"}, {}};
  const auto sorted = anonymized(names, PublicWords::load()).words;
  CHECK(sorted[2] < sorted[3]);
  CHECK(sorted[3] < sorted[1]);
}

TEST_CASE("reported case - paths stay below the folder of the case") {
  const RecordedRun outside{{"place", "/home/alice/s.json", "--cluster=../alice/live/"},
                            {{"/home/alice/s.json", "{}"}, {"../alice/live/tasks.json", "{}"}}};
  const auto replaced = anonymized(outside, PublicWords::load());
  for (const auto& [path, content] : replaced.files) {
    CHECK_FALSE(path.starts_with('/'));
    CHECK(path.find("..") == std::string::npos);
  }
  CHECK(replaced.files.contains(replaced.words[1]));
  CHECK(replaced.files.contains(replaced.words[2].substr(std::string("--cluster=").size()) + "/tasks.json"));
}

TEST_CASE("reported case - the option writes the command and its inputs and the exit code stays") {
  auto files = disk();
  const std::vector<std::string> line = {"place", "secret-plan/s.json", "--no-lint"};
  const auto plain = run_with(files, line);
  auto with_case = line;
  with_case.insert(with_case.end(), {"--anonymize", "case.json"});
  const auto ran = run_with(files, with_case);
  INFO(ran.err);
  CHECK(ran.code == plain.code);
  CHECK(ran.out == plain.out);
  CHECK(says(ran.err, "wrote case.json: the command and 2 input files without names"));
  REQUIRE(files.content.contains("case.json"));
  const auto& text = files.content.at("case.json");
  check_against_schema(text, "case");
  for (const auto name : kNames) CHECK(text.find(name) == std::string::npos);
  const auto written = Json::parse(text);
  CHECK(written["exit"] == plain.code);
  MemoryFiles again;
  for (const auto& [path, content] : written["files"].items()) again.content[path] = content.get<std::string>();
  const auto repeated = run_with(again, written["command"].get<std::vector<std::string>>());
  CHECK(repeated.code == plain.code);
  CHECK_FALSE(says(repeated.out, "acme"));
}

TEST_CASE("reported case - a case that no longer fails is not written") {
  MemoryFiles files;
  const auto passes = [](const RecordedRun&) { return static_cast<int>(kClean); };
  const auto error = write_case(recorded(), kInternalError, "case.json", files, passes);
  REQUIRE(error);
  CHECK(error->message == "without its names the run ends with exit code 0, not 3: no case was written");
  CHECK(files.content.empty());
  const auto fails = [](const RecordedRun& run) { return run.words.front() == "place" ? 3 : 0; };
  CHECK_FALSE(write_case(recorded(), kInternalError, "case.json", files, fails));
  CHECK(Json::parse(files.content.at("case.json"))["exit"] == 3);
}

TEST_CASE("reported case - an internal error says how to report it") {
  std::istringstream in;
  std::ostringstream out, err;
  MemoryFiles files;
  Streams io{in, out, err, files};
  io.case_command = "bayplan fleet s.json --anonymize case.json";
  CHECK(internal_error(io, {"the bound does not hold"}, Reported::kWhatHolds) == kInternalError);
  CHECK(err.str() ==
        "bayplan: internal error: the result failed its own verification\n"
        "  the bound does not hold\n"
        "  The report leaves this out; everything in it was verified.\n"
        "  Please report it. This command writes a case without your names:\n"
        "    bayplan fleet s.json --anonymize case.json\n");
}

TEST_CASE("reported case - the option of the command goes before what an aws line has") {
  CHECK(with_anonymize({"dry-run", "--anonymize", "a.json", "--", "aws", "ecs"}) ==
        std::vector<std::string>{"dry-run", "--anonymize", "case.json", "--", "aws", "ecs"});
  CHECK(without_anonymize({"fleet", "--anonymize=a.json", "s.json"}) == std::vector<std::string>{"fleet", "s.json"});
}

TEST_CASE("reported case - the former spelling of the option names the present one") {
  MemoryFiles files;
  CHECK(says(run_with(files, {"replay", "x", "--anonymise", "a"}).err, "did you mean '--anonymize FILE'?"));
}

}  // namespace bayplan::cli::reported_case_test
