#pragma once
#include <string_view>
#include <vector>

#include "cli/options/options.hpp"

namespace bayplan::cli {

/// Declares what every command accepts. `formats`: those of the command, the default first.
void describe_global_options(OptionSet& options, GlobalOptions& global, const std::vector<std::string_view>& formats);

}  // namespace bayplan::cli
