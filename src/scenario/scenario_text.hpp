#pragma once
#include <string>

#include "base/files.hpp"
#include "base/result.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::scenario {

/// The scenario file, YAML, that asks what the command line asked: its instances, definitions, strategies and settings,
/// the services of a template, and examples of events and variants as comments. `loaded` is what `request` was read as;
/// it has a scenario. `file` is the path that the text is meant for: other paths in it are written from its folder. A
/// snapshot, template or plan of a cluster is named and not copied, so that the scenario keeps all that it describes.
/// An error for what no scenario file says: another scenario file, a cluster file with instances beside it, as many
/// tasks as fit; and for a text that could not be loaded from `file`, because it names files outside of its project.
Result<std::string> scenario_text(const ScenarioRequest& request, const LoadedScenario& loaded, const std::string& file,
                                  const Files& files, const Limits& limits);

}  // namespace bayplan::scenario
