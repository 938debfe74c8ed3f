// Any bytes as a grid of scenarios, beside a sound scenario that it may name: no crash; errors stand inside the file;
// of what loads the first and the last scenarios are placed, and every answer stands up to its own check.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/memory_files.hpp"
#include "fuzz.hpp"
#include "parts.hpp"
#include "plain_catalog.hpp"
#include "study/sweep/sweep_scenarios.hpp"

using namespace bayplan;

namespace {

constexpr std::int64_t kMostTried = 6;
constexpr std::int64_t kMostCombined = 2'000;

constexpr const char* kScenario = R"(region: us-east-2
cluster:
  containerInstances:
    - {instanceType: g4dn.12xlarge, count: 2, availabilityZones: [us-east-2a, us-east-2b]}
taskDefinitions: [train.json]
services:
  - {serviceName: infer, taskDefinition: train, desiredCount: 3}
tasks:
  - {taskDefinition: train, count: 2}
)";
constexpr const char* kTrain = R"({"family": "train", "containerDefinitions": [
  {"name": "trainer", "image": "trainer:1", "cpu": 1024, "memory": 4000,
   "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";

void try_scenarios(const study::GridScenario& grid, const catalog::Catalog& catalog) {
  const auto size = study::size_of(grid.grid);
  require(size > 0 && size <= study::kMaxScenarios, "a grid of no scenarios, or of too many");
  study::SweepEvaluator evaluator(grid, catalog);
  for (std::int64_t i = 0; i < std::min(size, kMostTried); ++i) {
    static_cast<void>(evaluator.evaluate(i % 2 == 0 ? i : size - i));
    require(evaluator.mistakes().empty(), evaluator.mistakes().empty() ? "" : evaluator.mistakes().front());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (has_number_of(bytes, 4)) return 0;
  const MemoryFiles files({{"grid.yaml", bytes}, {"night.yaml", kScenario}, {"train.json", kTrain}});
  auto& catalog = plain_catalog();
  const auto loaded = study::load_grid("grid.yaml", files, catalog);
  require((loaded.grid != nullptr) == loaded.errors.empty(), "neither a grid nor an error, or both");
  for (const auto& error : loaded.errors) require(!error.message.empty(), "an error says nothing");
  if (!loaded.grid || study::size_of(loaded.grid->grid) > kMostCombined) return 0;
  const auto& scenario = loaded.grid->scenario;
  if (!scenario.not_simulated.empty() || !scenario.over_time.empty() || scenario.instances.size() > 50) return 0;
  if (study::check_points(*loaded.grid, catalog).empty()) try_scenarios(*loaded.grid, catalog);
  return 0;
}
