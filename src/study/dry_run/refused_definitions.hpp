#pragma once
#include <cstdint>
#include <vector>

#include "lint/lint.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// What ECS has registered it has accepted: its errors are nobody's business any more.
enum class WhichDefinitions : std::uint8_t { kAll, kNotRegistered };

/// Lints the definitions of a scenario: every file once, an inline definition as a file of its own, positions those of
/// the files.
std::vector<lint::FileReport> lint_definitions(const placement::Scenario& scenario, const lint::Options& options,
                                               const lint::Tools& tools,
                                               WhichDefinitions which = WhichDefinitions::kAll);

/// Leaves what makes ECS refuse to register it: errors of the definition itself (BAY0-BAY8).
void keep_errors_of_definition(lint::FileReport& report);

/// Definitions that ECS would not take, with these errors alone; they are neither fitted nor placed.
std::vector<lint::FileReport> refused_definitions(const placement::Scenario& scenario, const lint::Tools& tools);

}  // namespace bayplan::study
