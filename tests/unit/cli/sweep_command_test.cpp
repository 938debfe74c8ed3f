
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"
#include "report_schema.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;
using Json = nlohmann::json;

std::string definition(const std::string& family, int gpus) {
  const auto text = std::to_string(gpus);
  return R"({"family": ")" + family + R"(", "containerDefinitions": [{"name": "app", "image": "app:1", "cpu": 1024,
    "memory": 4000, "resourceRequirements": [{"type": "GPU", "value": ")" +
         text + R"("}]}]})";
}

const std::string kNight = R"(region: us-east-2
cluster:
  containerInstances:
    - {instanceType: g4dn.12xlarge, count: 4, availabilityZones: [us-east-2a, us-east-2b]}
taskDefinitions: [one.json, four.json]
services:
  - {serviceName: infer, taskDefinition: one, desiredCount: 6}
tasks:
  - {taskDefinition: four, count: 2}
)";

const std::string kAxes = R"(axes:
  strategy:
    even: {strategy: [spread:attribute:ecs.availability-zone, spread:instanceId]}
    pack: {strategy: binpack:memory}
  infer: {vary: scale infer, from: 4, to: 8, step: 2}
  more: {vary: add g4dn.12xlarge@us-east-2a, from: 0, to: 1}
  seed: {vary: seed, from: 1, to: 20}
)";

Ran run_sweep(const std::vector<std::string>& arguments, const std::string& axes = kAxes,
              bool (*interrupted)() = nullptr) {
  MemoryFiles files({{"night.yaml", kNight},
                     {"one.json", definition("one", 1)},
                     {"four.json", definition("four", 4)},
                     {"grid.yaml", axes.starts_with("scenario") ? axes : "scenario: night.yaml\n" + axes}});
  std::vector<std::string> line{"sweep", "grid.yaml"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_with(files, line, interrupted);
}

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

bool after_a_while() {
  static int asked = 0;
  return ++asked > 4;
}

}  // namespace

TEST_CASE("sweep command - one line a scenario, in the order of the grid, as the schema says") {
  const auto ran = run_sweep({"--output", "jsonl"});
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  const auto lines = json_lines(ran.out);
  REQUIRE(lines.size() == 240);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CHECK(lines[i]["index"] == i);
    CHECK(lines[i]["grid"] == lines[0]["grid"]);
  }
  CHECK(lines[0]["point"] == Json::parse(R"({"strategy": "even", "infer": 4, "more": 0, "seed": 1})"));
  CHECK(lines[239]["point"] == Json::parse(R"({"strategy": "pack", "infer": 8, "more": 1, "seed": 20})"));
  for (const std::size_t i : {0, 119, 239}) check_against_schema(lines[i].dump(), "sweep-report");
}

TEST_CASE("sweep command - any number of threads and any shards give the same bytes") {
  const auto alone = run_sweep({"--output", "jsonl", "-j", "1"});
  CHECK(run_sweep({"--output", "jsonl", "-j", "7"}).out == alone.out);
  std::string together;
  for (const auto* shard : {"1/7", "2/7", "3/7", "4/7", "5/7", "6/7", "7/7"})
    together += run_sweep({"--output", "jsonl", "--shard", shard}).out;
  CHECK(together == alone.out);
}

