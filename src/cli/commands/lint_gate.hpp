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

/// Does the same for the definitions of a scenario, including inline ones: returns false, with their errors on standard
/// error, when ECS would not take one of them.
/// `parameters`: those of templates.
bool accept_definitions(const placement::Scenario& scenario, const importers::ParameterValues& parameters,
                        const GlobalOptions& global, Streams& io);

/// Prints on standard error where the scenario's `needs` ask more of a GPU than any type of its cluster has (BAY461 to
/// BAY463). It stops nothing: ECS places without looking at it.
void tell_need_findings(const placement::Scenario& scenario, const importers::ParameterValues& parameters,
                        const GlobalOptions& global, Streams& io);

/// Prints on standard error what the rules of services (BAY1xxx) say of the scenario's services and tasks. It stops
/// nothing: what cannot be ranked (BAY1101, BAY1103, BAY1106) the loader has refused.
void tell_service_findings(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io);

}  // namespace bayplan::cli
