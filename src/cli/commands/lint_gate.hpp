#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/load.hpp"
#include "lint/lint.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::cli {

/// Definitions with errors of the definition itself (BAY0-BAY8) are neither fitted nor placed: ECS would not take them.
/// Drops them from `loaded`, prints their errors on standard error, and returns what the user calls them: their files,
/// or their places in a template.
std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const importers::ParameterValues& parameters,
                                      const GlobalOptions& global, Streams& io);

/// Lints the files of `loaded`, one report for each: of a template or plan only what is about the definitions in
/// `loaded`.
std::vector<lint::FileReport> lint_loaded(const LoadedDefinitions& loaded, const importers::ParameterValues& parameters,
                                          const lint::Tools& tools);

/// Which findings `accept_scenario` prints if ECS would accept the scenario.
enum class FindingsShown : std::uint8_t {
  kRejections,
  /// Also those about services and tasks, and `needs` that no type of the cluster meets (BAY461 to BAY463): ECS places
  /// without comparing them.
  kAll,
};

/// Whether ECS would accept the definitions of a scenario, including inline ones, and its services and tasks. If not,
/// their errors are on standard error, and nothing is simulated: an answer about a service that ECS rejects holds for
/// none. `parameters`: those of templates.
bool accept_scenario(const placement::Scenario& scenario, const importers::ParameterValues& parameters,
                     const GlobalOptions& global, Streams& io, FindingsShown shown = FindingsShown::kRejections);

}  // namespace bayplan::cli
