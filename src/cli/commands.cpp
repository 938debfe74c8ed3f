#include "cli/command.hpp"

namespace bayplan::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  return commands;
}

}  // namespace bayplan::cli
