#pragma once
#include <vector>

#include "cli/io/load.hpp"
#include "lint/lint.hpp"
#include "report/explain/explain_report.hpp"

namespace bayplan::cli {

/// Lines of task definitions that decide what a sentence says, in file order: findings of the sentence's rules, and the
/// members that it is about. When the sentence names a container of a definition, only the lines of that one.
/// `reports` holds one report for each file of `loaded`.
std::vector<report::DefinitionLine> find_definition_lines(const rules::Answer& answer, const LoadedDefinitions& loaded,
                                                          const std::vector<lint::FileReport>& reports);

}  // namespace bayplan::cli