TEST_CASE("sweep command - a policy beside strategies is named as none of ECS") {
  const std::string axes =
      "axes:\n  scheduler:\n    default: {}\n    pack: {strategy: binpack:memory}\n    best: {policy: best-fit}\n"
      "    fgd: {policy: fgd}\n  lost: [{}, {lose-az: us-east-2b}]\n  seed: {vary: seed, from: 1, to: 5}\n";
  const auto ran = run_sweep({"--output", "jsonl"}, axes);
  CHECK(ran.err.empty());
  const auto lines = json_lines(ran.out);
  REQUIRE(lines.size() == 40);
  for (const auto& line : lines) {
    check_against_schema(line.dump(), "sweep-report");
    const auto scheduler = line["point"]["scheduler"];
    CHECK(line.contains("policy") == (scheduler == "best" || scheduler == "fgd"));
    if (line.contains("policy")) CHECK(line["policy"] == (scheduler == "fgd" ? "fgd" : "best-fit"));
  }
  // Spread, six tasks leave no instance with four free GPUs; packed, they leave two.
  CHECK(lines[0]["unplaced"] == 2);
  CHECK(lines[20]["unplaced"] == 0);
  CHECK(lines[30]["unplaced"] == 0);
  CHECK(run_sweep({"--output", "jsonl", "-j", "3"}, axes).out == ran.out);
  const auto summary = run_sweep({"--output", "json"}, axes);
  check_against_schema(summary.out, "sweep-summary-report");
  CHECK(Json::parse(summary.out)["policies"] == Json::parse(R"(["best-fit", "fgd"])"));
  CHECK(says(run_sweep({}, axes).out, "ECS offers none of these policies of the literature: best-fit, fgd\n"));
  CHECK_FALSE(says(run_sweep({}).out, "polic"));
}

TEST_CASE("sweep command - the summary answers first") {
  const auto ran = run_sweep({});
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  INFO(ran.out);
  CHECK(says(ran.out.substr(0, ran.out.find('\n')), " of 12 combinations place all tasks with every one of 20"));
  CHECK(says(ran.out, "strategy"));
  CHECK(says(ran.out, "Influence on unplaced tasks: "));
  CHECK(says(ran.out, "1 assumption (-v)\n"));
  std::istringstream in(ran.out);
  for (std::string line; std::getline(in, line) && !line.ends_with("(-v)");) CHECK(line.size() <= 80);
}

TEST_CASE("sweep command - stopped, the same command goes on, to the same bytes") {
  const TemporaryFolder folder;
  const auto whole = run_sweep({"--output", "jsonl"});
  const auto stopped = run_sweep({"--output", "jsonl=" + folder.file("r"), "-j", "1"}, kAxes, after_a_while);
  CHECK(stopped.code == 2);
  CHECK(says(stopped.err, "bayplan: stopped after 128 of 240 scenarios\n  Kept in "));
  CHECK(folder.get("r").empty());
  CHECK(whole.out.starts_with(folder.get("r.partial")));
  const auto on = run_sweep({"--output", "jsonl=" + folder.file("r")});
  CHECK(on.code == 0);
  CHECK(says(on.err, "continuing after 128 of 240 scenarios"));
  CHECK(folder.get("r") == whole.out);
  CHECK(on.out == run_sweep({}).out);
  const auto done = run_sweep({"--output", "jsonl=" + folder.file("r")});
  CHECK(done.err.empty());
  CHECK(done.out == on.out);
}

TEST_CASE("sweep command - the file of a grid that has changed since is refused, and begun anew when asked") {
  const TemporaryFolder folder;
  const std::vector<std::string> to_file{"--output", "jsonl=" + folder.file("r")};
  const std::string axes = "axes: {order: {vary: order, values: [given, largestFirst]}}\n";
  REQUIRE(run_sweep(to_file, axes).code == 0);
  const auto refused = run_sweep(to_file, axes + "# changed\n");
  CHECK(refused.code == 2);
  CHECK(says(refused.err, "these results belong to another grid"));
  const auto anew = run_sweep({"--output", "jsonl=" + folder.file("r"), "--fresh"}, axes + "# changed\n");
  CHECK(anew.code == 0);
  CHECK(json_lines(folder.get("r")).size() == 2);
}

TEST_CASE("sweep command - a scenario inside the grid") {
  const std::string grid =
      "scenario:\n  cluster: {containerInstances: [{instanceType: g4dn.12xlarge, count: 1}]}\n"
      "  taskDefinitions: [four.json]\n  tasks: [{taskDefinition: four, count: 2}]\n"
      "axes: {more: {vary: add g4dn.12xlarge, from: 0, to: 2}}\n";
  const auto ran = run_sweep({"--output", "jsonl"}, grid);
  INFO(ran.err);
  CHECK(ran.code == 0);
  const auto lines = json_lines(ran.out);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["unplaced"] == 1);
  CHECK(lines[0]["unplacedTasks"] == Json::parse(R"({"four": 1})"));
  CHECK(lines[1]["unplaced"] == 0);
  CHECK(lines[2]["summary"]["instances"] == 3);
  const auto broken = run_sweep({}, "scenario: {clusters: x}\naxes: {a: [{}, {order: given}]}\n");
  CHECK(broken.code == 2);
  CHECK(says(broken.err, "grid.yaml:1:12: unknown key 'clusters'"));
}

