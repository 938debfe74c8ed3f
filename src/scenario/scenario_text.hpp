#pragma once
#include <string>

#include "base/result.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::scenario {

/// The scenario file, YAML, that asks what the command line asked: its instances, definitions, strategies and settings,
/// the services of a template, and examples of events and variants as comments. `loaded` is what `request` was read as,
/// `file` the path that the text is meant for: other paths in it are written from its folder. A snapshot, template or
/// plan of a cluster is named and not copied, so that the scenario keeps all that it describes. An error where the
/// request is a scenario file already, or asks for as many tasks as fit, which no scenario file says.
Result<std::string> scenario_text(const ScenarioRequest& request, const Scenario& loaded, const std::string& file);

}  // namespace bayplan::scenario
