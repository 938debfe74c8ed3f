#pragma once
#include <string>
#include <vector>

#include "cli/io/load.hpp"
#include "lint/lint.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::cli {

/// Definitions with errors of the definition itself (BAY0-BAY8) are neither fitted nor placed: ECS would not take them.
/// Drops them from `loaded`, prints their errors on standard error, and gives their files.
std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const GlobalOptions& global, Streams& io);

/// Does the same for the definitions of a scenario, including inline ones: returns false, with their errors on standard
/// error, when ECS would not take one of them.
bool accept_definitions(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io);

/// Prints on standard error where the scenario's `needs` ask more of a GPU than any type of its cluster has (BAY461 to
/// BAY463). It stops nothing: ECS places without looking at it.
void tell_need_findings(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io);

/// Prints on standard error what the rules of services (BAY1xxx) say of the scenario's services and tasks. It stops
/// nothing: what cannot be ranked (BAY1101, BAY1103, BAY1106) the loader has refused.
void tell_service_findings(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io);

}  // namespace bayplan::cli
