#pragma once
#include <string_view>
#include <vector>

#include "cli/io/load.hpp"
#include "lint/lint.hpp"
#include "report/explain/explain_report.hpp"

namespace bayplan::cli {

/// Lines of task definitions that decide what a sentence says, in file order: findings of the sentence's rules, and the
/// members that it is about. When the text names a container, port, volume, image, secret or role of the definition,
/// only their lines. `said`: the text of the message. `reports` holds one report for each file of `loaded`.
std::vector<report::DefinitionLine> find_definition_lines(const rules::Answer& answer, std::string_view said,
                                                          const LoadedDefinitions& loaded,
                                                          const std::vector<lint::FileReport>& reports);

}  // namespace bayplan::cli
