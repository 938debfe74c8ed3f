// Any bytes as a template or plan that describes the cluster: no crash; what loads is placed upon, the check agrees
// with the engine, both reports are written, and errors stand inside the file. The first byte chooses the name: odd is
// .yaml, even .json; and whether one of several clusters is named.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/memory_files.hpp"
#include "fuzz.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/load_scenario.hpp"

using namespace bayplan;

namespace {

constexpr const char* kTrain = R"({"family": "train", "containerDefinitions": [
  {"name": "trainer", "image": "trainer:1", "cpu": 1024, "memory": 1000,
   "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static auto catalog = catalog::Catalog::load();
  const std::string name = data[0] % 2 == 1 ? "cluster.yaml" : "cluster.json";
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  // A carriage return ends a line too, in YAML and in the places of errors.
  const auto ends = std::count_if(bytes.begin(), bytes.end(), [](char c) { return c == '\n' || c == '\r'; });
  const auto lines = static_cast<std::size_t>(ends) + 1;
  scenario::ScenarioRequest request;
  request.cluster = data[0] % 4 < 2 ? name : name + "#Prod";
  request.tasks = {"train.json=3"};
  const auto loaded = scenario::load_scenario(request, MemoryFiles({{name, bytes}, {"train.json", kTrain}}), catalog);
  require(loaded.scenario.has_value() == loaded.errors.empty(), "neither a scenario nor an error, or both");
  for (const auto& error : loaded.errors) {
    require(!error.message.empty(), "an error says nothing");
    // UTF-16 has line ends that the bytes do not show.
    const bool is_plain = bytes.find('\0') == std::string::npos;
    require(!is_plain || error.file != name || error.line <= lines, "an error behind the end of the file");
  }
  if (!loaded.scenario || loaded.scenario->instances.size() > 100) return 0;
  const auto& scenario = *loaded.scenario;
  const auto outcome = placement::place(scenario);
  const auto mistakes = placement::verify(scenario, outcome);
  require(mistakes.empty(), mistakes.empty() ? "" : mistakes.front());
  return 0;
}
