#pragma once
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

/// Whether ECS would accept the definitions of a scenario, including inline ones, and its services and tasks. If not,
/// their errors are on standard error, and nothing is simulated: an answer about a service that ECS rejects holds for
/// none. `parameters`: those of templates.
bool accept_scenario(const placement::Scenario& scenario, const importers::ParameterValues& parameters,
                     const GlobalOptions& global, Streams& io);

/// Prints on standard error where the scenario's `needs` ask more of a GPU than any type of its cluster has (BAY461 to
/// BAY463). It stops nothing: ECS places without looking at it.
void tell_need_findings(const placement::Scenario& scenario, const importers::ParameterValues& parameters,
                        const GlobalOptions& global, Streams& io);

/// Prints on standard error what the rules of services (BAY1xxx) say of the scenario's services and tasks.
void tell_service_findings(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io);

}  // namespace bayplan::cli
