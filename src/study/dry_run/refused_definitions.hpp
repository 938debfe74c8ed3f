#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/lint.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// What ECS has registered it has accepted: its errors do not matter any more.
enum class WhichDefinitions : std::uint8_t { kAll, kNotRegistered };

/// Lints the definitions of a scenario: every file once, an inline definition as a file of its own, positions those of
/// the files. Of a template or plan only what is about the scenario's definitions.
std::vector<lint::FileReport> lint_definitions(const placement::Scenario& scenario, const lint::Options& options,
                                               const lint::Tools& tools,
                                               WhichDefinitions which = WhichDefinitions::kAll);

/// Whether a finding of a template or plan is about the definition that the file calls `name`.
bool is_about(const lint::FileReport& report, const lint::LintFinding& finding, std::string_view name);

/// Leaves of a template or plan the findings about these definitions.
void keep_findings_about(lint::FileReport& report, const std::set<std::string>& names);

/// Leaves what makes ECS refuse to register it: errors of the definition itself (BAY0-BAY8).
void keep_errors_of_definition(lint::FileReport& report);

/// Definitions that ECS would not take, with these errors alone; they are neither fitted nor placed. `parameters`:
/// those of templates.
std::vector<lint::FileReport> refused_definitions(const placement::Scenario& scenario, const lint::Tools& tools,
                                                  const importers::ParameterValues& parameters = {});

}  // namespace bayplan::study
