// Any bytes as a file of describe output, beside a sound one: no crash; what loads is placed upon, the check agrees
// with the engine, and both reports are written.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "base/memory_files.hpp"
#include "definitions.hpp"
#include "fuzz.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "plain_catalog.hpp"
#include "report/place/place_report.hpp"
#include "scenario/load_scenario.hpp"

using namespace bayplan;

namespace {

constexpr const char* kInstance = R"({"containerInstances": [{
  "containerInstanceArn": "arn:aws:ecs:us-east-2:1:container-instance/prod/a", "ec2InstanceId": "i-a", "version": 1,
  "registeredResources": [{"name": "CPU", "integerValue": 32768}, {"name": "MEMORY", "integerValue": 240000},
                          {"name": "GPU", "stringSetValue": ["G0", "G1", "G2", "G3"]}],
  "remainingResources": [{"name": "CPU", "integerValue": 30000}, {"name": "MEMORY", "integerValue": 240000},
                         {"name": "GPU", "stringSetValue": ["G1", "G2", "G3"]}],
  "attributes": [{"name": "ecs.instance-type", "value": "p3.8xlarge"}, {"name": "ecs.availability-zone", "value": "us-east-2a"}]}]})";
constexpr const char* kScenario = R"(cluster: prod
taskDefinitions: [train.json]
services:
  - {serviceName: web, taskDefinition: train, desiredCount: 3, placementConstraints: [{type: distinctInstance}]}
tasks:
  - {taskDefinition: train, count: 3, placementStrategy: [{type: spread, field: instanceId}]}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const MemoryFiles files(
      {{"s.yaml", kScenario}, {"train.json", definitions::kTrain}, {"prod/a.json", kInstance}, {"prod/b.json", bytes}});
  const auto loaded = scenario::load_scenario({.scenario = "s.yaml"}, files, plain_catalog());
  require(loaded.scenario.has_value() == loaded.errors.empty(), "neither a scenario nor an error, or both");
  if (!loaded.scenario || loaded.scenario->instances.size() > 100) return 0;
  const auto& scenario = *loaded.scenario;
  const auto outcome = placement::place(scenario);
  const auto mistakes = placement::verify(scenario, outcome);
  require(mistakes.empty(), mistakes.empty() ? "" : mistakes.front());
  const auto report = report::make_place_report(scenario, outcome);
  std::ostringstream out;
  report::write_text(out, report::place_document(report), {.verbose = true});
  report::write_place_json(out, report, {});
  return 0;
}
