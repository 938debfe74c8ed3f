#pragma once
#include <string_view>

#include "cli/options/command.hpp"

namespace bayplan::cli {

/// The group of these options in the help.
constexpr std::string_view kOptionsOfEveryCommand = "Options of every command";

/// Declares what every command accepts, `command` among them.
void describe_global_options(OptionSet& options, GlobalOptions& global, const Command& command);

}  // namespace bayplan::cli
