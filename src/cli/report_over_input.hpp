#pragma once
#include <optional>

#include "base/files.hpp"
#include "base/result.hpp"
#include "cli/option_parser.hpp"

namespace bayplan::cli {

/// Why the line cannot run: a report would take the place of a file that the line names as an input. Only what the line
/// itself names is looked at, not the files that such a file refers to. Lint is let through, because it looks at each
/// file of a folder too.
std::optional<Error> report_over_input(const ParsedLine& parsed, const Files& files);

}  // namespace bayplan::cli
