#pragma once
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "bayplan/result.hpp"
#include "bayplan/scenario.hpp"
#include "catalog/catalog.hpp"
#include "library/input_files.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::v0 {

bayplan::Limits limits_of(const ScenarioInput& input);

/// As the loader takes it; an error where the options contradict themselves.
Result<bayplan::scenario::ScenarioRequest> request_of(const ScenarioInput& input,
                                                      const bayplan::catalog::Catalog& catalog);

/// Reads the scenario. `catalog` takes up its own instance types and must outlive it.
Result<bayplan::placement::Scenario> load(const bayplan::scenario::ScenarioRequest& request, const InputFiles& files,
                                          bayplan::catalog::Catalog& catalog, const bayplan::Limits& limits);

/// Why ECS would refuse definitions of the scenario; nothing when it would not, or `input` does not ask.
std::vector<Error> refused_definitions(const ScenarioInput& input, const bayplan::placement::Scenario& scenario);

}  // namespace bayplan::v0
