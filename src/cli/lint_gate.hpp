#pragma once
#include <string>
#include <vector>

#include "cli/load.hpp"
#include "lint/lint_files.hpp"
#include "placement/scenario.hpp"

namespace bayplan::cli {

/// Definitions with errors of the definition itself (BAY0-BAY8) are neither fitted nor placed: ECS would not take them.
/// Drops them from `loaded`, prints their errors on standard error, and gives their files.
std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const GlobalOptions& global, Streams& io);

/// The same for the definitions of a scenario, inline ones too: false, with their errors on standard error, when ECS
/// would not take one of them.
bool accept_definitions(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io);

}  // namespace bayplan::cli
