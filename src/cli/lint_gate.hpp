#pragma once
#include <string>
#include <vector>

#include "cli/load.hpp"
#include "lint/lint_files.hpp"

namespace bayplan::cli {

/// Definitions with errors of the definition itself (BAY0-BAY8) are neither fitted nor placed: ECS would not take them.
/// Drops them from `loaded`, prints their errors on standard error, and gives their files.
std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const GlobalOptions& global, Streams& io);

}  // namespace bayplan::cli
