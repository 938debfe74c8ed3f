// A whole command: its arguments, one a line; behind them what stands in the file `f` (`f.json`, `f.yaml`, `f.csv`) and
// on standard input. Beside it lie a scenario, a cluster and definitions. No crash, never exit code 3, a word with
// every exit code 2, and a JSON report that is JSON.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "base/memory_files.hpp"
#include "cli/application.hpp"
#include "definitions.hpp"
#include "fuzz.hpp"
#include "parts.hpp"
#include "text/read.hpp"

using namespace bayplan;

namespace {

constexpr const char* kScenario = R"(region: us-east-2
cluster: cluster.yaml
taskDefinitions: [web.json, train.json]
services:
  - {serviceName: api, taskDefinition: web, desiredCount: 3}
tasks:
  - {taskDefinition: train, count: 2}
)";
constexpr const char* kCluster = R"(containerInstances:
  - {instanceType: c5.2xlarge, count: 2, availabilityZones: [us-east-2a, us-east-2b]}
  - {instanceType: p3.8xlarge, count: 1, availabilityZone: us-east-2a}
)";

bool begins_with(const std::vector<std::string>& arguments, std::string_view option) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const auto& one) { return one.starts_with(option); });
}

/// Whether the command ends soon and writes no file but through `Files`.
bool is_affordable(const std::vector<std::string>& arguments, const std::string& text) {
  if (arguments.empty() || arguments.size() > 40 || has_number_of(text, 4)) return false;
  if (arguments[0] == "fleet") return begins_with(arguments, "--effort");
  return arguments[0] != "sweep" || !begins_with(arguments, "jsonl=");
}

void check_json(const MemoryFiles& files) {
  const auto found = files.content.find("out.json");
  if (found == files.content.end()) return;
  const auto document = text::read_document(found->second, {.format = text::Format::kJson});
  require(document->root() && document->faults().empty(), "a report that is no JSON: " + found->second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = parts_of(data, size, 2);
  const auto arguments = lines_of(parts[0]);
  if (!is_affordable(arguments, parts[0] + parts[1])) return 0;
  MemoryFiles files({{"s.yaml", kScenario},
                     {"cluster.yaml", kCluster},
                     {"web.json", definitions::kWeb},
                     {"train.json", definitions::kTrain}});
  for (const char* name : {"f", "f.json", "f.yaml", "f.csv"}) files.content[name] = parts[1];
  std::istringstream in(parts[1]);
  std::ostringstream out, err;
  const int code = cli::run(arguments, {in, out, err, files});
  require(code >= 0 && code <= 2, "exit code " + std::to_string(code) + ": " + err.str());
  require(code != cli::kUnusable || !err.str().empty() || !out.str().empty(), "exit code 2 without a word");
  check_json(files);
  return 0;
}
