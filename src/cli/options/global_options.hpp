#pragma once
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// Declares what every command accepts, `command` among them.
void describe_global_options(OptionSet& options, GlobalOptions& global, const Command& command);

}  // namespace bayplan::cli
