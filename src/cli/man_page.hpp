#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_rows.hpp"

/// Manual pages in the man macros of groff and mandoc.
namespace bayplan::cli {

struct ManFacts {
  std::string version;  ///< "0.1.0"
  std::string date;     ///< ISO 8601 day: of the newest data inside.
};

/// bayplan(1): the commands, what they share, exit codes, environment, files.
std::string program_page(const std::vector<CommandRows>& commands, const ManFacts& facts);

/// bayplan-lint(1) and the like.
std::string command_page(const CommandRows& command, const std::vector<CommandRows>& commands, const ManFacts& facts);

}  // namespace bayplan::cli
