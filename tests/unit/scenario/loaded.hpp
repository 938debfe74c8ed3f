#pragma once
#include <map>
#include <memory>
#include <string>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"

/// For tests of what a request for a scenario becomes.
namespace bayplan::placement::test {

using namespace scenario;  // NOLINT: tests of placement begin with a scenario that is loaded

/// A scenario, or its errors, with the catalog that it points into.
struct Loaded {
  catalog::Catalog catalog = catalog::Catalog::load();
  LoadedScenario result;
};

/// With `texts` as the files, by path.
inline std::unique_ptr<Loaded> load_texts(const ScenarioRequest& request, std::map<std::string, std::string> texts) {
  auto loaded = std::make_unique<Loaded>();
  loaded->result = load_scenario(request, MemoryFiles(std::move(texts)), loaded->catalog);
  return loaded;
}

/// "line:column: message (help)"
inline std::string placed_message(const Error& error) {
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message +
         (error.help.empty() ? "" : " (" + error.help + ")");
}

inline const Scenario& scenario_of(const Loaded& loaded) {
  for (const auto& error : loaded.result.errors) UNSCOPED_INFO(error.file << ":" << placed_message(error));
  REQUIRE(loaded.result.scenario);
  return *loaded.result.scenario;
}

}  // namespace bayplan::placement::test
