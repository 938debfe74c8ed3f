#pragma once
#include <optional>

#include "base/files.hpp"
#include "base/result.hpp"
#include "cli/option_parser.hpp"

namespace bayplan::cli {

/// Why the line cannot run: a report would take the place of a file that the line names as an input. Told
/// before a long run; of the files that those refer to, and of lint, GuardedFiles know in the end.
std::optional<Error> report_over_input(const ParsedLine& parsed, const Files& files);

}  // namespace bayplan::cli