TEST_CASE("sweep command - what axes name and how they contradict each other is found before anything runs") {
  const auto error = [](const std::string& axes) {
    const auto ran = run_sweep({"--output", "jsonl"}, "axes:\n" + axes);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    return ran.err;
  };
  CHECK(says(error("  a: {vary: scale infre, from: 1, to: 2}\n"), "bayplan: grid.yaml:3:"));
  CHECK(says(error("  a: {vary: lose-az, values: [us-east-2c]}\n"), "bayplan: grid.yaml:3:31: "));
  CHECK(says(error("  a: {vary: strategy, values: [random]}\n  b: {vary: strategy, values: ['binpack:cpu']}\n"),
             "axes 'a' and 'b' both set the strategy"));
  CHECK(says(error("  a: {vary: seed, from: 1, to: 2}\n  b: {vary: seed, from: 1, to: 2}\n"),
             "axes 'a' and 'b' both set the seed"));
  CHECK(says(error("  a: {vary: scale infer, from: 1, to: 2}\n  b: {vary: scale infer, from: 1, to: 2}\n"),
             "'infer' is scaled twice"));
  CHECK(says(error("  a: [{lose-az: us-east-2a}, {}]\n  b: {vary: add g4dn.12xlarge@us-east-2a, from: 0, to: 2}\n"),
             "loses us-east-2a"));
  CHECK(says(
      error("  a: {vary: remove g4dn.12xlarge, from: 0, to: 2}\n  b: {vary: remove g4dn.12xlarge, from: 0, to: 3}\n"),
      "can be removed"));
}

TEST_CASE("sweep command - wrong usage") {
  CHECK(says(run_sweep({"--shard", "3/2"}).err, "no shard 3 of 2"));
  CHECK(says(run_sweep({"--output", "jsonll"}).err, "unknown output format 'jsonll'; did you mean 'jsonl'?"));
  CHECK(says(run_sweep({"-j", "-1"}).err, "--jobs must be a number from 1 to 1024"));
  CHECK(says(run_sweep({"other.yaml"}).err, "sweep takes one grid, not 2"));
  CHECK(says(run_sweep({"--shard", "slurm"}).err, "SLURM_ARRAY_TASK_ID is not set"));
  CHECK(says(run_sweep({"--output", "jsonl=/no-such-folder/r"}).err,
             "bayplan: /no-such-folder/r.partial: cannot write: folder not found: /no-such-folder"));
  CHECK(says(run_sweep({}, "scenario: gone.yaml\naxes: {a: [{order: given}]}\n").err, "gone.yaml"));
}

TEST_CASE("sweep command - more than 100,000 scenarios are counted, estimated and run only with --all") {
  const std::string axes = "axes:\n  seed: {vary: seed, from: 1, to: 100001}\n";
  const auto refused = run_sweep({}, axes);
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.starts_with("bayplan: the grid has 100,001 scenarios (about "));
  CHECK(says(refused.err, "; more than 100,000 require --all\n"));
  CHECK(says(refused.err, "--shard"));
  const auto part = run_sweep({"--shard", "1/1000"}, axes);  // 100 of them
  CHECK(part.code == 0);
  CHECK(part.err.empty());
  const auto all = run_sweep({"--all"}, axes, after_a_while);  // interrupted soon
  CHECK(says(all.err, "bayplan: sweep: 100,001 scenarios (about "));
  CHECK(says(all.err, "stopped after "));
  const auto fewer = run_sweep({}, "axes:\n  seed: {vary: seed, from: 1, to: 100000}\n", after_a_while);
  CHECK_FALSE(says(fewer.err, "--all"));
}
